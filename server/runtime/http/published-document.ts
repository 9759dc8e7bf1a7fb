import { type Resources, type SharedBytes, shareBytes } from "../contract/bind.ts";

/** A document becomes text when it is first read, not at the start. @param documents keyed by path */
export function publishedDocuments(documents: { readonly [path: string]: object }): Resources {
  return Object.fromEntries(
    Object.entries(documents).map(([path, document]) => {
      let body: SharedBytes | undefined;
      const served = () => {
        body ??= shareBytes(JSON.stringify(document));
        return { status: 200, body };
      };
      return [path, served];
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
