/** The places of a spec by what stands there: schemas, operations, responses, examples. Values that are data are no places. */
import { entriesOf, isObject, type Json, type JsonObject, pointerTo } from "../../generate/document.ts";

export interface Place<Value extends Json = JsonObject> {
  readonly pointer: string;
  readonly value: Value;
}

export interface SpecPlaces {
  /** Every schema that is written out, none that is a reference. */
  readonly schemas: readonly Place[];
  readonly operations: readonly Place[];
  /** The maps of responses by status. */
  readonly responseMaps: readonly Place[];
  /** The maps of headers of responses. */
  readonly headerMaps: readonly Place[];
  /** The maps of examples by name. */
  readonly exampleMaps: readonly Place[];
  /** The maps of media types. */
  readonly contents: readonly Place[];
  readonly parameters: readonly Place[];
}

/** Keys whose values are data. */
const data = new Set(["default", "const", "enum", "example", "value", "x-sensitive", "x-secret-prefix"]);
/** Keys whose values are maps by names that somebody has chosen. */
const namesOf: { readonly [key: string]: keyof SpecPlaces | "others" } = {
  properties: "schemas",
  schemas: "schemas",
  responses: "responseMaps",
  "x-unmatched-responses": "responseMaps",
  headers: "headerMaps",
  content: "contents",
  examples: "exampleMaps",
  paths: "others",
  securitySchemes: "others",
  variables: "others",
};
const methods = new Set(["get", "put", "post", "delete", "options", "head", "patch", "trace"]);

export function placesOf(document: Json): SpecPlaces {
  const places = {
    schemas: [] as Place[],
    operations: [] as Place[],
    responseMaps: [] as Place[],
    headerMaps: [] as Place[],
    exampleMaps: [] as Place[],
    contents: [] as Place[],
    parameters: [] as Place[],
  };
  const visit = (value: Json, pointer: string, isSchema: boolean): void => {
    if (Array.isArray(value)) {
      value.forEach((item, index) => {
        visit(item, pointerTo(pointer, index), isSchema);
      });
      return;
    }
    if (!isObject(value)) return;
    if (isSchema && value.$ref === undefined) places.schemas.push({ pointer, value });
    for (const [key, part] of entriesOf(value)) {
      const at = pointerTo(pointer, key);
      const named = namesOf[key];
      if (data.has(key) || (key === "examples" && Array.isArray(part))) continue;
      if (named !== undefined && isObject(part)) {
        // `components/headers` and the like are entries, but no response's own.
        const isComponents = pointer === "/components";
        if (named !== "schemas" && named !== "others" && !isComponents)
          places[named].push({ pointer: at, value: part });
        if (named === "exampleMaps") continue;
        for (const [name, entry] of entriesOf(part)) visit(entry, pointerTo(at, name), named === "schemas");
        continue;
      }
      if (methods.has(key) && pointer.startsWith("/paths/") && isObject(part))
        places.operations.push({ pointer: at, value: part });
      if (key === "parameters" && Array.isArray(part))
        part.forEach((each, index) => {
          if (isObject(each)) places.parameters.push({ pointer: pointerTo(at, index), value: each });
        });
      const holdsSchemas =
        key === "schema" || (isSchema && /^(?:items|oneOf|anyOf|allOf|additionalProperties)$/.test(key));
      visit(part, at, holdsSchemas);
    }
  };
  visit(document, "", false);
  return places;
}
