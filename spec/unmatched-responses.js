/**
 * Lets Redocly see the responses to requests that match no operation. An extension is invisible to its rules until its
 * type is known; with it, every rule for responses holds here too.
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
