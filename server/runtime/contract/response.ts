import {
  type HeaderContract,
  type Problem,
  type ResponseContract,
  type ResponseContracts,
  responseFor,
  type Validate,
} from "#specbind/contract";
import { isJson, matchType } from "../shared/media-type.ts";
import { discardStream, isAsyncIterable, streamOf } from "./streams.ts";
import { readStyled } from "./styles.ts";

/** `enforce` replaces a response that violates the spec, `report` only logs it, `off` skips the check. */
export type ResponsePolicy = "enforce" | "report" | "off";

export interface PlainResponse {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string | number>>;
}

/** A response as it is sent. */
export interface Reply {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: string | Uint8Array | Blob | ReadableStream | undefined;
}

/** How a response violates the contract. It has places and rules, but no values. */
export interface ResponseViolation {
  readonly operationId: string | undefined;
  readonly status: number;
  readonly problems: readonly ResponseProblem[];
  /** Set if the request was rejected. The rejection was sent unchanged, and later ones of the operation are not reported. */
  readonly isRejection?: true;
}

/** `pointer` is a JSON pointer (RFC 6901) into the body, or `/` and the name of the header. */
export interface ResponseProblem extends Problem {
  readonly in: "status" | "body" | "header";
}

export const jsonMediaType = "application/json";

type ResponseWriter = (
  response: PlainResponse,
  requestId: string,
  failed?: (error: unknown) => boolean,
) => { readonly reply: Reply; readonly problems: readonly ResponseProblem[] };

/**
 * Prepares the responses of an operation. Undeclared properties of JSON are removed.
 * The writer calls `failed` if a stream throws, see `streamOf`.
 *
 * @param isChecked `unchanged` checks the responses, and keeps bodies that are not documented
 * @param acceptQuery the value of the header `Accept-Query`, for responses that declare it
 */
export function responseWriter(
  contracts: ResponseContracts,
  isChecked: boolean | "unchanged",
  acceptQuery?: string,
): ResponseWriter {
  const byStatus = new Map<number, ResponseWriter>();
  return (response, requestId, failed) => {
    const { status } = response;
    const write = byStatus.get(status) ?? writerOf(responseFor(contracts, status), isChecked, acceptQuery);
    byStatus.set(status, write);
    return write(response, requestId, failed);
  };
}

/** Writes a response that has no contract. It is JSON, unless its headers have another media type. */
export function writeAsItIs(
  response: PlainResponse,
  requestId: string,
  failed?: (error: unknown) => boolean,
): Reply {
  const mediaType = String(headerOf(response.headers, "content-type") ?? jsonMediaType);
  return replyOf(response, requestId, response.body, mediaType, isJson(mediaType), failed);
}

function writerOf(
  contract: ResponseContract | undefined,
  isChecked: boolean | "unchanged",
  acceptQuery: string | undefined,
): ResponseWriter {
  if (contract === undefined) {
    const problem: ResponseProblem = { in: "status", pointer: "", message: "is not documented" };
    const problems = isChecked ? [problem] : [];
    return (response, requestId, failed) => ({
      reply: writeAsItIs(response, requestId, failed),
      problems,
    });
  }
  const { mediaTypes, headers } = contract;
  const keys = Object.keys(mediaTypes);
  const typed = (key: string | undefined, mediaType: string) => ({
    mediaType,
    asJson: isJson(mediaType),
    media: key === undefined ? undefined : mediaTypes[key],
  });
  const usualKey = matchType(jsonMediaType, keys)?.key ?? keys.find(isJson) ?? keys[0];
  const isBodyExpected = keys.length > 0;
  const isUnchanged = isChecked === "unchanged";
  const isQueryNamed = acceptQuery !== undefined && headers.some(({ name }) => isNamed(name, "accept-query"));
  const usual = usualKey?.includes("*") ? undefined : typed(usualKey, usualKey ?? jsonMediaType);
  return (response, requestId, failed) => {
    const given = headerOf(response.headers, "content-type") ?? (isUnchanged ? jsonMediaType : undefined);
    const { mediaType, asJson, media } =
      given !== undefined
        ? typed(matchType(String(given), keys)?.key, String(given))
        : (usual ?? typed(usualKey, mediaTypeOf(response.body)));
    // A body of an undocumented media type is not sent.
    const body = isUnchanged
      ? response.body
      : asJson && media?.project
        ? media.project(response.body)
        : isBodyExpected && !media
          ? undefined
          : response.body;
    if (body === undefined) discardStream(response.body);
    const reply = replyOf(response, requestId, body, mediaType, asJson, failed);
    if (isQueryNamed) reply.headers["Accept-Query"] = acceptQuery;
    if (!isChecked) return { reply, problems: [] };
    const problems: ResponseProblem[] = [];
    if (media !== undefined && body === undefined)
      problems.push({ in: "body", pointer: "", message: "is required" });
    else if (media !== undefined) addProblems(problems, "body", "", media.validate, checkedBody(body));
    else if (isBodyExpected)
      problems.push({ in: "header", pointer: "/Content-Type", message: "is not a documented media type" });
    else if (response.body !== undefined)
      problems.push({ in: "body", pointer: "", message: "is not documented" });
    if (typeof reply.body === "string" && !isUnicode(reply.body, asJson))
      problems.push({ in: "body", pointer: "", message: "contains half of a surrogate pair" });
    for (const header of headers) addHeaderProblems(problems, header, response, reply);
    return { reply, problems };
  };
}

/** `JSON.stringify` writes only half of a surrogate pair as an escape that begins with `\\ud`. */
function isUnicode(written: string, asJson: boolean): boolean {
  // The search is much faster than the expression, which ignores an escaped backslash before `ud`.
  return asJson ? !written.includes("\\ud") || !/(?<!\\)(?:\\\\)*\\ud/.test(written) : written.isWellFormed();
}

function mediaTypeOf(body: unknown): string {
  if (body instanceof Uint8Array || body instanceof Blob) return "application/octet-stream";
  return typeof body === "string" ? "text/plain; charset=utf-8" : jsonMediaType;
}

function replyOf(
  { status, headers: own }: PlainResponse,
  requestId: string,
  body: unknown,
  mediaType: string,
  asJson: boolean,
  failed?: (error: unknown) => boolean,
): Reply {
  // `nosniff` forbids browsers to guess another media type (Fetch standard, "X-Content-Type-Options").
  const headers: Record<string, string> =
    body === undefined
      ? { "X-Request-Id": requestId, "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff" }
      : {
          "Content-Type": mediaType,
          "X-Request-Id": requestId,
          "Cache-Control": "no-store",
          "X-Content-Type-Options": "nosniff",
        };
  for (const name in own)
    if (body === undefined || !isNamed(name, "content-type")) headers[name] = String(own[name]);
  return { status, headers, body: bodyOf(body, asJson, failed) };
}

function bodyOf(body: unknown, asJson: boolean, failed?: (error: unknown) => boolean): Reply["body"] {
  if (body === undefined) return undefined;
  if (isAsyncIterable(body)) return streamOf(body, failed);
  if (asJson) return JSON.stringify(body);
  return body instanceof Uint8Array || body instanceof Blob ? body : String(body);
}

function headerOf(
  headers: Readonly<Record<string, string | number>> | undefined,
  name: string,
): string | number | undefined {
  for (const each in headers) if (isNamed(each, name)) return headers[each];
  return undefined;
}

function isNamed(header: string, lowerCase: string): boolean {
  return header.length === lowerCase.length && header.toLowerCase() === lowerCase;
}

function addHeaderProblems(
  problems: ResponseProblem[],
  header: HeaderContract,
  response: PlainResponse,
  { headers }: Reply,
): void {
  const { name } = header;
  const value = headerOf(response.headers, name.toLowerCase()) ?? headerOf(headers, name.toLowerCase());
  if (value !== undefined)
    addProblems(problems, "header", `/${name}`, header.validate, headerValue(header, value));
  else if (header.required) problems.push({ in: "header", pointer: `/${name}`, message: "is required" });
}

function addProblems(
  problems: ResponseProblem[],
  place: ResponseProblem["in"],
  pointer: string,
  validate: Validate | undefined,
  value: unknown,
): void {
  const found: Problem[] = [];
  validate?.(value, found);
  for (const problem of found)
    problems.push({ in: place, pointer: pointer + problem.pointer, message: problem.message });
}

/** Schemas describe bytes as strings. */
function checkedBody(body: unknown): unknown {
  if (body instanceof Uint8Array) return "\0".repeat(body.byteLength);
  return body instanceof Blob ? "\0".repeat(body.size) : body;
}

function headerValue(header: HeaderContract, value: string | number): unknown {
  if (typeof value === "number") return value;
  if (header.type === "string" && header.mediaType === undefined) return value.trim();
  const read = readStyled(header.name, header, "simple", { texts: [value], decode: (text) => text.trim() });
  return read !== undefined && "value" in read ? read.value : value;
}
