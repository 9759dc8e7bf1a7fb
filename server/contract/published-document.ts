/** The document for tools of OpenAPI 3.1, which do not know QUERY operations. */
export function asOpenApi31<Document extends { readonly openapi: string; readonly paths: object }>(
  document: Document,
): object {
  if (!document.openapi.startsWith("3.2.")) return document;
  const paths = Object.entries(document.paths).map(([path, item]) => {
    if (!path.startsWith("/")) return [path, item];
    const { query: _, ...others } = item;
    return [path, others];
  });
  return { ...document, openapi: "3.1.1", paths: Object.fromEntries(paths) };
}
