/**
 * Checks that each operation documents the errors that the service may return before the handler runs. A caller that
 * is generated from the spec does not know an undocumented error.
 */

/** Also true if the operation can be called without a key: a key that is sent must be valid and allowed. */
const acceptsKey = (requirements = []) => requirements.some((each) => Object.keys(each).length > 0);

export default () => ({
  id: "rejections",
  rules: {
    oas3: {
      documented: () => {
        let everywhere;
        let paths;
        /** The entry that most operations have for a status. */
        const entryOf = (status) => {
          const found = paths.match(new RegExp(`(?<="${status}":\\{"\\$ref":")[^"]+`, "g")) ?? [];
          const count = (reference) => found.filter((each) => each === reference).length;
          const [reference] = found.toSorted((a, b) => count(b) - count(a));
          return reference === undefined ? status : `\`"${status}": { $ref: "${reference}" }\``;
        };
        return {
          Root(root) {
            everywhere = root.security;
            paths = JSON.stringify(root.paths);
          },
          Operation(operation, { report, location, parent }) {
            const asksForValues = [
              operation.requestBody,
              ...(operation.parameters ?? []),
              ...(parent.parameters ?? []),
            ];
            const needed = [
              ...(operation.requestBody === undefined ? [] : ["400", "413", "415"]),
              // Every kind of key may be restricted to other operations.
              ...(acceptsKey(operation.security ?? everywhere) ? ["401", "403"] : []),
              ...(asksForValues.every((each) => each === undefined) ? [] : ["422"]),
              "500",
              "503",
            ];
            const documented = new Set(Object.keys(operation.responses ?? {}));
            const missing = needed.filter(
              (status) => ![status, `${status[0]}XX`, "default"].some((each) => documented.has(each)),
            );
            if (missing.length === 0) return;
            const statuses = missing.toSorted();
            report({
              message: `The service may also return ${statuses.join(", ")} here. Add ${statuses.map(entryOf).join(", ")}.`,
              location: location.child("responses").key(),
            });
          },
        };
      },
    },
  },
});
