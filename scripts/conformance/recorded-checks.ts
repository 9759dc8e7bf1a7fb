/**
 * Checks recorded traffic as the suite checks its own: every response must be documented, and a request that breaks the
 * document must be rejected. Notes count what a recording does not hold.
 */
import type { Contract } from "../../generated/contract.ts";
import { isObject, type JsonObject, tokensOf, valueAt } from "../openapi/document.ts";
import { type CheckResult, NothingCheckedError, type ReportedFinding } from "./conform-report.ts";
import {
  type AnswerFault,
  headerOf,
  inWords,
  judgeExchange,
  matchRequest,
  type RequestFault,
} from "./contract-check.ts";
import type { ContractOfDocument } from "./contract-of-document.ts";
import type { RecordedExchange, RecordedMessage } from "./har.ts";
import { hideSecretsOf, isRedacted, jsonIn } from "./redaction.ts";

const check = "matches the recorded requests and responses";

/** @param urls where the API is; the servers of the document if there is none */
export async function checkRecording(
  { contract, document }: ContractOfDocument,
  urls: readonly string[],
  recording: readonly RecordedExchange[],
): Promise<{ results: CheckResult[]; notes: string[] }> {
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
  const hasCredentials = own.some((exchange) => carriesCredential(contract, exchange));
  const results = new Map<string | undefined, CheckResult & { findings: ReportedFinding[] }>();
  for (const exchange of own) {
    const { index, method, url, answer } = exchange;
    const { operationId, path } = matchRequest(contract, exchange);
    if (answer === undefined) skip("entry without a response");
    else if (isPreflight(contract, { ...exchange, answer })) skip("CORS preflight request");
    else {
      const found: ReportedFinding[] = [];
      const result = results.get(operationId) ?? { operationId, check, statuses: new Map(), findings: found };
      results.set(operationId, result);
      result.statuses.set(answer.status, (result.statuses.get(answer.status) ?? 0) + 1);
      const hide = hideSecretsOf(contract, exchange, path);
      const request = hide(`entry ${index}: ${method} ${url.origin}${url.pathname}`);
      for (const message of await messagesOf(contract, { ...exchange, answer }, hasCredentials, skip))
        result.findings.push({ request, message: hide(message) });
    }
  }
  const notes = [...unchecked].map(([what, count]) => `not checked: ${what} ×${count}`);
  return { results: [...results.values()], notes };
}

type Answered = RecordedExchange & { readonly target: string } & {
  readonly answer: NonNullable<RecordedExchange["answer"]>;
};

async function messagesOf(
  contract: Contract,
  { method, url, target, request, answer }: Answered,
  hasCredentials: boolean,
  skip: (what: string) => void,
): Promise<string[]> {
  const nothing = new Uint8Array();
  const judged = await judgeExchange(
    contract,
    { ...request, method, target, content: request.content ?? nothing },
    { ...answer, content: answer.content ?? nothing },
  );
  if (request.content === undefined) skip("request body that was not recorded");
  if (answer.content === undefined) skip("response body that was not recorded");
  const isRecorded = (fault: RequestFault | AnswerFault, message: RecordedMessage): boolean => {
    if (message.content === undefined && isOfBody(fault, message)) return false;
    // Browsers leave credentials out of what they export.
    const isLeftOut = fault.in === "credential" && !hasCredentials;
    if (isLeftOut) skip("credential, because the recording holds none");
    const isHidden = isRedacted(recordedValue(fault, message, url));
    if (isHidden) skip("value that was redacted");
    return !isLeftOut && !isHidden;
  };
  const accepted = judged.isWronglyAccepted
    ? judged.request.filter((fault) => isRecorded(fault, request))
    : [];
  // No response is documented for a request that should not have been accepted.
  const answered = judged.operationId === undefined && accepted.length > 0 ? [] : judged.answer;
  return [
    ...accepted.map((fault) => `was accepted with ${answer.status}, although ${inWords(fault)}`),
    ...answered
      .filter((fault) => isRecorded(fault, answer))
      .map((fault) => `response ${answer.status}: ${inWords(fault)}`),
  ];
}

function isOfBody(fault: RequestFault | AnswerFault, { headers }: RecordedMessage): boolean {
  if (fault.in === "media type") return headerOf(headers, "content-type") === undefined;
  return fault.in === "body" || fault.in === "content";
}

/** The value at the place of an error; undefined if that is not one text. */
function recordedValue(
  { in: place, pointer }: RequestFault | AnswerFault,
  { headers, content }: RecordedMessage,
  url: URL,
): unknown {
  const [name = ""] = tokensOf(pointer);
  if (place === "header") return headerOf(headers, name);
  if (place === "query") return url.searchParams.get(name);
  return place === "body" && content !== undefined ? valueAt(jsonIn(content), pointer) : undefined;
}

/** True if the request has a value where any operation expects a credential. */
function carriesCredential({ operations }: Contract, { request, url }: RecordedExchange): boolean {
  const schemes = Object.values(operations).flatMap(({ security }) => security.flat());
  const named = schemes.flatMap(({ sent }) => (typeof sent === "object" ? [sent.name] : []));
  return ["Authorization", "Cookie", ...named].some(
    (name) => headerOf(request.headers, name) !== undefined || url.searchParams.has(name),
  );
}

/** The request that a browser sends before a request to another origin (Fetch standard, "CORS preflight"). */
function isPreflight(contract: Contract, { method, target, request, answer }: Answered): boolean {
  const asked = headerOf(request.headers, "access-control-request-method");
  if (method !== "OPTIONS" || asked === undefined || answer.status >= 300) return false;
  return matchRequest(contract, { method: asked, target }).operationId !== undefined;
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
