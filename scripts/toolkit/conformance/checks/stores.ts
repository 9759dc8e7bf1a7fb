/** Finds the operations that create, read, replace, delete and list the same records, and creates records with them. */
import { entriesOf, follow, isObject, type Json, valueAt } from "../../openapi/document.ts";
import { type HttpRequest, type HttpResponse, headerOf, jsonIn } from "../exchange.ts";
import type { ParameterModel } from "../operation-model.ts";
import type { Draft, ParameterValues } from "../requests.ts";
import { matchPath, pathOf } from "../routes.ts";
import type { KnownValues } from "../service-under-test.ts";
import { readText } from "../styles.ts";
import { exchanged, isSuccess, ready, type Subject } from "./trials.ts";

/** The operations on the same records. */
export interface Store {
  /** A POST whose response identifies the record, or a PUT. */
  readonly create: Subject;
  readonly read: Subject;
  /** A PUT that creates records also replaces them. */
  readonly replace: Subject | undefined;
  /** A PATCH. */
  readonly update: Subject | undefined;
  readonly remove: Subject | undefined;
  readonly list: Subject | undefined;
  /** The path parameter that identifies the record. Undefined if the request of `create` has all parameters. */
  readonly key: ParameterModel | undefined;
}

export interface Stored {
  readonly draft: Draft;
  readonly path: NonNullable<ParameterValues["path"]>;
  readonly request: HttpRequest;
  readonly response: HttpResponse;
}

export function storeOf(create: Subject): Store | undefined {
  const { method, path } = create.operation;
  const on = (other: string, at: string | undefined) =>
    create.all.find(({ operation }) => operation.method === other && operation.path === at);
  const read = method === "POST" ? readerOf(create) : method === "PUT" ? on("GET", path) : undefined;
  if (read === undefined) return undefined;
  const item = read.operation.path;
  const isMadeByPost = create.all.some((each) => each.operation.method === "POST" && readerOf(each) === read);
  if (method === "PUT" && isMadeByPost) return undefined;
  const key =
    method === "POST" ? read.operation.parameters.findLast((each) => each.in === "path") : undefined;
  const replace = method === "POST" ? on("PUT", item) : create;
  const [update, remove] = [on("PATCH", item), on("DELETE", item)];
  return { create, read, replace, update, remove, list: key && on("GET", path), key };
}

/** The GET that reads what the operation creates: by a link, by its path, or by the name of a property of the response. */
function readerOf({ operation, service, all }: Subject): Subject | undefined {
  const isNamed = (name: string) =>
    operation.responses.some(
      ({ status, mediaTypes }) =>
        /^2/.test(status) && mediaTypes.some(({ node }) => node.properties.has(name)),
    );
  const given = operation.parameters.filter((each) => each.in === "path").map(({ name }) => name);
  const readers = all.filter((each) => {
    const names = each.operation.parameters.filter((one) => one.in === "path").map(({ name }) => name);
    const isOneMore = names.length === given.length + 1 && given.every((name) => names.includes(name));
    return each.operation.method === "GET" && isOneMore;
  });
  const below = (path: string) => path.startsWith(`${operation.path.replace(/\/$/, "")}/{`);
  return (
    readers.find((each) =>
      linkTo(
        each,
        operation.responses.map(({ pointer }) => pointer),
        service.document,
      ),
    ) ??
    readers.find((each) => below(each.operation.path)) ??
    readers.find((each) =>
      isNamed(each.operation.parameters.findLast((one) => one.in === "path")?.name ?? ""),
    )
  );
}

/** The pointer into the response body that a Link Object gives for the key of the operation. */
function linkTo({ operation }: Subject, responses: readonly string[], document: object): string | undefined {
  const key = operation.parameters.findLast((each) => each.in === "path")?.name ?? "";
  for (const pointer of responses)
    for (const [name] of entriesOf(valueAt(document, `${pointer}/links`))) {
      const { value } = follow(document, `${pointer}/links/${name}`);
      const { operationId, parameters } = isObject(value) ? value : {};
      const expression = isObject(parameters) ? (parameters[key] ?? parameters[`path.${key}`]) : undefined;
      const [, at] = /^\$response\.body#(\/.*)$/.exec(String(expression)) ?? [];
      if (operationId === operation.id && at !== undefined) return at;
    }
  return undefined;
}

/** For each operation that needs a record, a function that creates one. */
export function creatorsOf(subjects: readonly Subject[]): {
  [operationId: string]: () => Promise<KnownValues>;
} {
  const creators: { [operationId: string]: () => Promise<KnownValues> } = {};
  for (const subject of subjects) {
    const store = storeOf(subject);
    const key = store?.key;
    if (store === undefined || key === undefined) continue;
    let isFailing = false;
    const item = store.read.operation.path;
    for (const { operation } of subjects) {
      const isBelow = operation.path.startsWith(`${item}/`) && creators[operation.id] === undefined;
      if (operation.path === item || isBelow)
        creators[operation.id] = async () => {
          const base = isFailing ? undefined : subject.drafts.base();
          // A failure is reported when the operation itself is checked.
          const stored = base && (await created(store, base).catch(() => undefined));
          isFailing = stored === undefined;
          const entries = Object.entries(stored?.path ?? {});
          return Object.fromEntries(entries.map(([name, value]) => [`path /${name}`, value]));
        };
    }
  }
  return creators;
}

/** Undefined if the request does not succeed, or if its response does not identify the record. */
export async function created(store: Store, draft: Draft): Promise<Stored | undefined> {
  const { create, read, key } = store;
  const request = await ready(create, draft);
  const { response } = await exchanged(create, request);
  const path = create.drafts.present(draft).parameters.path ?? {};
  if (!isSuccess(response.status)) return undefined;
  if (key === undefined) return { draft, path, request, response };
  const location = matchedLocation(response, read.operation.path);
  const body = jsonIn(response.body);
  const pointers = create.operation.responses.map(({ pointer }) => pointer);
  const pointer = linkTo(read, pointers, create.service.document);
  const text = location?.values.get(key.name) ?? (pointer && valueAt(body, pointer)) ?? keyIn(body, key);
  if (typeof text !== "string" && typeof text !== "number") return undefined;
  const value = readText(key, String(text));
  return "value" in value
    ? { draft, path: { ...path, [key.name]: value.value }, request, response }
    : undefined;
}

/** The path parameters of the header `Location`, and the part of its path before that of the document. */
export function matchedLocation(
  { headers }: HttpResponse,
  template: string,
): { readonly values: ReadonlyMap<string, string>; readonly prefix: string } | undefined {
  const location = headerOf(headers, "location");
  if (location === undefined || !URL.canParse(location, "http://host")) return undefined;
  const segments = pathOf(new URL(location, "http://host").pathname).split("/");
  const matches = segments.slice(1).map((_, at) => {
    const values = matchPath(template, `/${segments.slice(at + 1).join("/")}`);
    return values && { values, prefix: segments.slice(0, at + 1).join("/") };
  });
  return matches.find((each) => each !== undefined);
}

/** The value that identifies the record in a response. */
export function keyIn(body: Json | undefined, { name }: ParameterModel, depth = 0): Json | undefined {
  if (!isObject(body) || depth > 3) return undefined;
  const own = body[name] ?? body.id;
  if (own !== undefined) return own;
  const inner = Object.values(body).map((each) => keyIn(each, { name } as ParameterModel, depth + 1));
  return inner.find((each) => each !== undefined);
}

/** The first list in a response body. */
export function listIn(body: Json | undefined): Json[] | undefined {
  if (Array.isArray(body)) return body;
  return isObject(body)
    ? Object.values(body)
        .map(listIn)
        .find((each) => each !== undefined)
    : undefined;
}
