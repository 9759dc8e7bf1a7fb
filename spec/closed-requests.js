/** Checks that objects in requests reject unknown properties, as the document's description promises. */
const message =
  "Unknown properties in requests are rejected. Add `additionalProperties: false`, or next to `allOf`, `unevaluatedProperties: false`. If responses use this schema too, write another one for requests.";

const isClosed = (schema) =>
  [schema.additionalProperties, schema.unevaluatedProperties].some((each) => (each ?? true) !== true);

/** Returns each schema below `schema` with its path, and with true if it applies to the same object as `schema`. */
function childrenOf(schema) {
  const below = (keyword, isSame) =>
    Object.entries(schema[keyword] ?? {}).map(([key, child]) => [[keyword, key], child, isSame]);
  return [
    ...["properties", "patternProperties", "prefixItems"].flatMap((keyword) => below(keyword, false)),
    ...["items", "additionalProperties"].map((keyword) => [[keyword], schema[keyword], false]),
    ...["allOf", "oneOf", "anyOf"].flatMap((keyword) => below(keyword, true)),
  ];
}

/** @param isPart true if another schema closes the object: one around this schema, or one with `allOf` */
function check(value, place, { report, resolve }, seen, isPart = false) {
  const { node, location } = value?.$ref
    ? resolve(value, place.source.absoluteRef)
    : { node: value, location: place };
  const visit = `${location?.absolutePointer} ${isPart}`;
  if (!node || typeof node !== "object" || seen.has(visit)) return;
  seen.add(visit);
  if ((node.properties || node.allOf) && !isPart && !isClosed(node)) report({ message, location });
  const closesParts = isPart || "unevaluatedProperties" in node;
  for (const [path, child, isSame] of childrenOf(node))
    check(
      child,
      location.child(path),
      { report, resolve },
      seen,
      isSame && (closesParts || path[0] === "allOf"),
    );
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
