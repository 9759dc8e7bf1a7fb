/**
 * Declares the type of the responses to unknown routes. Redocly's rules ignore extensions without a type. With it, every
 * rule for responses applies here too.
 */
export default () => ({
  id: "unmatched-responses",
  typeExtension: {
    oas3: (types) => ({
      ...types,
      Root: {
        ...types.Root,
        properties: { ...types.Root.properties, "x-unmatched-responses": "Responses" },
      },
    }),
  },
});
