/** Creates, reads, replaces and deletes records, and reports what the service does not store. */
import { isDeepStrictEqual } from "node:util";
import { gzipSync } from "node:zlib";
import { isObject } from "../../openapi/document.ts";
import { headerOf, jsonIn } from "../exchange.ts";
import { type Draft, writeRequest } from "../requests.ts";
import { differentBodies, differentDrafts } from "./different-drafts.ts";
import { differenceIn, unwrapped } from "./record-differences.ts";
import {
  call,
  keyOf,
  keyProblem,
  keysIn,
  leftOverProblem,
  locationProblem,
  otherValue,
  pageSizeOf,
  type Report,
  readProblem,
  representationProblem,
} from "./records.ts";
import { created, listIn, type Store, type Stored, storeOf } from "./stores.ts";
import { exchanged, invalidDrafts, isSuccess, ready, type Subject, type Violation } from "./trials.ts";

/** The requests of `checkStorage`. */
export const mostStorageRequests = 35;

export async function checkStorage(on: Subject): Promise<Violation[]> {
  const store = storeOf(on);
  const [one, ...others] = differentDrafts(on);
  if (one === undefined) return [];
  const found: Violation[] = [];
  const known = new Set<string>();
  const report: Report = ({ request, response }, problem, when = "") => {
    // Later steps find the same problem again.
    if (problem === undefined || known.has(problem)) return;
    known.add(problem);
    found.push({ request, response, message: when + problem });
  };
  if (store === undefined) {
    if (on.operation.method === "PUT") await representationProblems(on, [one, ...others], report);
    if (on.operation.method === "PATCH") await patchEffects(on, [...others, one], report);
    return found;
  }
  // At the same time, because a service may then choose the same identifier.
  const [first, other] = await Promise.all([created(store, one), others[0] && created(store, others[0])]);
  if (first === undefined) return [];
  let second = other;
  // The service may have rules that its schemas do not express.
  for (const draft of others.slice(1)) second ??= await created(store, draft);
  const records = second === undefined ? [first] : [first, second];
  for (const each of records) {
    report(each, locationProblem(store, each));
    report(each, otherValue(each.draft, each.response));
    const read = await readProblem(store, each, report);
    report(read, read.problem);
  }
  for (const read of await Promise.all(records.map((each) => readProblem(store, each, report))))
    report(read, read.problem, "when records are read at the same time, ");
  if (second !== undefined) {
    if (store.key && JSON.stringify(second.path) === JSON.stringify(first.path))
      report(second, "the new record has the identifier of another one");
    await replacementProblems(store, first, second, report);
  }
  await listProblems(store, first, report);
  await rejectionEffects(store, second ?? first, report);
  await updateProblems(store, first, report);
  await codingProblems(store, first, report);
  if (store.remove === undefined) return found;
  const removed = await call(store.remove, first.path, report);
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
  let { response: last } = await readProblem(store, second, report);
  for (const { draft } of [first, second]) {
    const replaced = store.replace && (await call(store.replace, second.path, report, draft));
    if (replaced === undefined || !isSuccess(replaced.response.status)) return;
    report(replaced, keyProblem(store, second, replaced.response) ?? otherValue(draft, replaced.response));
    await listProblems(store, { ...second, draft }, report);
    const read = await readProblem(store, { ...second, draft }, report);
    const problem =
      read.problem ??
      (draft === first.draft ? leftOverProblem(second.draft, draft, read.response) : undefined);
    report(read, problem, "after the record was replaced, ");
    const [before, after] = [last, read.response].map(({ headers }) => headerOf(headers, "etag"));
    // RFC 9110, section 8.8.
    if (
      after !== undefined &&
      after === before &&
      !last.body.every((byte, at) => byte === read.response.body[at])
    )
      report(read, "the record was replaced, but its ETag is the same");
    last = read.response;
  }
  const kept = await readProblem(store, first, report);
  report(kept, kept.problem, "after another record was replaced, ");
}

/** A request that is rejected changes nothing (RFC 9110, section 15.5). */
async function rejectionEffects(store: Store, stored: Stored, report: Report): Promise<void> {
  const { create, replace, remove, list } = store;
  const listed = async () => list && keysIn(store, (await call(list, stored.path, report)).response);
  const before = await listed();
  for (const on of [create, replace, remove]) {
    if (on === undefined) continue;
    const base = on.drafts.base();
    const wrong = [
      ...invalidDrafts(on, "body").slice(0, 3),
      ...(on.operation.security.length > 0 && base ? [{ ...base, credentials: [] }] : []),
    ];
    for (const draft of wrong) {
      const { path } = stored;
      const request = writeRequest(on.operation, {
        ...draft,
        parameters: { ...on.drafts.present(draft).parameters, path },
      });
      const { response } = await exchanged(on, request);
      // If the service accepts the request, that is reported elsewhere.
      if (isSuccess(response.status)) continue;
      const kept = await readProblem(store, stored, report);
      report(
        { request, response },
        kept.problem,
        `after ${request.method} was rejected with ${response.status}, `,
      );
      if (kept.problem !== undefined) return;
    }
  }
  const after = await listed();
  const last = list && after && before && (await call(list, stored.path, report));
  if (last && before && after && after.length > before.length && before.length < pageSizeOf(list.operation))
    report(
      last,
      `after rejected requests, the list has ${after.length} records in place of ${before.length}`,
    );
}

/** PATCH changes the values that are sent, and no others (RFC 5789). */
async function updateProblems(store: Store, stored: Stored, report: Report): Promise<void> {
  const { update } = store;
  const [base, full = base] = update === undefined ? [] : differentBodies(update);
  const [sent, old] = [full?.value, stored.draft.value].map((each) => unwrapped(each ?? null));
  if (update === undefined || !isObject(sent) || !isObject(old)) return;
  const updated = await call(update, stored.path, report, full);
  if (!isSuccess(updated.response.status)) return;
  const others = Object.entries(old).filter(([name]) => !Object.hasOwn(sent, name));
  for (const value of [sent, Object.fromEntries(others)]) {
    const read = await readProblem(store, { ...stored, draft: { ...stored.draft, value } }, report);
    report(read, read.problem, "after the record was changed with PATCH, ");
  }
}

/** A service that does not know a content coding may store it (RFC 9110, section 8.4). */
async function codingProblems(
  { create, read }: Store,
  { draft, path }: Stored,
  report: Report,
): Promise<void> {
  if (draft.body === undefined || draft.value === undefined || /json|form/.test(draft.body.mediaType)) return;
  const bytes = gzipSync(draft.body.bytes);
  const body = { ...draft.body, bytes };
  const request = writeRequest(create.operation, {
    ...draft,
    parameters: { ...draft.parameters, path },
    body,
  });
  const coded = { ...request, headers: [...request.headers, ["Content-Encoding", "gzip"] as const] };
  const { response } = await exchanged(create, coded);
  const stored = isSuccess(response.status) ? await call(read, path, report) : undefined;
  const isSame = stored !== undefined && bytes.equals(stored.response.body);
  if (isSame && headerOf(stored.response.headers, "content-encoding") === undefined)
    report(stored, "the record is compressed with gzip, but has no Content-Encoding");
}

/** The response to a PUT is what the service stores, if it has the names that were sent (RFC 9110, section 9.3.4). */
async function representationProblems(on: Subject, drafts: readonly Draft[], report: Report): Promise<void> {
  let before: Draft | undefined;
  for (const draft of drafts) {
    const request = await ready(on, draft);
    const { response } = await exchanged(on, request);
    if (!isSuccess(response.status)) continue;
    report({ request, response }, representationProblem(on, draft, response));
    report({ request, response }, before && leftOverProblem(before, draft, response));
    before = draft;
  }
}

/** A PATCH that is rejected changes nothing (RFC 5789, section 2). */
async function patchEffects(on: Subject, drafts: readonly Draft[], report: Report): Promise<void> {
  const { method, path } = on.operation;
  const reader = on.all.find(({ operation }) => operation.method === "GET" && operation.path === path);
  const wrong = on.drafts.parts
    .filter(({ place }) => place.in === "body")
    .flatMap((part) =>
      part.constraints
        .filter(({ steps, verdict }) => steps.length > 0 && verdict !== "valid")
        .map((each) => on.drafts.draftsFor(part, each)[0]),
    )
    .filter((draft) => draft !== undefined);
  for (const draft of reader === undefined ? [] : drafts) {
    await exchanged(on, await ready(on, draft));
    const at = on.drafts.present(draft).parameters.path ?? {};
    const read = async () => (reader === undefined ? undefined : call(reader, at, report));
    for (const invalid of [...wrong.slice(0, 2), ...wrong.slice(-2)]) {
      const [before, again] = [await read(), await read()];
      const request = await ready(on, invalid);
      const { response } = await exchanged(on, request);
      const after = await read();
      const [first, second, last] = [before, again, after].map((each) => each && jsonIn(each.response.body));
      const isStable = first !== undefined && isDeepStrictEqual(first, second);
      if (response.status < 400 || !isStable || isDeepStrictEqual(first, last)) continue;
      report(
        { request, response },
        `after ${method} was rejected with ${response.status}, the record is another one`,
      );
      return;
    }
  }
}

async function removalProblems(
  store: Store,
  first: Stored,
  second: Stored | undefined,
  report: Report,
): Promise<void> {
  const gone = await call(store.read, first.path, report);
  const { status } = gone.response;
  if (status < 400 || status >= 500) report(gone, `the record was deleted, but reading it returns ${status}`);
  const list = store.list && (await call(store.list, first.path, report));
  if (list && keysIn(store, list.response).includes(keyOf(store, first)))
    report(list, "the record was deleted, but the list has it");
  for (const on of [store.remove, store.replace]) {
    const again = on && (await call(on, first.path, report, first.draft));
    if (again && again.response.status >= 500)
      report(
        again,
        `the record was deleted, and the response to ${again.request.method} is ${again.response.status}`,
      );
  }
  if (second === undefined || JSON.stringify(second.path) === JSON.stringify(first.path)) return;
  const third = store.key && (await created(store, first.draft));
  if (third !== undefined && JSON.stringify(third.path) === JSON.stringify(second.path))
    report(third, "after a record was deleted, the new record has the identifier of another one");
  const kept = await readProblem(store, second, report);
  report(kept, kept.problem, "after another record was deleted, ");
}

async function listProblems(store: Store, stored: Stored, report: Report): Promise<void> {
  if (store.list === undefined) return;
  const list = await call(store.list, stored.path, report);
  const keys = keysIn(store, list.response);
  const key = keyOf(store, stored);
  if (keys.includes("")) return;
  if (keys.includes(key)) {
    if (keys.indexOf(key) !== keys.lastIndexOf(key)) report(list, "the list has the record twice");
    const item = listIn(jsonIn(list.response.body))?.[keys.indexOf(key)] ?? null;
    const pointer = differenceIn(unwrapped(stored.draft.value ?? null), item, undefined);
    report(list, pointer && `the list does not have the value at ${pointer} that was sent`);
    return;
  }
  if (isSuccess(list.response.status) && keys.length < pageSizeOf(store.list.operation))
    report(list, `the record was created, but the list of ${keys.length} records does not have it`);
}
