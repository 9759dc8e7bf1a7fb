/** Rejects defaults of required values: a default applies only to an absent value (JSON Schema, section 9.2). */
const message =
  "A required value cannot be left out, so its default is never used. Remove `default`, or make the value optional.";

export default () => ({
  id: "defaults",
  rules: {
    oas3: {
      used: () => ({
        Schema({ required = [], properties = {} }, { report, location }) {
          for (const name of required) {
            if (properties[name]?.default === undefined) continue;
            report({ message, location: location.child(["properties", name, "default"]) });
          }
        },
        Parameter({ required, schema }, { report, location }) {
          if (required && schema?.default !== undefined)
            report({ message, location: location.child(["schema", "default"]) });
        },
      }),
    },
  },
});
