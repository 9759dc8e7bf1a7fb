import type { Resources } from "./bind.ts";

/** The document as OpenAPI 3.1. If it has parts that only 3.2 has, the unchanged document is a second resource. */
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
  readonly components?: object;
}

/** Removes the operations, parameters, item schemas and tag fields that only OpenAPI 3.2 has. */
function asOpenApi31(document: PublishedDocument): object {
  const paths = Object.entries(document.paths).map(([path, item]) => [
    path,
    path.startsWith("/") ? without(item, ["query", "additionalOperations"]) : item,
  ]);
  const tags = document.tags?.map((tag) => without(tag, ["summary", "parent", "kind"]));
  return withoutParts({
    ...document,
    openapi: "3.1.1",
    ...(tags && { tags }),
    paths: Object.fromEntries(paths),
  });
}

interface Parameter {
  readonly $ref?: string;
  readonly in?: string;
}

function withoutParts(document: PublishedDocument): object {
  const { parameters = {} }: { readonly parameters?: Readonly<Record<string, Parameter>> } = {
    ...document.components,
  };
  const components = Object.entries(parameters);
  const isKept = ({ $ref, in: place }: Parameter): boolean =>
    ($ref === undefined
      ? place
      : components.find(([name]) => $ref === `#/components/parameters/${name}`)?.[1].in) !== "querystring";
  return JSON.parse(JSON.stringify(document), (key, value) => {
    if (key === "content")
      return Object.fromEntries(
        Object.entries<object>(value).map(([name, media]) => [
          name,
          name.includes("/") ? without(media, ["itemSchema"]) : media,
        ]),
      );
    if (key !== "parameters") return value;
    if (Array.isArray(value)) return value.filter(isKept);
    return Object.fromEntries(Object.entries<Parameter>(value).filter(([, each]) => isKept(each)));
  });
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
