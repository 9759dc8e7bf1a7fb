/** Requires a text for each value of an enum, if one of its values has a text. The texts are the table of error codes. */
export default () => ({
  id: "enums",
  rules: {
    oas3: {
      described: () => ({
        Schema({ enum: values = [], "x-enumDescriptions": texts }, { report, location }) {
          if (texts === undefined) return;
          for (const [index, value] of values.entries())
            if (typeof texts[value] !== "string")
              report({
                message: `Add a line for \`${value}\` to \`x-enumDescriptions\` of this schema: what the value means for a caller.`,
                location: location.child(["enum", index]),
              });
        },
      }),
    },
  },
});
