import { type Resources, shareBytes } from "../contract/bind.ts";

/** The document as OpenAPI 3.1. If it has parts that only 3.2 has, the unchanged document is a second resource. */
export function publishedDocuments(document: PublishedDocument): Resources {
  const served = (published: object): Resources[string] => {
    const body = shareBytes(JSON.stringify(published));
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

interface Parameter {
  readonly $ref?: string;
  readonly in?: string;
}

/** What is read of path items, operations, responses and components. */
interface Part {
  readonly parameters?: unknown;
  readonly responses?: object;
  readonly content?: object;
}

const methods = ["get", "put", "post", "delete", "options", "head", "patch", "trace"];

/** Removes the operations, parameters, item schemas and tag fields that only OpenAPI 3.2 has. */
export function asOpenApi31(document: PublishedDocument): object {
  const { tags, paths, components }: PublishedDocument & { readonly components?: Part } = document;
  const shared: Readonly<Record<string, Parameter>> = { ...(components?.parameters ?? {}) };
  const isKept = ({ $ref, in: place }: Parameter): boolean =>
    ($ref === undefined ? place : shared[$ref.replace("#/components/parameters/", "")]?.in) !== "querystring";
  const adapted = (part: Part): object => ({
    ...part,
    ...(Array.isArray(part.parameters) && { parameters: part.parameters.filter(isKept) }),
    ...(part.responses && { responses: mapped(part.responses, adapted) }),
    ...(part.content && { content: mapped(part.content, (media) => without(media, ["itemSchema"])) }),
  });
  const pathItem = (item: object): object =>
    mapped(adapted(without(item, ["query", "additionalOperations"])), (part, name) =>
      methods.includes(name) ? adapted(part) : part,
    );
  const parameters = Object.fromEntries(Object.entries(shared).filter(([, each]) => isKept(each)));
  return {
    ...document,
    openapi: "3.1.1",
    ...(tags && { tags: tags.map((tag) => without(tag, ["summary", "parent", "kind"])) }),
    paths: mapped(paths, (item, path) => (path.startsWith("/") ? pathItem(item) : item)),
    ...(components && {
      components: { ...adapted(components), ...(components.parameters !== undefined && { parameters }) },
    }),
  };
}

function mapped(holder: object, change: (value: object, name: string) => object): object {
  return Object.fromEntries(Object.entries(holder).map(([name, value]) => [name, change(value, name)]));
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
export function basePathOf(document: object): string {
  const { servers: [server] = [] }: Servers = document;
  const url = (server?.url ?? "/").replaceAll(
    /\{([^{}]*)\}/g,
    (_, name: string) => server?.variables?.[name]?.default ?? "",
  );
  return URL.canParse(url, "http://host") ? new URL(url, "http://host").pathname.replace(/\/+$/, "") : "";
}
