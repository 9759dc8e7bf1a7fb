/**
 * Which operations pages of other origins may call (Fetch standard, "CORS protocol"): those whose security a
 * page can satisfy with its roles. Cookies are never allowed, so a page sends only what its script sets.
 */
import type { OperationContract, ResponseContract, SecurityRequirement } from "../../generated/contract.ts";

export interface CrossOrigin {
  /** As browsers send them; `*` for every origin. */
  readonly origins: "*" | readonly string[];
  readonly roles: readonly string[];
  /** Request headers that the application reads in addition to the contract's. */
  readonly requestHeaders: readonly string[];
}

/** In seconds. Browsers cache a preflight's response for at most two hours. */
const maxAgeSeconds = 7200;
/** Scripts may read these in any response (Fetch standard, "CORS-safelisted response-header name"). */
const readByAnyone = new Set([
  "cache-control",
  "content-language",
  "content-length",
  "content-type",
  "expires",
  "last-modified",
  "pragma",
]);

/** True if one alternative of the operation's security needs only what a page has. */
export function isOpenToPages({ security }: OperationContract, roles: readonly string[]): boolean {
  const isMet = ({ roles: needed, sent }: SecurityRequirement): boolean =>
    sent !== "unknown" &&
    !(typeof sent === "object" && sent.in === "cookie") &&
    needed.every((role) => roles.includes(role));
  return security.length === 0 || security.some((alternative) => alternative.every(isMet));
}

export type AdmitPage = (headers: Record<string, string>, origin: string | undefined) => void;

export function admitPages(operation: OperationContract, crossOrigin: CrossOrigin): AdmitPage {
  const responses: readonly ResponseContract[] = Object.values(operation.responses);
  const exposed = responses.flatMap(({ headers }) => headers.map(({ name }) => name));
  const exposedNames = distinct(exposed)
    .filter((name) => !readByAnyone.has(name.toLowerCase()))
    .join(", ");
  return (headers, origin) => {
    if (crossOrigin.origins !== "*") headers.Vary = headers.Vary ? `${headers.Vary}, Origin` : "Origin";
    const admitted = admittedOrigin(crossOrigin, origin);
    if (admitted === undefined) return;
    headers["Access-Control-Allow-Origin"] = admitted;
    if (exposedNames !== "") headers["Access-Control-Expose-Headers"] = exposedNames;
  };
}

interface PreflightRequest {
  readonly method: string;
  header(name: string): string | undefined;
}

/**
 * Returns the headers of a preflight's response; undefined if the request is no preflight or is not
 * permitted.
 *
 * @param operations of the request's path that are open to pages
 */
export function preflightHeaders(
  request: PreflightRequest,
  operations: readonly OperationContract[],
  crossOrigin: CrossOrigin,
): Readonly<Record<string, string>> | undefined {
  if (request.method !== "OPTIONS") return undefined;
  const admitted = admittedOrigin(crossOrigin, request.header("origin"));
  const asked = operations.find(({ method }) => method === request.header("access-control-request-method"));
  if (admitted === undefined || asked === undefined) return undefined;
  return {
    "Access-Control-Allow-Origin": admitted,
    "Access-Control-Allow-Methods": distinct(operations.map(({ method }) => method)).join(", "),
    "Access-Control-Allow-Headers": distinct([
      ...requestHeadersOf(asked),
      ...crossOrigin.requestHeaders,
    ]).join(", "),
    "Access-Control-Max-Age": String(maxAgeSeconds),
    ...(crossOrigin.origins !== "*" && { Vary: "Origin" }),
  };
}

function requestHeadersOf({ security, parameters, content }: OperationContract): string[] {
  const credentials = security.flat().flatMap(({ sent }) => {
    if (sent === undefined || sent === "basic") return ["Authorization"];
    return typeof sent === "object" && sent.in === "header" ? [sent.name] : [];
  });
  const own = parameters.filter((parameter) => parameter.in === "header").map(({ name }) => name);
  return [...credentials, ...(content === undefined ? [] : ["Content-Type"]), ...own];
}

function admittedOrigin({ origins }: CrossOrigin, origin: string | undefined): string | undefined {
  if (origin === undefined) return undefined;
  if (origins === "*") return "*";
  return origins.includes(origin) ? origin : undefined;
}

function distinct(texts: readonly string[]): string[] {
  return [...new Set(texts)];
}
