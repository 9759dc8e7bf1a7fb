/** Holds a response to the schema of its status before a byte of it leaves. */
import type {
  HeaderContract,
  Problem,
  ResponseContract,
  ResponseContracts,
  Validate,
} from "../../generated/contract.ts";
import { matchType } from "./media-type.ts";
import { isJson, readStyled } from "./styles.ts";

/** What is done about a response that breaks its schema: refuse it, only log it, or do not look. */
export type ResponsePolicy = "enforce" | "report" | "off";

export interface PlainResponse {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string | number>>;
}

/** How a response breaks the contract: places and rules, never values. */
export interface ResponseViolation {
  readonly operationId: string | undefined;
  readonly status: number;
  readonly problems: readonly ResponseProblem[];
}

/** `pointer` is a JSON pointer (RFC 6901) into the body, or to the header by its name; empty for the whole. */
export interface ResponseProblem extends Problem {
  readonly in: "status" | "body" | "header";
}

export const jsonMediaType = "application/json";

/** The contract of a status: its own, that of its class, or that of all others. */
export function contractOf(contracts: ResponseContracts, status: number): ResponseContract | undefined {
  return contracts[status] ?? contracts[`${Math.floor(status / 100)}XX`] ?? contracts.default;
}

export interface ResponseContent {
  /** As it leaves: of JSON, only what is declared, whatever the policy. */
  readonly body: unknown;
  /** Undefined where the response has no content, or none that is documented. */
  readonly mediaType: string | undefined;
  /** The media type of the contract. */
  readonly key: string | undefined;
}

/** What of the body leaves, and as what: the handler's own Content-Type, else JSON where that is documented. */
export function contentOf(contract: ResponseContract | undefined, response: PlainResponse): ResponseContent {
  const keys = Object.keys(contract?.mediaTypes ?? {});
  const given = headerOf(response, "content-type");
  const key =
    given !== undefined
      ? matchType(String(given), keys)?.key
      : (matchType(jsonMediaType, keys)?.key ?? keys.find(isJson) ?? keys[0]);
  if (contract === undefined || key === undefined)
    return { body: keys.length === 0 && contract ? response.body : undefined, mediaType: undefined, key };
  const isRange = key.includes("*");
  const mediaType = given !== undefined ? String(given) : isRange ? undefinedType(response.body) : key;
  const project = isJson(mediaType) ? contract.mediaTypes[key]?.project : undefined;
  return { body: project ? project(response.body) : response.body, mediaType, key };
}

/** For a range of media types, of which the handler has named none. */
function undefinedType(body: unknown): string {
  if (body instanceof Uint8Array || body instanceof Blob) return "application/octet-stream";
  return typeof body === "string" ? "text/plain; charset=utf-8" : jsonMediaType;
}

function headerOf(response: PlainResponse, name: string): string | number | undefined {
  const { headers } = response;
  if (headers === undefined) return undefined;
  if (Object.hasOwn(headers, name)) return headers[name];
  const lowerCase = name.toLowerCase();
  for (const key of Object.keys(headers))
    if (key.length === name.length && key.toLowerCase() === lowerCase) return headers[key];
  return undefined;
}

/**
 * Every way in which the response breaks the contract; empty where it keeps it.
 *
 * @param contract of the response's status; undefined where that status is not documented
 * @param content as it leaves, see {@link contentOf}
 */
export function responseProblems(
  contract: ResponseContract | undefined,
  response: PlainResponse,
  { body, key }: ResponseContent,
): ResponseProblem[] {
  if (contract === undefined) return [{ in: "status", pointer: "", message: "is not documented" }];
  const problems: ResponseProblem[] = [];
  if (key !== undefined) {
    const validate = contract.mediaTypes[key]?.validate;
    for (const fault of faultsOf(validate, judgedBody(body))) problems.push({ in: "body", ...fault });
  } else if (Object.keys(contract.mediaTypes).length > 0) {
    problems.push({ in: "header", pointer: "/Content-Type", message: "is not a documented media type" });
  } else if (body !== undefined) {
    problems.push({ in: "body", pointer: "", message: "is not documented" });
  }
  for (const header of contract.headers) {
    const { name, required } = header;
    const value = headerOf(response, name);
    const place = `/${name}`;
    if (value !== undefined) {
      for (const { pointer, message } of faultsOf(header.validate, headerValue(header, value))) {
        problems.push({ in: "header", pointer: `${place}${pointer}`, message });
      }
    } else if (required) {
      problems.push({ in: "header", pointer: place, message: "is required" });
    }
  }
  return problems;
}

function faultsOf(validate: Validate | undefined, value: unknown): Problem[] {
  const faults: Problem[] = [];
  validate?.(value, faults);
  return faults;
}

/** Schemas call bytes strings. */
function judgedBody(body: unknown): unknown {
  if (body instanceof Uint8Array) return "\0".repeat(body.byteLength);
  return body instanceof Blob ? "\0".repeat(body.size) : body;
}

function headerValue(header: HeaderContract, value: string | number): unknown {
  if (typeof value === "number") return value;
  const read = readStyled(header.name, header, "simple", { texts: [value], decode: (text) => text.trim() });
  return read !== undefined && "value" in read ? read.value : value;
}
