/**
 * Declares the extensions of this project. Redocly's rules ignore extensions that have no type. With a type, every rule
 * for responses applies to the responses to unknown routes, too.
 */
const withProperties = (type, properties) => ({ ...type, properties: { ...type.properties, ...properties } });
/** Marks a schema, a parameter or a header whose value is a secret. */
const mark = { "x-sensitive": { type: "boolean" } };

export default () => ({
  id: "extensions",
  typeExtension: {
    oas3: (types) => ({
      ...types,
      Root: withProperties(types.Root, { "x-unmatched-responses": "Responses" }),
      Schema: withProperties(types.Schema, mark),
      Parameter: withProperties(types.Parameter, mark),
      Header: withProperties(types.Header, mark),
    }),
  },
});
