/**
 * Judges one recorded exchange. It is described where the spec says both what was asked and what was answered, or where
 * the server refused as the spec says what the spec does not permit. What was not recorded is not judged.
 */
import type { Contract, OperationContract } from "../../generated/contract.ts";
import {
  type AnswerFault,
  answerFaults,
  documentedResponse,
  headerOf,
  judgeExchange,
  matchRequest,
  type RequestFault,
} from "../conformance/exchange.ts";
import { pointerTo, tokensOf, valueAt } from "../generate/document.ts";
import type { RecordedAnswer, RecordedExchange, RecordedMessage } from "./har.ts";
import { hideSecretsOf, isRedacted, jsonIn } from "./redaction.ts";
import { undeclaredProperties, undeclaredQuery } from "./undeclared.ts";

/** One thing in an exchange that the spec does not describe. Holds no secret. */
export interface AuditFinding {
  /** Of the entry in the recording, from 0. */
  readonly entry: number;
  readonly time: string;
  readonly method: string;
  /** Without its query. */
  readonly url: string;
  /** Undefined where the request matches no operation. */
  readonly operationId: string | undefined;
  readonly status: number;
  readonly side: "request" | "answer";
  readonly in: RequestFault["in"] | AnswerFault["in"];
  /** A JSON pointer (RFC 6901) into the content, or to the parameter or header by its name. */
  readonly pointer: string;
  readonly message: string;
  readonly remedy: string;
  /** Where the spec speaks of it, or would: a JSON pointer into the document. */
  readonly spec: string;
}

/** Why something in an entry was not judged. */
export type UnjudgedReason =
  | "the content of the request was not recorded"
  | "the content of the answer was not recorded"
  | "values were redacted"
  | "no request of the recording has a credential";

export interface Verdict {
  /** None where the spec describes all that could be judged. */
  readonly findings: readonly AuditFinding[];
  readonly unjudged: ReadonlySet<UnjudgedReason>;
  readonly kind: "described" | "refused" | "preflights" | "unanswered" | "undescribed";
}

/**
 * @param target the path below the server's address, with the query
 * @param hasCredentials whether the recording holds credentials at all: browsers leave them out unless told otherwise
 */
export async function judgeRecorded(
  contract: Contract,
  exchange: RecordedExchange,
  target: string,
  hasCredentials: boolean,
): Promise<Verdict> {
  const { request, answer } = exchange;
  if (answer === undefined) return { findings: [], unjudged: new Set(), kind: "unanswered" };
  if (answer.status < 300 && isPreflight(contract, exchange, target))
    return { findings: [], unjudged: new Set(), kind: "preflights" };
  const sent = { ...request, method: exchange.method, target, content: request.content ?? nothing };
  const received = { ...answer, content: answer.content ?? nothing };
  const judgement = await judgeExchange(contract, sent, received);
  const operation = contract.operations[judgement.operationId ?? ""];

  const unjudged = new Set<UnjudgedReason>();
  const isJudged = (fault: Fault, message: RecordedMessage): boolean => {
    if (message.content === undefined && isOfContent(fault, message)) return false;
    const isUnknown = fault.in === "credential" && !hasCredentials;
    if (isUnknown) unjudged.add("no request of the recording has a credential");
    const isHidden = isRedacted(recordedValue(fault, message, exchange.url));
    if (isHidden) unjudged.add("values were redacted");
    return !isUnknown && !isHidden;
  };
  if (request.content === undefined) unjudged.add("the content of the request was not recorded");
  if (answer.content === undefined) unjudged.add("the content of the answer was not recorded");
  const asked = judgement.request.filter((fault) => isJudged(fault, request));
  const isServed = answer.status >= 200 && answer.status < 300;
  const served = isServed ? [...asked, ...queryFaults(operation, target)] : [];
  const answered = [
    // What is amiss with a served request that matches no operation is that it was served.
    ...(operation === undefined && served.length > 0
      ? []
      : faultsOfAnswer(contract, operation, exchange.method, received)),
    ...propertyFaults(operation, answer),
  ].filter((fault) => isJudged(fault, answer));

  const hide = hideSecretsOf(
    contract,
    exchange,
    matchRequest(contract, { method: exchange.method, target }).path,
  );
  const finding = (side: AuditFinding["side"], fault: Fault): AuditFinding => ({
    entry: exchange.index,
    time: exchange.time,
    method: exchange.method,
    url: hide(exchange.url.origin + exchange.url.pathname),
    operationId: judgement.operationId,
    status: answer.status,
    side,
    in: fault.in,
    pointer: hide(fault.pointer),
    message: hide(fault.message),
    remedy: side === "answer" ? remedyOfAnswer : (remedies[fault.in] ?? remedyOfRequest),
    spec: specPlace(operation, side, answer.status),
  });
  const findings = [
    ...served.map((fault) => finding("request", fault)),
    ...answered.map((fault) => finding("answer", fault)),
  ];
  const kind = findings.length > 0 ? "undescribed" : asked.length > 0 ? "refused" : "described";
  return { findings, unjudged, kind };
}

type Fault = RequestFault | AnswerFault;

const nothing = new Uint8Array();
const remedyOfAnswer = "Let the server answer as the spec says, or describe this answer there.";
const remedyOfRequest = "Let the server refuse it, or permit it in the spec.";
const remedies: { readonly [Place in Fault["in"]]?: string } = {
  address: "Describe the path in the spec, or let the server answer 404.",
  method: "Describe the operation in the spec, or let the server answer 405.",
  credential: "Let the server ask for the credential, or take it out of the operation's `security`.",
};

/** A fault that content which was not recorded seems to have. */
function isOfContent(fault: Fault, { headers }: RecordedMessage): boolean {
  if (fault.in === "media type") return headerOf(headers, "content-type") === undefined;
  return fault.in === "body" || fault.in === "content";
}

/** What stands where a fault is; undefined where that is no single text. */
function recordedValue({ in: place, pointer }: Fault, message: RecordedMessage, url: URL): unknown {
  const [name = ""] = tokensOf(pointer);
  if (place === "header") return headerOf(message.headers, name);
  if (place === "query") return url.searchParams.get(name);
  if (place === "body" && message.content !== undefined) return valueAt(jsonIn(message.content), pointer);
  return undefined;
}

/**
 * Statuses that a server answers before it has read what the request is for, such as 408, stand with those of requests
 * that match no operation.
 */
function faultsOfAnswer(
  { unmatched }: Contract,
  operation: OperationContract | undefined,
  method: string,
  answer: RecordedAnswer & { readonly content: Uint8Array },
): AnswerFault[] {
  const { status } = answer;
  const own = operation?.responses ?? unmatched;
  const isEarly = ![404, 405].includes(status) && documentedResponse(own, status) === undefined;
  const contracts = isEarly && documentedResponse(unmatched, status) !== undefined ? unmatched : own;
  return answerFaults(contracts, method, answer);
}

function queryFaults(operation: OperationContract | undefined, target: string): RequestFault[] {
  const query = target.includes("?") ? target.slice(target.indexOf("?") + 1) : "";
  const names = operation === undefined ? [] : undeclaredQuery(operation, query);
  return names.map((name) => ({ in: "query", pointer: pointerTo("", name), message: "is not declared" }));
}

function propertyFaults(operation: OperationContract | undefined, answer: RecordedAnswer): AnswerFault[] {
  const { status, headers, content } = answer;
  const mediaType = headerOf(headers, "content-type");
  if (operation === undefined || mediaType === undefined || content === undefined) return [];
  const pointers = undeclaredProperties(operation, { status, mediaType, value: jsonIn(content) });
  return pointers.map((pointer) => ({ in: "body", pointer, message: "is not declared" }));
}

/** What a browser asks before it sends a request of another origin (Fetch standard, "CORS preflight"). */
function isPreflight(contract: Contract, { method, request }: RecordedExchange, target: string): boolean {
  const asked = headerOf(request.headers, "access-control-request-method");
  if (method !== "OPTIONS" || asked === undefined) return false;
  return matchRequest(contract, { method: asked, target }).operationId !== undefined;
}

function specPlace(
  operation: OperationContract | undefined,
  side: AuditFinding["side"],
  status: number,
): string {
  if (operation === undefined) return "/paths";
  const place = pointerTo("", "paths", operation.path, operation.method.toLowerCase());
  return side === "request" ? place : pointerTo(place, "responses", status);
}
