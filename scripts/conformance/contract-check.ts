/**
 * Checks a request and its response against a contract. It works on the bytes as they were sent, and does not rely on
 * the checks of the server.
 */
import type {
  Contract,
  OperationContract,
  Problem,
  ResponseContract,
  ResponseContracts,
} from "../../generated/contract.ts";
import { kindOf, matchType, mediaTypeOf } from "../../server/contract/media-type.ts";
import { byConcreteness, parameterReader, pathMatcher } from "../../server/contract/parameters.ts";
import { Refusal, type RequestProblem } from "../../server/contract/request.ts";
import { bodyReader } from "../../server/contract/request-body.ts";
import { contractOf } from "../../server/contract/response.ts";
import { readStyled } from "../../server/contract/texts.ts";
import { pointerTo } from "../openapi/document.ts";

export type Headers = readonly (readonly [name: string, value: string])[];

export interface SentRequest {
  readonly method: string;
  /** The path below the base URL, with the query. */
  readonly target: string;
  readonly headers: Headers;
  readonly content: Uint8Array;
}

export interface ReceivedAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly content: Uint8Array;
}

/** `pointer` is a JSON pointer (RFC 6901) into the content, or to the parameter or header by its name. */
export interface RequestFault extends Problem {
  readonly in: RequestProblem["in"] | "address" | "method" | "credential" | "media type" | "content";
}

export interface AnswerFault extends Problem {
  readonly in: "status" | "media type" | "header" | "content" | "body";
}

export interface Judgement {
  /** Undefined if the request matches no operation. */
  readonly operationId: string | undefined;
  readonly request: readonly RequestFault[];
  /** Compared with the responses of the operation, or with those to unmatched requests. */
  readonly answer: readonly AnswerFault[];
  /** Whether a request with faults was answered by a success. */
  readonly isWronglyAccepted: boolean;
}

export async function judgeExchange(
  contract: Contract,
  request: SentRequest,
  answer: ReceivedAnswer,
): Promise<Judgement> {
  const found = matchRequest(contract, request);
  const operation = found.operationId === undefined ? undefined : contract.operations[found.operationId];
  const faults = operation ? await requestFaults(operation, request) : found.faults;
  return {
    operationId: found.operationId,
    request: faults,
    answer: answerFaults(operation?.responses ?? contract.unmatched, request.method, answer),
    isWronglyAccepted: faults.length > 0 && answer.status >= 200 && answer.status < 300,
  };
}

interface Match {
  readonly operationId: string | undefined;
  /** The raw texts of the path parameters. */
  readonly path?: { readonly [name: string]: string };
  readonly faults: readonly RequestFault[];
}

interface Route {
  readonly operationId: string;
  readonly operation: OperationContract;
  readonly match: ReturnType<typeof pathMatcher>;
}

const routes = new WeakMap<Contract, readonly Route[]>();

/** The most concrete first. Sorted and compiled once: a recording asks for a contract's as often as it has entries. */
function routesOf(contract: Contract): readonly Route[] {
  const known = routes.get(contract);
  if (known !== undefined) return known;
  const made = Object.entries(contract.operations)
    .toSorted(([, left], [, right]) => byConcreteness(left.path, right.path))
    .map(([operationId, operation]) => ({ operationId, operation, match: pathMatcher(operation.path) }));
  routes.set(contract, made);
  return made;
}

/** HEAD counts as GET (RFC 9110, section 9.3.2). */
export function matchRequest(
  contract: Contract,
  { method, target }: Pick<SentRequest, "method" | "target">,
): Match {
  const path = pathOf(target);
  const candidates = routesOf(contract).flatMap(({ operationId, operation, match }) => {
    const texts = match(path);
    return texts === undefined ? [] : [{ operationId, path: texts, operation }];
  });
  const [first] = candidates;
  if (first === undefined) return unmatched("address", "is not documented");
  // The most concrete path wins, whatever its methods.
  const asked = method === "HEAD" ? "GET" : method;
  const own = candidates.find(
    ({ operation }) => operation.path === first.operation.path && operation.method === asked,
  );
  return own ? { ...own, faults: [] } : unmatched("method", "is not documented for this address");
}

function unmatched(place: "address" | "method", message: string): Match {
  return { operationId: undefined, faults: [{ in: place, pointer: "", message }] };
}

async function requestFaults(operation: OperationContract, request: SentRequest): Promise<RequestFault[]> {
  const faults: RequestFault[] = [];
  const problems: RequestProblem[] = [];
  const path = pathOf(request.target);
  const query = queryOf(request.target);
  const header = (name: string) => headerOf(request.headers, name);
  if (!hasCredential(operation, query, header))
    faults.push({ in: "credential", pointer: "", message: "is required" });
  parameterReader(operation)({ path, query, header }, problems);
  return [...faults, ...problems, ...(await contentFaults(operation, request))];
}

function pathOf(target: string): string {
  return target.split(/[?#]/, 1)[0] ?? "";
}

function queryOf(target: string): string {
  return target.replace(/#.*$/s, "").replace(/^[^?]*\??/, "");
}

/** Whether all credentials of one alternative are present. It cannot be seen whether they are valid. */
function hasCredential(
  { security }: OperationContract,
  query: string,
  header: (name: string) => string | undefined,
): boolean {
  if (security.length === 0) return true;
  return security.some((alternative) =>
    alternative.every(({ sent }) => {
      if (sent === "unknown") return true;
      if (sent === "basic") return /^basic +\S/i.test(header("authorization") ?? "");
      if (sent === undefined) return /^bearer +\S/i.test(header("authorization") ?? "");
      if (sent.in === "query") return new URLSearchParams(query).has(sent.name);
      if (sent.in === "header") return header(sent.name) !== undefined;
      return (header("cookie") ?? "").split(";").some((pair) => pair.trim().startsWith(`${sent.name}=`));
    }),
  );
}

async function contentFaults(operation: OperationContract, request: SentRequest): Promise<RequestFault[]> {
  const problems: RequestProblem[] = [];
  const header = (name: string) => headerOf(request.headers, name);
  try {
    await bodyReader(operation.content)({ header }, request.content, problems);
    return problems;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    if (error.detail.reason === "media_type_unsupported")
      return [{ in: "media type", pointer: "", message: "is not a documented one" }];
    return [{ in: "content", pointer: "", message: "cannot be read as its media type" }];
  }
}

export function answerFaults(
  contracts: ResponseContracts,
  method: string,
  { status, headers, content }: ReceivedAnswer,
): AnswerFault[] {
  const contract = contractOf(contracts, status);
  if (contract === undefined) return [{ in: "status", pointer: "", message: `${status} is not documented` }];
  return [
    ...headerFaults(contract, headers),
    ...(method === "HEAD" ? [] : answeredContentFaults(contract, headerOf(headers, "content-type"), content)),
  ];
}

export function inWords({ in: place, pointer, message }: RequestFault | AnswerFault): string {
  return [place, pointer, message].filter((each) => each !== "").join(" ");
}

/** The key of a documented status: the status, its class, or `default`. */
export function documentedStatus(keys: readonly string[], status: number): string | undefined {
  return [String(status), `${Math.trunc(status / 100)}XX`, "default"].find((key) => keys.includes(key));
}

/** Framing, connections and representation (RFC 9110, RFC 9112). */
const headersOfHttp = [
  "connection",
  "content-encoding",
  "content-length",
  "content-type",
  "date",
  "keep-alive",
  "transfer-encoding",
  "vary",
];

/**
 * The headers of a response that the contract does not declare.
 *
 * @param permitted headers that are not reported; undefined for all
 */
export function undeclaredHeaders(
  contracts: ResponseContracts,
  { status, headers }: ReceivedAnswer,
  permitted: readonly string[] | undefined,
): string[] {
  const contract = contractOf(contracts, status);
  if (contract === undefined || permitted === undefined) return [];
  const known = new Set(
    [...headersOfHttp, ...permitted, ...contract.headers.map(({ name }) => name)].map((name) =>
      name.toLowerCase(),
    ),
  );
  return [...new Set(headers.map(([name]) => name))].filter((name) => !known.has(name.toLowerCase()));
}

function headerFaults(contract: ResponseContract, headers: Headers): AnswerFault[] {
  return contract.headers.flatMap((header): AnswerFault[] => {
    const text = headerOf(headers, header.name);
    const pointer = pointerTo("", header.name);
    if (text === undefined) return header.required ? [{ in: "header", pointer, message: "is required" }] : [];
    const read = readStyled(header.name, header, "simple", { texts: [text], decode: (each) => each.trim() });
    if (read !== undefined && "problem" in read) return [{ in: "header", pointer, message: read.problem }];
    const problems: Problem[] = [];
    header.validate(read?.value, problems);
    return problems.map((problem) => ({
      in: "header",
      pointer: pointer + problem.pointer,
      message: problem.message,
    }));
  });
}

function answeredContentFaults(
  { mediaTypes }: ResponseContract,
  contentType: string | undefined,
  content: Uint8Array,
): AnswerFault[] {
  const documented = Object.keys(mediaTypes);
  if (documented.length === 0)
    return content.byteLength === 0 ? [] : [{ in: "content", pointer: "", message: "is not documented" }];
  const found = contentType === undefined ? undefined : matchType(contentType, documented);
  if (found === undefined) {
    const message = contentType === undefined ? "is missing" : "is not a documented one";
    return [{ in: "media type", pointer: "", message }];
  }
  if (kindOf(found.essence) === "json" && !isOfUtf8(contentType, documented))
    return [{ in: "media type", pointer: "", message: "names a charset other than UTF-8" }];
  const read = readContent(found.essence, content);
  if (read === undefined)
    return [{ in: "content", pointer: "", message: `cannot be read as ${found.essence}` }];
  const problems: Problem[] = [];
  mediaTypes[found.key]?.validate?.(read.value, problems);
  return problems.map((problem) => ({ in: "body", ...problem }));
}

/** JSON is UTF-8 (RFC 8259, section 8.1). */
function isOfUtf8(contentType: string | undefined, documented: readonly string[]): boolean {
  try {
    mediaTypeOf(contentType, documented);
    return true;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return false;
  }
}

/** The value of a body; undefined if it is not of the media type. Schemas treat bytes as strings. */
export function readContent(essence: string, content: Uint8Array): { readonly value: unknown } | undefined {
  const kind = kindOf(essence);
  if (kind !== "json" && kind !== "text") return { value: "\0".repeat(content.byteLength) };
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(content);
    return { value: kind === "json" ? JSON.parse(text) : text };
  } catch {
    return undefined;
  }
}

/** Lines with the same name form a list (RFC 9110, section 5.3). */
export function headerOf(headers: Headers, name: string): string | undefined {
  const values = headers.filter(([each]) => each.toLowerCase() === name.toLowerCase());
  return values.length === 0 ? undefined : values.map(([, value]) => value).join(", ");
}
