/** Rejects empty lists as examples of parameters: they have no text on the wire (OpenAPI 3.2, "Style Examples"). */
const message =
  "An empty list cannot be sent, so it is no example. Write a list with at least one value, or leave the example out.";

const isEmptyList = (value) => Array.isArray(value) && value.length === 0;

export default () => ({
  id: "examples",
  rules: {
    oas3: {
      sendable: () => ({
        Parameter({ example, examples = {}, schema }, { report, location, resolve }) {
          const { node = {}, location: target } = resolve(schema);
          const at = schema?.$ref === undefined ? location.child("schema") : target;
          const found = [
            [example, location.child("example")],
            ...Object.entries(examples).map(([name, named]) => [
              named?.value,
              location.child(["examples", name, "value"]),
            ]),
            ...(node.examples ?? []).map((value, index) => [value, at.child(["examples", index])]),
          ];
          for (const [value, place] of found) if (isEmptyList(value)) report({ message, location: place });
        },
      }),
    },
  },
});
