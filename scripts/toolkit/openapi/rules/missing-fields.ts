import { followed, isObject, type Json, type JsonObject, listOf } from "../document.ts";
import { type Requirement, self, values } from "./requirement.ts";

export const missingFields: readonly Requirement[] = [
  {
    kinds: ["link"],
    message: "a link needs the operation that it leads to; add its `operationId`",
    wrong: self(({ $ref, operationId, operationRef }) => (operationId ?? operationRef ?? $ref) === undefined),
  },
  {
    kinds: ["operation"],
    paths: ["responses"],
    message: "an operation needs a response; add one, such as `default: { description: The result. }`",
    wrong: self((responses) => Object.keys(responses).every((key) => key.startsWith("x-"))),
  },
  {
    kinds: ["requestBody"],
    paths: ["content"],
    only: ["3.0", "3.1"],
    message:
      "a multipart body needs a `schema`, whose properties are its fields; add one, such as `schema: { type: object }`",
    wrong: values(({ schema }, mediaType) => /^multipart\//i.test(mediaType) && schema === undefined),
  },
  {
    kinds: ["schema"],
    only: ["3.0"],
    message:
      "a schema of type `array` needs `items`; add the schema of the items, or `items: {}` for any items",
    wrong: self(({ type, items, $ref }) => type === "array" && (items ?? $ref) === undefined),
  },
  {
    kinds: ["schema"],
    only: ["3.2"],
    message:
      "an object may lack the property of this discriminator, so it needs `defaultMapping`; add it, or make the property required",
    wrong: (schema, { document }) => {
      const { propertyName: name, defaultMapping } = isObject(schema.discriminator)
        ? schema.discriminator
        : {};
      return typeof name !== "string" || defaultMapping !== undefined || requires(document, schema, name)
        ? []
        : ["/discriminator/defaultMapping"];
    },
  },
];

/** True if each valid object has the property, or if a reference has no target. */
function requires(document: JsonObject, value: Json, name: string, seen: readonly Json[] = []): boolean {
  const schema = followed(document, value);
  if (schema === undefined) return true;
  if (!isObject(schema) || seen.includes(schema)) return false;
  const inside = (part: Json): boolean => requires(document, part, name, [...seen, schema]);
  return (
    listOf(schema.required).includes(name) ||
    listOf(schema.allOf).some(inside) ||
    [schema.oneOf, schema.anyOf].some((parts) => listOf(parts).length > 0 && listOf(parts).every(inside))
  );
}
