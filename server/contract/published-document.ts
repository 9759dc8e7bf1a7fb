/** The document for tools of OpenAPI 3.1, which know neither QUERY nor additional operations nor some fields of tags. */
export function asOpenApi31<
  Document extends { readonly openapi: string; readonly paths: object; readonly tags?: readonly object[] },
>(document: Document): object {
  if (!document.openapi.startsWith("3.2.")) return document;
  const paths = Object.entries(document.paths).map(([path, item]) => [
    path,
    path.startsWith("/") ? without(item, ["query", "additionalOperations"]) : item,
  ]);
  const tags = document.tags?.map((tag) => without(tag, ["summary", "parent", "kind"]));
  return { ...document, openapi: "3.1.1", ...(tags && { tags }), paths: Object.fromEntries(paths) };
}

function without(holder: object, names: readonly string[]): object {
  return Object.fromEntries(Object.entries(holder).filter(([name]) => !names.includes(name)));
}
