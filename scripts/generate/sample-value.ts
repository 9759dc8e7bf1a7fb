import {
  entriesOf,
  isObject,
  type Json,
  type JsonObject,
  listOf,
  referredValue,
} from "../openapi/document.ts";
import { exampleOfSchema } from "../openapi/document-examples.ts";

/** Also ends recursion. */
const maxDepth = 5;

const texts: { readonly [format: string]: string } = {
  date: "2026-01-31",
  "date-time": "2026-01-31T12:00:00Z",
  email: "name@example.com",
  uri: "https://example.com",
  uuid: "0b6f3c1e-6a52-4d0e-9d6f-2f3a5d1c7e11",
};

export function sampleValue(document: JsonObject, schema: Json | undefined, depth = 0): Json {
  if (!isObject(schema) || depth > maxDepth) return {};
  const known = exampleOfSchema(document, schema);
  if (known !== undefined) return known;
  const referred = referredValue(document, schema);
  if (referred !== undefined) return sampleValue(document, referred, depth + 1);
  for (const choice of [schema.oneOf, schema.anyOf])
    if (Array.isArray(choice) && schema.properties === undefined)
      return sampleValue(document, choice[0], depth + 1);
  if (Array.isArray(schema.allOf)) {
    const parts = schema.allOf.map((part) => sampleValue(document, part, depth + 1));
    return parts.every(isObject) ? Object.assign({}, ...parts) : (parts[0] ?? {});
  }
  const type = Array.isArray(schema.type) ? schema.type.find((each) => each !== "null") : schema.type;
  switch (type) {
    case "string":
      return texts[String(schema.format)] ?? "text";
    case "integer":
    case "number":
      return typeof schema.minimum === "number" ? schema.minimum : 1;
    case "boolean":
      return true;
    case "array":
      return [sampleValue(document, schema.items, depth + 1)];
    default: {
      const required = entriesOf(schema.properties).filter(([name]) =>
        listOf(schema.required).includes(name),
      );
      return Object.fromEntries(
        required.map(([name, part]) => [name, sampleValue(document, part, depth + 1)]),
      );
    }
  }
}
