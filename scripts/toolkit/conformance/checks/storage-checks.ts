/** Creates, reads, replaces and deletes records, and reports what the service does not store. */
import type { Json } from "../../openapi/document.ts";
import { isValid } from "../../openapi/schema/evaluate.ts";
import { type SchemaNode, valuesOfKeyword } from "../../openapi/schema/schema-node.ts";
import { type HttpResponse, headerOf, jsonIn } from "../exchange.ts";
import { responseFor } from "../exchange-check.ts";
import { matchingMediaType, parseMediaType } from "../media-types.ts";
import type { OperationModel, ParameterModel } from "../operation-model.ts";
import { type Draft, writeRequest } from "../requests.ts";
import {
  differenceIn,
  differentNames,
  fullest,
  leftOver,
  unwrapped,
  withSpecialTexts,
} from "./record-differences.ts";
import { created, keyIn, listIn, matchedLocation, type Store, type Stored, storeOf } from "./stores.ts";
import { type Exchange, exchanged, isSuccess, type Subject, type Violation } from "./trials.ts";

/** The requests of `checkStorage`. */
export const mostStorageRequests = 20;

/** @param when what was done before */
type Report = (exchange: Exchange, problem: string | undefined, when?: string) => void;

export async function checkStorage(on: Subject): Promise<Violation[]> {
  const store = storeOf(on);
  const [one, ...others] = differentDrafts(on);
  if (store === undefined || one === undefined) return [];
  const found: Violation[] = [];
  const known = new Set<string>();
  const report: Report = ({ request, response }, problem, when = "") => {
    // Later steps find the same problem again.
    if (problem === undefined || known.has(problem)) return;
    known.add(problem);
    found.push({ request, response, message: when + problem });
  };
  // At the same time, because a service may then choose the same identifier.
  const [first, other] = await Promise.all([created(store, one), others[0] && created(store, others[0])]);
  if (first === undefined) return [];
  let second = other;
  // The service may have rules that its schemas do not express.
  for (const draft of others.slice(1)) second ??= await created(store, draft);
  for (const each of second === undefined ? [first] : [first, second]) {
    report(each, locationProblem(store, each));
    report(each, otherValue(each.draft, each.response));
    const read = await readProblem(store, each);
    report(read, read.problem);
  }
  if (second !== undefined) {
    if (store.key && JSON.stringify(second.path) === JSON.stringify(first.path))
      report(second, "the new record has the identifier of another one");
    await replacementProblems(store, first, second, report);
  }
  await listProblems(store, first, report);
  if (store.remove === undefined) return found;
  const removed = await call(store.remove, first.path);
  if (isSuccess(removed.response.status)) await removalProblems(store, first, second, report);
  return found;
}

/** Replaces the second record with the values of the first one, and then with its own. */
async function replacementProblems(
  store: Store,
  first: Stored,
  second: Stored,
  report: Report,
): Promise<void> {
  for (const { draft } of [first, second]) {
    const replaced = store.replace && (await call(store.replace, second.path, draft));
    if (replaced === undefined || !isSuccess(replaced.response.status)) return;
    report(replaced, keyProblem(store, second, replaced.response) ?? otherValue(draft, replaced.response));
    const read = await readProblem(store, { ...second, draft });
    const name =
      draft === first.draft
        ? leftOver(second.draft.value ?? null, draft.value ?? null, jsonIn(read.response.body))
        : undefined;
    const problem = read.problem ?? (name && `the record still has /${name}, which was left out`);
    report(read, problem, "after the record was replaced, ");
  }
  const kept = await readProblem(store, first);
  report(kept, kept.problem, "after another record was replaced, ");
}

async function removalProblems(
  store: Store,
  first: Stored,
  second: Stored | undefined,
  report: Report,
): Promise<void> {
  const gone = await call(store.read, first.path);
  const { status } = gone.response;
  if (status < 400 || status >= 500) report(gone, `the record was deleted, but reading it returns ${status}`);
  const list = store.list && (await call(store.list, first.path));
  if (list && keysIn(store, list.response).includes(keyOf(store, first)))
    report(list, "the record was deleted, but the list has it");
  if (second === undefined || JSON.stringify(second.path) === JSON.stringify(first.path)) return;
  const third = store.key && (await created(store, first.draft));
  if (third !== undefined && JSON.stringify(third.path) === JSON.stringify(second.path))
    report(third, "after a record was deleted, the new record has the identifier of another one");
  const kept = await readProblem(store, second);
  report(kept, kept.problem, "after another record was deleted, ");
}

async function listProblems(store: Store, stored: Stored, report: Report): Promise<void> {
  if (store.list === undefined) return;
  const list = await call(store.list, stored.path);
  const keys = keysIn(store, list.response);
  if (keys.includes("") || keys.includes(keyOf(store, stored))) return;
  if (isSuccess(list.response.status) && keys.length < pageSizeOf(store.list.operation))
    report(list, `the record was created, but the list of ${keys.length} records does not have it`);
}

/** A list with fewer records has all of them. */
function pageSizeOf({ parameters }: OperationModel): number {
  const query = parameters.filter((each) => each.in === "query");
  // A required parameter may select other records.
  if (query.some(({ required }) => required)) return 0;
  const sizes = query
    .flatMap(({ node }) => valuesOfKeyword(node, "default"))
    .filter((each) => Number(each) > 1);
  // Without parameters, a service may still have a limit, but hardly a smaller one.
  return query.length === 0 ? 10 : Math.min(...sizes.map(Number), ...(sizes.length === 0 ? [0] : []));
}

function keyOf({ key }: Store, { path }: Stored): string {
  return String(key && path[key.name]);
}

/** The identifiers of the items of a list. An item without an identifier has an empty one. */
function keysIn({ key }: Store, { body }: HttpResponse): string[] {
  return (listIn(jsonIn(body)) ?? [null]).map((item) => String((key && keyIn(item, key)) ?? ""));
}

/** The base, and other valid bodies: first the one with most properties and special texts. */
function differentDrafts({ drafts, operation }: Subject): Draft[] {
  const base = drafts.base();
  if (base === undefined) return [];
  const others = drafts.parts.flatMap((part) =>
    part.constraints.flatMap((constraint) =>
      constraint.verdict === "valid"
        ? drafts.draftsFor(part, constraint).map((draft) => ({ part, draft }))
        : [],
    ),
  );
  const lengthOf = ({ body }: Draft) => body?.bytes.byteLength ?? 0;
  const differencesOf = ({ value }: Draft) => differentNames(value, base.value).length;
  const [other] = others
    .map(({ draft }) => draft)
    .toSorted(
      (left, right) => differencesOf(right) - differencesOf(left) || lengthOf(right) - lengthOf(left),
    );
  if (other === undefined) return [base];
  const bodies = others.flatMap(({ part, draft: { value } }) =>
    part.place.in === "body" && value !== undefined ? [{ part, value }] : [],
  );
  const [{ part } = {}] = bodies;
  const merged = bodies.reduce<Json | undefined>((value, each) => {
    const more = value === undefined || each.part !== part ? value : fullest(value, each.value);
    return more !== undefined && part !== undefined && isValid(part.node, more) ? more : value;
  }, bodies[0]?.value);
  const made =
    part === undefined || merged === undefined
      ? []
      : [withSpecialTexts(part.node, merged), merged].map((value) => part.replace(base, part.settle(value)));
  if (operation.method === "POST") return [base, ...made, other];
  // A PUT to another path creates another record.
  const elsewhere = others.find(
    ({ draft }) => JSON.stringify(draft.parameters.path) !== JSON.stringify(base.parameters.path),
  );
  if (elsewhere === undefined) return [base];
  const { parameters } = elsewhere.draft;
  return [base, ...made.map((draft) => ({ ...draft, parameters })), { ...other, parameters }];
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

async function readProblem(store: Store, stored: Stored) {
  const { draft, path } = stored;
  const { request, response } = await call(store.read, path);
  const { status, headers } = response;
  if (!isSuccess(status))
    return { request, response, problem: `the record is not stored: reading it returns ${status}` };
  const type = headerOf(headers, "content-type") ?? "";
  const { essence } = parseMediaType(type);
  const isSameType = draft.body !== undefined && parseMediaType(draft.body.mediaType).essence === essence;
  const isLost = isSameType && !/json$/.test(essence) && !Buffer.from(draft.body.bytes).equals(response.body);
  if (isLost) return { request, response, problem: "the record has other bytes than were sent" };
  const documented = responseFor(store.read.operation.responses, status)?.mediaTypes ?? [];
  const problem =
    otherValue(draft, response, matchingMediaType(type, documented)?.node) ??
    keyProblem(store, stored, response);
  return { request, response, problem };
}

/** @param node the schema of a response that must have all values that were sent */
function otherValue({ value }: Draft, { body }: HttpResponse, node?: SchemaNode): string | undefined {
  const read = jsonIn(body);
  const pointer =
    read === undefined || value === undefined ? undefined : differenceIn(unwrapped(value), read, node);
  return pointer && `the record does not have the value at ${pointer} that was sent`;
}

function keyProblem(store: Store, stored: Stored, { body }: HttpResponse): string | undefined {
  const found = store.key && keyIn(jsonIn(body), store.key);
  const isSame = found === undefined || String(found) === keyOf(store, stored);
  return isSame ? undefined : `the record has the identifier ${JSON.stringify(found)}`;
}

function locationProblem({ key, read }: Store, { response }: Stored): string | undefined {
  const location = headerOf(response.headers, "location");
  if (key === undefined || location === undefined || response.status !== 201) return undefined;
  if (matchedLocation(response, read.operation.path) !== undefined) return undefined;
  return `header /Location does not lead to ${read.operation.path}`;
}
