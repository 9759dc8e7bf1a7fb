/** Says in the words of OpenAPI 3.1 what a document says in those of 3.0, so that the two can be compared. */
import { type Json, type JsonObject, visitObjects } from "../generate/document.ts";

const schemaMarks = ["nullable", "exclusiveMinimum", "exclusiveMaximum", "$ref"];

/** @returns a copy; places stay where they were */
export function asOpenApi31(document: JsonObject): JsonObject {
  const copy = structuredClone(document);
  copy.openapi = "3.1.0";
  visitObjects(copy, (object) => {
    if (schemaMarks.some((mark) => Object.hasOwn(object, mark))) upgrade(object);
  });
  return copy;
}

function upgrade(object: JsonObject): void {
  if (typeof object.$ref === "string") {
    // OpenAPI 3.0.3, Reference Object: additional properties are ignored.
    for (const key of Object.keys(object)) if (key !== "$ref") delete object[key];
    return;
  }
  upgradeBound(object, "minimum", "exclusiveMinimum");
  upgradeBound(object, "maximum", "exclusiveMaximum");
  const { nullable } = object;
  delete object.nullable;
  // OpenAPI 3.0.3, Schema Object: `nullable` means something only beside `type`.
  if (nullable === true && typeof object.type === "string") object.type = [object.type, "null"];
}

function upgradeBound(object: JsonObject, bound: string, exclusive: string): void {
  const flag: Json | undefined = object[exclusive];
  if (typeof flag !== "boolean") return;
  delete object[exclusive];
  if (!flag || typeof object[bound] !== "number") return;
  object[exclusive] = object[bound];
  delete object[bound];
}
