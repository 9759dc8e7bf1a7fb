/** Writes requests from the values of parameters and a body. */
import { writePath, writeQuery } from "../../client/parameters.ts";
import type { OperationContract, ParameterContract, SecurityRequirement } from "../../generated/contract.ts";
import { parameterReader, pathMatcher } from "../../server/contract/parameters.ts";
import type { Json } from "../openapi/document.ts";
import { headerOf, type SentRequest } from "./contract-check.ts";

type ParameterLocation = ParameterContract["in"];

/** By `in` and name. */
export type SentParameters = { readonly [P in ParameterLocation]?: { readonly [name: string]: Json } };

export interface Credential {
  readonly requirement: SecurityRequirement;
  readonly text: string;
}

export interface Draft {
  readonly parameters: SentParameters;
  readonly mediaType?: string | undefined;
  readonly content: Uint8Array;
  readonly credentials: readonly Credential[];
}

export const noContent = new Uint8Array();

const common = [["Accept", "*/*"]] as const;

export function writeRequest(
  { method, path, parameters: contracts }: OperationContract,
  draft: Draft,
): SentRequest {
  const { parameters, mediaType, content, credentials } = draft;
  const described = contracts as Parameters<typeof writeQuery>[0];
  const query = [writeQuery(described, parameters.query ?? {}), ...inQuery(credentials)].filter(
    (each) => each !== "",
  );
  const target =
    writePath(path, described, parameters.path ?? {}) + (query.length > 0 ? `?${query.join("&")}` : "");
  const cookies = [
    ...Object.entries(parameters.cookie ?? {}).map(
      ([name, value]) => `${name}=${encodeURIComponent(plain(value))}`,
    ),
    ...credentials.flatMap(({ requirement: { sent }, text }) =>
      typeof sent === "object" && sent.in === "cookie" ? [`${sent.name}=${encodeURIComponent(text)}`] : [],
    ),
  ];
  return {
    method,
    target,
    headers: [
      ...common,
      ...(mediaType === undefined ? [] : [["Content-Type", mediaType] as const]),
      ...Object.entries(parameters.header ?? {}).map(([name, value]) => [name, plain(value)] as const),
      ...credentials.flatMap(inHeader),
      ...(cookies.length > 0 ? [["Cookie", cookies.join("; ")] as const] : []),
    ],
    content,
  };
}

function plain(value: Json): string {
  return Array.isArray(value) ? value.map(String).join(",") : String(value);
}

function inQuery(credentials: readonly Credential[]): string[] {
  return credentials.flatMap(({ requirement: { sent }, text }) =>
    typeof sent === "object" && sent.in === "query" ? [writeQuery([], { [sent.name]: text })] : [],
  );
}

function inHeader({ requirement: { sent }, text }: Credential): (readonly [string, string])[] {
  if (sent === undefined) return [["Authorization", `Bearer ${text}`]];
  if (sent === "basic") return [["Authorization", `Basic ${Buffer.from(text).toString("base64")}`]];
  return typeof sent === "object" && sent.in === "header" ? [[sent.name, text]] : [];
}

/**
 * The value that a server reads for a parameter before validation. Undefined if it is left out or not written in its
 * style, or if the path is another one.
 */
export function readBack(
  operation: OperationContract,
  { target, headers }: Pick<SentRequest, "target" | "headers">,
  parameter: ParameterContract,
): Json | undefined {
  const [path = "", query = ""] = target.split(/\?(.*)/s, 2);
  if (pathMatcher(operation.path)(path) === undefined) return undefined;
  const { complete: _, ...unjudged } = { ...parameter, validate: () => true };
  const parameters = operation.parameters.map((each) => (each === parameter ? unjudged : each));
  const header = (name: string) => headerOf(headers, name);
  const values = parameterReader({ path: operation.path, parameters })({ path, query, header }, []);
  return values[parameter.in][parameter.name] as Json | undefined;
}

/** Whether the headers arrive unchanged: ASCII, with spaces only between words (RFC 9110, section 5.5). */
export function hasPlainHeaders({ headers }: SentRequest): boolean {
  return headers.every(([, value]) => /^(?:[\x21-\x7e]+(?: +[\x21-\x7e]+)*)?$/.test(value));
}

export function jsonBytes(value: Json): Uint8Array {
  return Buffer.from(JSON.stringify(value), "utf8");
}
