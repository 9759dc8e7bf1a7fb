/** Reads records and lists, and describes how they differ from what was sent. */
import { listOf, valueAt } from "../../openapi/document.ts";
import { type SchemaNode, valuesOfKeyword } from "../../openapi/schema/schema-node.ts";
import { type HttpResponse, headerOf, jsonIn } from "../exchange.ts";
import { responseFor } from "../exchange-check.ts";
import { matchingMediaType, parseMediaType } from "../media-types.ts";
import type { OperationModel, ParameterModel } from "../operation-model.ts";
import { type Draft, writeRequest } from "../requests.ts";
import { pathOf } from "../routes.ts";
import { differenceIn, leftOver, lostIn, unwrapped } from "./record-differences.ts";
import { keyIn, listIn, matchedLocation, type Store, type Stored } from "./stores.ts";
import { type Exchange, exchanged, isSuccess, type Subject } from "./trials.ts";

/** @param when what was done before */
export type Report = (exchange: Exchange, problem: string | undefined, when?: string) => void;

export function leftOverProblem(before: Draft, { value }: Draft, { body }: HttpResponse): string | undefined {
  const name = leftOver(before.value ?? null, value ?? null, jsonIn(body));
  return name && `the record still has /${name}, which was left out`;
}

/** A list with fewer records has all of them. */
export function pageSizeOf({ parameters }: OperationModel): number {
  const query = parameters.filter((each) => each.in === "query");
  // A required parameter may select other records.
  if (query.some(({ required }) => required)) return 0;
  const sizes = query
    .flatMap(({ node }) => valuesOfKeyword(node, "default"))
    .filter((each) => Number(each) > 1);
  // Without parameters, a service may still have a limit, but hardly a smaller one.
  return query.length === 0 ? 10 : Math.min(...sizes.map(Number), ...(sizes.length === 0 ? [0] : []));
}

export function keyOf({ key }: Store, { path }: Stored): string {
  return String(key && path[key.name]);
}

/** The identifiers of the items of a list. An item without an identifier has an empty one. */
export function keysIn({ key }: Store, { body }: HttpResponse): string[] {
  return (listIn(jsonIn(body)) ?? [null]).map((item) => String((key && keyIn(item, key)) ?? ""));
}

/** Calls an operation on a record, with the parameters that it requires. */
export async function call(on: Subject, path: Stored["path"], report: Report, given = on.drafts.base()) {
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
  const { response, problems } = await exchanged(on, request);
  for (const problem of problems) report({ request, response }, problem);
  return { request, response };
}

export async function readProblem(store: Store, stored: Stored, report: Report) {
  const { request, response } = await call(store.read, stored.path, report);
  const { status } = response;
  const problem = isSuccess(status)
    ? (representationProblem(store.read, stored.draft, response) ?? keyProblem(store, stored, response))
    : `the record is not stored: reading it returns ${status}`;
  return { request, response, problem };
}

/** How the response differs from the body that was sent. */
export function representationProblem(
  { operation }: Subject,
  draft: Draft,
  response: HttpResponse,
): string | undefined {
  const { status, headers } = response;
  const type = headerOf(headers, "content-type") ?? "";
  const { essence } = parseMediaType(type);
  const isSameType = draft.body !== undefined && parseMediaType(draft.body.mediaType).essence === essence;
  const isLost = isSameType && !/json$/.test(essence) && !Buffer.from(draft.body.bytes).equals(response.body);
  if (isLost) return "the record has other bytes than were sent";
  const documented = responseFor(operation.responses, status)?.mediaTypes ?? [];
  return otherValue(draft, response, matchingMediaType(type, documented)?.node);
}

/** @param node the schema of a response that must have all values that were sent */
export function otherValue(
  { value, body: draftBody }: Draft,
  { status, body }: HttpResponse,
  node?: SchemaNode,
): string | undefined {
  const read = isSuccess(status) ? jsonIn(body) : undefined;
  const isMerged = draftBody?.mediaType.startsWith("application/merge-patch+json");
  const pointer =
    read === undefined || value === undefined
      ? undefined
      : ((isMerged ? lostIn(value, read) : undefined) ?? differenceIn(unwrapped(value), read, node));
  return pointer && `the record does not have the value at ${pointer} that was sent`;
}

export function keyProblem(store: Store, stored: Stored, { body }: HttpResponse): string | undefined {
  const found = store.key && keyIn(jsonIn(body), store.key);
  const isSame = found === undefined || String(found) === keyOf(store, stored);
  return isSame ? undefined : `the record has the identifier ${JSON.stringify(found)}`;
}

export function locationProblem({ key, read }: Store, { response }: Stored): string | undefined {
  const location = headerOf(response.headers, "location");
  if (key === undefined || location === undefined || response.status !== 201) return undefined;
  const { url, document } = read.service;
  const servers = [url, ...listOf(valueAt(document, "/servers")).map((each) => valueAt(each, "/url"))];
  const prefixes = servers.map((each) =>
    pathOf(new URL(String(each), "http://host").pathname).replace(/\/$/, ""),
  );
  const { prefix } = matchedLocation(response, read.operation.path) ?? {};
  // A gateway may remove the path of a server.
  const isRight =
    url === undefined ? prefix !== undefined : [...prefixes, ""].some((each) => each === prefix);
  return isRight ? undefined : `header /Location does not lead to ${read.operation.path}`;
}
