/**
 * Declares the type of the responses to unknown routes. Redocly's rules ignore extensions that have no type. With a
 * type, every rule for responses applies to them too.
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
