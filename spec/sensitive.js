/** Declares the boolean `x-sensitive`, which marks a schema, a parameter or a header whose value is a secret. */
const mark = { "x-sensitive": { type: "boolean" } };
const withMark = (type) => ({ ...type, properties: { ...type.properties, ...mark } });

export default () => ({
  id: "sensitive",
  typeExtension: {
    oas3: (types) => ({
      ...types,
      Schema: withMark(types.Schema),
      Parameter: withMark(types.Parameter),
      Header: withMark(types.Header),
    }),
  },
});
