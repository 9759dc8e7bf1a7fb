/** The document for tools of OpenAPI 3.1, which know neither QUERY operations nor some fields of tags. */
export function asOpenApi31<
  Document extends { readonly openapi: string; readonly paths: object; readonly tags?: readonly object[] },
>(document: Document): object {
  if (!document.openapi.startsWith("3.2.")) return document;
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

interface Servers {
  readonly servers?: readonly {
    readonly url: string;
    readonly variables?: { readonly [name: string]: { readonly default: string } };
  }[];
}

/** The path of the first server in the document, without a slash at the end, such as `/v1`. Often empty. */
export function basePathOf({ servers: [server] = [] }: Servers): string {
  const url = (server?.url ?? "/").replaceAll(
    /\{([^{}]*)\}/g,
    (_, name: string) => server?.variables?.[name]?.default ?? "",
  );
  return URL.canParse(url, "http://host") ? new URL(url, "http://host").pathname.replace(/\/+$/, "") : "";
}
