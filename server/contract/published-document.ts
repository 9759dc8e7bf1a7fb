import type { Resources } from "./bind.ts";

/** The document as OpenAPI 3.1 and, if it has parts that only 3.2 has, also as it is. */
export function publishedDocuments(document: PublishedDocument): Resources {
  const served = (published: object): Resources[string] => {
    const body = JSON.stringify(published);
    return () => ({ status: 200, body });
  };
  if (!document.openapi.startsWith("3.2.")) return { "/openapi.json": served(document) };
  return { "/openapi.json": served(asOpenApi31(document)), "/openapi-3.2.json": served(document) };
}

interface PublishedDocument {
  readonly openapi: string;
  readonly info: object;
  readonly paths: object;
  readonly tags?: readonly object[];
}

/** Without QUERY operations and without some fields of tags, which tools of OpenAPI 3.1 do not know. */
function asOpenApi31(document: PublishedDocument): object {
  const paths = Object.entries(document.paths).map(([path, item]) => [
    path,
    path.startsWith("/") ? without(item, ["query"]) : item,
  ]);
  const tags = document.tags?.map((tag) => without(tag, ["summary", "parent", "kind"]));
  return { ...document, openapi: "3.1.1", ...(tags && { tags }), paths: Object.fromEntries(paths) };
}

function without(holder: object, names: readonly string[]): object {
  return Object.fromEntries(Object.entries(holder).filter(([name]) => !names.includes(name)));
}
