/** Creates, reads, replaces and deletes records, and reports what the service does not store. */
import { isDeepStrictEqual } from "node:util";
import { entriesOf, follow, isObject, type Json, valueAt, valueTypeOf } from "../../openapi/document.ts";
import { type HttpRequest, type HttpResponse, headerOf, jsonIn } from "../exchange.ts";
import { parseMediaType } from "../media-types.ts";
import type { ParameterModel } from "../operation-model.ts";
import { type Draft, type ParameterValues, writeRequest } from "../requests.ts";
import { matchPath, pathOf } from "../routes.ts";
import type { KnownValues } from "../service-under-test.ts";
import { readText } from "../styles.ts";
import { type Exchange, exchanged, isSuccess, ready, type Subject, type Violation } from "./trials.ts";

/** The operations on the same records. */
interface Store {
  /** A POST whose response identifies the record, or a PUT. */
  readonly create: Subject;
  readonly read: Subject;
  readonly replace: Subject | undefined;
  readonly remove: Subject | undefined;
  readonly list: Subject | undefined;
  /** The path parameter that identifies the record. Undefined if the request of `create` has all parameters. */
  readonly key: ParameterModel | undefined;
}

interface Stored {
  readonly draft: Draft;
  readonly path: NonNullable<ParameterValues["path"]>;
  readonly request: HttpRequest;
  readonly response: HttpResponse;
}

function storeOf(create: Subject): Store | undefined {
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
  const replace = method === "POST" ? on("PUT", item) : undefined;
  return { create, read, replace, remove: on("DELETE", item), list: key && on("GET", path), key };
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
    for (const { operation } of subjects)
      if (operation.path === store.read.operation.path)
        creators[operation.id] = async () => {
          const base = isFailing ? undefined : subject.drafts.base();
          // A failure is reported when the operation itself is checked.
          const stored = base && (await created(store, base).catch(() => undefined));
          isFailing = stored === undefined;
          const entries = Object.entries(stored?.path ?? {});
          return Object.fromEntries(entries.map(([name, value]) => [`path /${name}`, value]));
        };
  }
  return creators;
}

/** Undefined if the request does not succeed, or if its response does not identify the record. */
async function created(store: Store, draft: Draft): Promise<Stored | undefined> {
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
  const text = location?.get(key.name) ?? (pointer && valueAt(body, pointer)) ?? keyIn(body, key);
  if (typeof text !== "string" && typeof text !== "number") return undefined;
  const value = readText(key, String(text));
  return "value" in value
    ? { draft, path: { ...path, [key.name]: value.value }, request, response }
    : undefined;
}

/** The path parameters of the header `Location`. The base URL may have a path of its own. */
function matchedLocation(
  { headers }: HttpResponse,
  template: string,
): ReadonlyMap<string, string> | undefined {
  const location = headerOf(headers, "location");
  if (location === undefined || !URL.canParse(location, "http://host")) return undefined;
  const segments = pathOf(new URL(location, "http://host").pathname).split("/").slice(1);
  const paths = segments.map((_, at) => `/${segments.slice(at).join("/")}`);
  return paths.map((path) => matchPath(template, path)).find((each) => each !== undefined);
}

/** The value that identifies the record in a response. */
function keyIn(body: Json | undefined, { name }: ParameterModel, depth = 0): Json | undefined {
  if (!isObject(body) || depth > 3) return undefined;
  const own = body[name] ?? body.id;
  if (own !== undefined) return own;
  const inner = Object.values(body).map((each) => keyIn(each, { name } as ParameterModel, depth + 1));
  return inner.find((each) => each !== undefined);
}

/** The requests of `checkStorage`. */
export const mostStorageRequests = 10;

export async function checkStorage(on: Subject): Promise<Violation[]> {
  const store = storeOf(on);
  const [one, other] = differentDrafts(on);
  if (store === undefined || one === undefined) return [];
  const found: Violation[] = [];
  const first = await created(store, one);
  if (first === undefined) return [];
  const report: Report = ({ request, response }, message) =>
    message !== undefined && found.push({ request, response, message });
  report(first, locationProblem(store, first));
  const readFirst = await readProblem(store, first.path, one);
  report(readFirst, readFirst.problem);
  const second = other && (await created(store, other));
  if (second !== undefined) {
    if (store.key && JSON.stringify(second.path) === JSON.stringify(first.path))
      report(second, "the new record has the identifier of an older one");
    for (const [{ path, draft }, when] of [
      [second, ""],
      [first, "after another one was created, "],
    ] as const) {
      const read = await readProblem(store, path, draft);
      report(read, read.problem && when + read.problem);
    }
  }
  let kept = second;
  if (store.replace !== undefined && second !== undefined) {
    const replaced = await call(store.replace, second.path, one);
    if (isSuccess(replaced.response.status)) {
      kept = { ...second, draft: one };
      report(replaced, keyProblem(store, second.path, replaced.response));
      const read = await readProblem(store, second.path, one);
      const problem = read.problem ?? leftOver(second.draft, one, jsonIn(read.response.body));
      report(read, problem && `after the record was replaced, ${problem}`);
    }
  }
  if (store.remove !== undefined) {
    const removed = await call(store.remove, first.path);
    if (isSuccess(removed.response.status)) await removalProblems(store, first, kept, report);
  }
  return found;
}

type Report = (exchange: Exchange, message: string | undefined) => unknown;

async function removalProblems(
  store: Store,
  first: Stored,
  second: Stored | undefined,
  report: Report,
): Promise<void> {
  const gone = await call(store.read, first.path);
  const { status } = gone.response;
  if (status < 400 || status >= 500) report(gone, `the record was deleted, but reading it returns ${status}`);
  if (second !== undefined && JSON.stringify(second.path) !== JSON.stringify(first.path)) {
    const kept = await readProblem(store, second.path, second.draft);
    report(kept, kept.problem && `after another record was deleted, ${kept.problem}`);
  }
  const key = store.key && first.path[store.key.name];
  if (store.list === undefined || key === undefined) return;
  const list = await call(store.list, first.path);
  const items = listIn(jsonIn(list.response.body));
  if (isSuccess(list.response.status) && items?.some((item) => store.key && keyIn(item, store.key) === key))
    report(list, "the record was deleted, but the list has it");
}

function listIn(body: Json | undefined): Json[] | undefined {
  if (Array.isArray(body)) return body;
  return isObject(body)
    ? Object.values(body)
        .map(listIn)
        .find((each) => each !== undefined)
    : undefined;
}

/** The base, and the valid body that differs from it most. */
function differentDrafts({ drafts, operation }: Subject): Draft[] {
  const base = drafts.base();
  if (base === undefined) return [];
  const others = drafts.parts.flatMap((part) =>
    part.constraints.flatMap((constraint) =>
      constraint.verdict === "valid" ? drafts.draftsFor(part, constraint) : [],
    ),
  );
  const lengthOf = ({ body }: Draft) => body?.bytes.byteLength ?? 0;
  const differencesOf = ({ value }: Draft) => differentNames(value, base.value).length;
  const [other] = others.toSorted(
    (left, right) => differencesOf(right) - differencesOf(left) || lengthOf(right) - lengthOf(left),
  );
  if (other === undefined || operation.method === "POST") return other ? [base, other] : [base];
  // A PUT to another path creates another record.
  const elsewhere = others.find(
    ({ parameters }) => JSON.stringify(parameters.path) !== JSON.stringify(base.parameters.path),
  );
  return elsewhere ? [base, { ...other, parameters: elsewhere.parameters }] : [base];
}

/** The names of properties that the value has, and that the other one lacks or has with another value. */
function differentNames(value: Json | undefined, other: Json | undefined): string[] {
  const [own, others] = [value, other].map((each) => (each === undefined ? each : unwrapped(each)));
  if (!isObject(own) || !isObject(others)) return [];
  return Object.keys(own).filter((name) => !isDeepStrictEqual(own[name], others[name]));
}

/** PUT replaces the whole record (RFC 9110, section 9.3.4), so a property that was left out is not kept. */
function leftOver(old: Draft, replacement: Draft, read: Json | undefined): string | undefined {
  const [before, after] = [old, replacement].map(({ value }) => unwrapped(value ?? null));
  if (!isObject(before) || !isObject(after) || !isObject(read)) return undefined;
  // A boolean may have its default value by chance.
  const isKept = (name: string) =>
    !Object.hasOwn(after, name) &&
    !["boolean", "null"].includes(valueTypeOf(before[name] ?? null)) &&
    isDeepStrictEqual(read[name], before[name]);
  const name = Object.keys(before).find(isKept);
  return name && `the record still has /${name}, which was left out`;
}

/** Calls an operation on a record, with the parameters that it requires. */
async function call(on: Subject, path: Stored["path"], given = on.drafts.base()) {
  const required = on.operation.parameters.filter((each) => each.required);
  const of = (place: ParameterModel["in"]) => {
    const own = required.filter((each) => each.in === place).map(({ name }) => name);
    const values = on.drafts.base()?.parameters[place] ?? {};
    return Object.fromEntries(Object.entries(values).filter(([name]) => own.includes(name)));
  };
  const parameters = { path, query: of("query"), header: of("header"), cookie: of("cookie") };
  const request = writeRequest(on.operation, {
    parameters,
    body: given?.body,
    credentials: on.drafts.credentials(),
  });
  const { response } = await exchanged(on, request);
  return { request, response };
}

async function readProblem(store: Store, path: Stored["path"], { value, body }: Draft) {
  const { request, response } = await call(store.read, path);
  const { status, headers } = response;
  if (!isSuccess(status))
    return { request, response, problem: `the record is not stored: reading it returns ${status}` };
  const read = jsonIn(response.body);
  const type = parseMediaType(headerOf(headers, "content-type") ?? "").essence;
  const isSameType = body !== undefined && parseMediaType(body.mediaType).essence === type;
  const isLost = isSameType && !/json$/.test(type) && !Buffer.from(body.bytes).equals(response.body);
  if (isLost) return { request, response, problem: "the record has other bytes than were sent" };
  const pointer =
    read === undefined || value === undefined ? undefined : differenceIn(unwrapped(value), read);
  const problem =
    pointer === undefined
      ? keyProblem(store, path, response)
      : `the record has another value at ${pointer} than was sent`;
  return { request, response, problem };
}

function keyProblem({ key }: Store, path: Stored["path"], { body }: HttpResponse): string | undefined {
  const found = key && keyIn(jsonIn(body), key);
  const isSame = found === undefined || key === undefined || String(found) === String(path[key.name]);
  return isSame ? undefined : `the record has the identifier ${JSON.stringify(found)}`;
}

function locationProblem({ key, read }: Store, { response }: Stored): string | undefined {
  const location = headerOf(response.headers, "location");
  if (key === undefined || location === undefined || response.status !== 201) return undefined;
  if (matchedLocation(response, read.operation.path) !== undefined) return undefined;
  return `header /Location does not lead to ${read.operation.path}`;
}

/** The object inside of an envelope. */
function unwrapped(value: Json): Json {
  const [only, ...others] = isObject(value) ? Object.values(value) : [];
  return isObject(only) && others.length === 0 ? only : value;
}

/** The pointer of a value that was sent and that the response has with another value. */
function differenceIn(sent: Json, read: Json, depth = 0): string | undefined {
  if (!isObject(sent) || !isObject(read)) return undefined;
  const names = Object.keys(sent).filter((name) => Object.hasOwn(read, name));
  if (names.length > 0) return difference(sent, read);
  const inner = depth > 3 ? [] : Object.values(read).map((each) => differenceIn(sent, each, depth + 1));
  return inner.find((each) => each !== undefined);
}

function difference(sent: Json | undefined, read: Json | undefined, pointer = ""): string | undefined {
  if (sent === undefined || read === undefined || read === null) return undefined;
  if (Array.isArray(sent) && Array.isArray(read))
    return sent.length === read.length
      ? sent
          .map((each, at) => difference(each, read[at], `${pointer}/${at}`))
          .find((each) => each !== undefined)
      : pointer;
  if (isObject(sent) && isObject(read))
    return Object.keys(sent)
      .map((name) =>
        Object.hasOwn(read, name) ? difference(sent[name], read[name], `${pointer}/${name}`) : undefined,
      )
      .find((each) => each !== undefined);
  return typeof sent !== typeof read || plain(sent) === plain(read) ? undefined : pointer;
}

/** A service may store texts without outer spaces and in lower case, and times in another form. */
function plain(value: Json): Json {
  if (typeof value !== "string") return value;
  return /^\d{4}-\d\d-\d\dT/i.test(value) && !Number.isNaN(Date.parse(value))
    ? Date.parse(value)
    : value.trim().toLowerCase();
}
