/**
 * Checks recorded traffic as the suite checks its own: every response must be documented, and a request that breaks the
 * document must be rejected. Notes count what was not checked.
 */
import { isObject, type JsonObject, tokensOf, valueAt } from "../openapi/document.ts";
import { type CheckResult, NothingCheckedError, type ReportedFinding } from "./conform-report.ts";
import { headerOf, inWords, jsonIn, type Problem } from "./exchange.ts";
import { checkExchange } from "./exchange-check.ts";
import type { RecordedExchange, RecordedMessage } from "./har.ts";
import { modelOf, type ServiceModel } from "./operation-model.ts";
import { hideSecretsOf, isRedacted } from "./redaction.ts";
import { matchRequest } from "./routes.ts";

const check = "matches the recorded requests and responses";

/** @param urls where the API is; the servers of the document if there is none */
export function checkRecording(
  document: JsonObject,
  urls: readonly string[],
  recording: readonly RecordedExchange[],
): { results: CheckResult[]; notes: string[] } {
  const model = modelOf(document);
  const bases = urls.length > 0 ? urls : serversOf(document);
  const unchecked = new Map<string, number>();
  const skip = (what: string): void => void unchecked.set(what, (unchecked.get(what) ?? 0) + 1);
  const own: (RecordedExchange & { target: string })[] = [];
  for (const exchange of recording) {
    const target = targetBelow(bases, exchange.url);
    if (target === undefined) skip(`entry of ${exchange.url.host || exchange.url.protocol}`);
    else own.push({ ...exchange, target });
  }
  if (own.length === 0)
    throw new NothingCheckedError(
      `the recording has no entry of ${bases.join(" or ")}, but ${[...unchecked.keys()].join(", ")}; name the API with --url URL`,
    );
  const hasCredentials = own.some((exchange) => hasCredential(model, exchange));
  const results = new Map<string | undefined, CheckResult & { findings: ReportedFinding[] }>();
  for (const exchange of own) {
    const { index, method, url, response } = exchange;
    const { operation } = matchRequest(model, exchange);
    if (response === undefined) skip("entry without a response");
    else if (isPreflight(model, { ...exchange, response })) skip("CORS preflight request");
    else {
      const found: ReportedFinding[] = [];
      const operationId = operation?.id;
      const result = results.get(operationId) ?? { operationId, check, statuses: new Map(), findings: found };
      results.set(operationId, result);
      result.statuses.set(response.status, (result.statuses.get(response.status) ?? 0) + 1);
      const hide = hideSecretsOf(model, exchange, operation);
      const request = hide(`entry ${index}: ${method} ${url.origin}${url.pathname}`);
      for (const message of messagesOf(model, { ...exchange, response }, hasCredentials, skip))
        result.findings.push({ request, message: hide(message) });
    }
  }
  const notes = [...unchecked].map(([what, count]) => `not checked: ${what} ×${count}`);
  return { results: [...results.values()], notes };
}

type CompleteExchange = RecordedExchange & { readonly target: string } & {
  readonly response: NonNullable<RecordedExchange["response"]>;
};

function messagesOf(
  model: ServiceModel,
  { method, url, target, request, response }: CompleteExchange,
  hasCredentials: boolean,
  skip: (what: string) => void,
): string[] {
  const nothing = new Uint8Array();
  const checked = checkExchange(
    model,
    { ...request, method, target, content: request.content ?? nothing },
    { ...response, content: response.content ?? nothing },
  );
  if (request.content === undefined) skip("request body that was not recorded");
  if (response.content === undefined) skip("response body that was not recorded");
  const isRecorded = (problem: Problem, message: RecordedMessage): boolean => {
    if (message.content === undefined && isOfBody(problem, message)) return false;
    // Browsers leave credentials out of what they export.
    const isLeftOut = problem.in === "credential" && !hasCredentials;
    if (isLeftOut) skip("credential, because the recording holds none");
    const isHidden = isRedacted(recordedValue(problem, message, url));
    if (isHidden) skip("value that was redacted");
    return !isLeftOut && !isHidden;
  };
  const accepted = checked.isWronglyAccepted
    ? checked.request.filter((problem) => isRecorded(problem, request))
    : [];
  // No response is documented for a request that should not have been accepted.
  const wrong = checked.operationId === undefined && accepted.length > 0 ? [] : checked.response;
  return [
    ...accepted.map((problem) => `was accepted with ${response.status}, although ${inWords(problem)}`),
    ...wrong
      .filter((problem) => isRecorded(problem, response))
      .map((problem) => `response ${response.status}: ${inWords(problem)}`),
  ];
}

function isOfBody({ in: place }: Problem, { headers }: RecordedMessage): boolean {
  if (place === "media type") return headerOf(headers, "content-type") === undefined;
  return place === "body" || place === "content";
}

/** The value at the place of an error; undefined if that is not one text. */
function recordedValue(
  { in: place, pointer }: Problem,
  { headers, content }: RecordedMessage,
  url: URL,
): unknown {
  const [name = ""] = tokensOf(pointer);
  if (place === "header") return headerOf(headers, name);
  if (place === "query") return url.searchParams.get(name);
  return place === "body" && content !== undefined ? valueAt(jsonIn(content), pointer) : undefined;
}

/** True if the request has a value where any operation expects a credential. */
function hasCredential({ operations }: ServiceModel, { request, url }: RecordedExchange): boolean {
  const schemes = operations.flatMap(({ security }) => security.flat());
  const named = schemes.flatMap(({ sent }) => (typeof sent === "object" ? [sent.name] : []));
  return ["Authorization", "Cookie", ...named].some(
    (name) => headerOf(request.headers, name) !== undefined || url.searchParams.has(name),
  );
}

/** The request that a browser sends before a request to another origin (Fetch standard, "CORS preflight"). */
function isPreflight(model: ServiceModel, { method, target, request, response }: CompleteExchange): boolean {
  const asked = headerOf(request.headers, "access-control-request-method");
  if (method !== "OPTIONS" || asked === undefined || response.status >= 300) return false;
  return matchRequest(model, { method: asked, target }).operation !== undefined;
}

function serversOf({ servers }: JsonObject): string[] {
  const found = (Array.isArray(servers) ? servers : []).flatMap((server) =>
    isObject(server) && URL.canParse(String(server.url))
      ? [new URL(String(server.url)).href.replace(/\/+$/, "")]
      : [],
  );
  if (found.length === 0)
    throw new NothingCheckedError("the document names no server with a host; name the API with --url URL");
  return found;
}

/** The path and query below one of the URLs; undefined for a request to another server. */
function targetBelow(bases: readonly string[], { origin, pathname, search }: URL): string | undefined {
  const whole = origin + pathname;
  const base = bases
    .filter((each) => whole === each || whole.startsWith(`${each}/`))
    .toSorted((left, right) => right.length - left.length)[0];
  return base === undefined ? undefined : (whole.slice(base.length) || "/") + search;
}
