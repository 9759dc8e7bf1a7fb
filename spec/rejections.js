/**
 * Checks that each operation documents the errors that the service may return before the handler runs. Instead of an
 * undocumented error, the server sends a 500.
 */
const kinds = ["secret", "publishable"];

/** The roles in security requirements, or undefined if the operation needs no credential. */
function rolesIn(requirements = []) {
  if (requirements.length === 0 || requirements.some((each) => Object.keys(each).length === 0))
    return undefined;
  return requirements.flatMap((each) => Object.values(each).flat());
}

export default () => ({
  id: "rejections",
  rules: {
    oas3: {
      documented: () => {
        let everywhere;
        return {
          Root({ security }) {
            everywhere = security;
          },
          Operation(operation, { report, location, parent }) {
            const roles = rolesIn(operation.security ?? everywhere);
            const asksForValues = [
              operation.requestBody,
              ...(operation.parameters ?? []),
              ...(parent.parameters ?? []),
            ];
            const needed = [
              ...(operation.requestBody === undefined ? [] : ["400", "413", "415"]),
              ...(roles === undefined ? [] : ["401"]),
              ...(roles === undefined || kinds.every((kind) => roles.includes(kind)) ? [] : ["403"]),
              ...(asksForValues.every((each) => each === undefined) ? [] : ["422"]),
              "500",
              "503",
            ];
            const documented = new Set(Object.keys(operation.responses ?? {}));
            const missing = needed.filter(
              (status) => ![status, `${status[0]}XX`, "default"].some((each) => documented.has(each)),
            );
            if (missing.length === 0) return;
            report({
              message: `The service may also return ${missing.toSorted().join(", ")} here. Document it with a \`$ref\`, as other operations do.`,
              location: location.child("responses").key(),
            });
          },
        };
      },
    },
  },
});
