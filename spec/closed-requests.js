/** Checks that objects in requests reject unknown properties, as the document's description promises. */
const message =
  "Unknown properties in requests are rejected. Add `additionalProperties: false`, or next to `allOf`, `unevaluatedProperties: false`. If responses use this schema too, write another one for requests.";

const isClosed = (schema) => "additionalProperties" in schema || "unevaluatedProperties" in schema;

/** The schemas that the schema contains. A member of `allOf` is a part: it cannot know all properties. */
function* childrenOf(schema) {
  for (const [name, child] of Object.entries(schema.properties ?? {})) yield [["properties", name], child];
  for (const keyword of ["items", "additionalProperties"]) yield [[keyword], schema[keyword]];
  for (const keyword of ["allOf", "oneOf", "anyOf"])
    for (const [index, child] of (schema[keyword] ?? []).entries())
      yield [[keyword, index], child, keyword === "allOf"];
}

function check(value, place, { report, resolve }, seen, isPart = false) {
  const { node, location } = value?.$ref
    ? resolve(value, place.source.absoluteRef)
    : { node: value, location: place };
  if (typeof node !== "object" || seen.has(location.absolutePointer)) return;
  seen.add(location.absolutePointer);
  if ((node.properties || node.allOf) && !isPart && !isClosed(node)) report({ message, location });
  for (const [path, child, isPart] of childrenOf(node))
    check(child, location.child(path), { report, resolve }, seen, isPart);
}

export default () => ({
  id: "requests",
  rules: {
    oas3: {
      closed: () => {
        const seen = new Set();
        return {
          RequestBody: { Schema: (schema, context) => check(schema, context.location, context, seen) },
        };
      },
    },
  },
});
