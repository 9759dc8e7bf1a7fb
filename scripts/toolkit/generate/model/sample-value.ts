import { exampleOfSchema } from "#specbind/document-examples";
import { isObject, type Json, type JsonObject } from "../../openapi/document.ts";
import { keywordOf, propertiesOf, requiredNames, viewOf } from "../../openapi/schema/schema-view.ts";

/** The limit also ends recursion. */
const maxDepth = 5;
/** The number of schemas that are read for one value. */
const maxSchemas = 200;

const texts: { readonly [format: string]: string } = {
  date: "2026-01-31",
  "date-time": "2026-01-31T12:00:00Z",
  email: "name@example.com",
  uri: "https://example.com",
  uuid: "0b6f3c1e-6a52-4d0e-9d6f-2f3a5d1c7e11",
};

/** Parts beyond the limits are empty objects. */
export function sampleValue(
  document: JsonObject,
  schema: Json | undefined,
  depth = 0,
  counter = { schemas: 0 },
): Json {
  if (!isObject(schema) || depth > maxDepth || counter.schemas === maxSchemas) return {};
  counter.schemas += 1;
  const known = exampleOfSchema(document, schema);
  if (known !== undefined) return known;
  const view = viewOf(document, schema);
  const below = (part: Json | undefined): Json => sampleValue(document, part, depth + 1, counter);
  // An example of an `allOf` part may lack properties of the other parts, so the examples are merged below.
  const found = [
    ...view.unions.map(({ branches: [first] }) => below(first?.value)),
    ...view.parts.map(({ value }) => exampleOfSchema(document, value)),
  ];
  const [whole] = found.filter((each) => each !== undefined && !isObject(each));
  if (whole !== undefined) return whole;
  const type = [keywordOf(view, "type") ?? []].flat().find((each) => each !== "null");
  switch (type) {
    case "string":
      return texts[String(keywordOf(view, "format"))] ?? "text";
    case "integer":
    case "number": {
      const minimum = keywordOf(view, "minimum");
      return typeof minimum === "number" ? minimum : 1;
    }
    case "boolean":
      return true;
    case "array":
      return [below(keywordOf(view, "items"))];
    default: {
      const required = requiredNames(view);
      const own = [...propertiesOf(view)].flatMap(([name, [{ value }]]) =>
        required.has(name) ? [[name, below(value)] as const] : [],
      );
      return Object.assign(Object.fromEntries(own), ...found);
    }
  }
}
