/** PostgreSQL numbers parameters. The uuid of a session is stored as bytes. */
export function numbered(sql) {
  const names = [];
  const text = sql.replaceAll(/:([a-z]\w*)/g, (_, name) => {
    if (!names.includes(name)) names.push(name);
    return `$${names.indexOf(name) + 1}`;
  });
  const valuesOf = (parameters) =>
    names.map((name) => (name === "uuid" ? Buffer.from(parameters.uuid) : parameters[name]));
  return { text, valuesOf };
}
