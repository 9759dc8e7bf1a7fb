import { type Resources, shareBytes } from "../contract/bind.ts";

/** @param documents keyed by path */
export function publishedDocuments(documents: { readonly [path: string]: object }): Resources {
  return Object.fromEntries(
    Object.entries(documents).map(([path, document]) => {
      const body = shareBytes(JSON.stringify(document));
      return [path, () => ({ status: 200, body })];
    }),
  );
}

interface Servers {
  readonly servers?: readonly {
    readonly url: string;
    readonly variables?: { readonly [name: string]: { readonly default: string } };
  }[];
}

/** The path of the first server in the document, without a slash at the end, such as `/v1`. Often empty. */
export function basePathOf(document: object): string {
  const { servers: [server] = [] }: Servers = document;
  const url = (server?.url ?? "/").replaceAll(
    /\{([^{}]*)\}/g,
    (_, name: string) => server?.variables?.[name]?.default ?? "",
  );
  return URL.canParse(url, "http://host") ? new URL(url, "http://host").pathname.replace(/\/+$/, "") : "";
}
