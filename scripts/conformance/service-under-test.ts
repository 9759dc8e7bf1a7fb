/** What the conformance checks must know of a service in addition to its document. */
import { type Json, tokensOf, valueAt } from "../openapi/document.ts";
import { jsonIn, type ReceivedResponse, type SentRequest } from "./exchange.ts";

/** A place in a request that a response reports as invalid. */
export interface NamedPlace {
  readonly in: string;
  /** A JSON pointer (RFC 6901). */
  readonly pointer: string;
}

/** Why a request is rejected that was made to be rejected. */
export type RejectionReason =
  | ("route_not_found" | "method_not_allowed")
  | ("credential_missing" | "credential_invalid" | "role_missing")
  | ("content_too_large" | "media_type_unsupported" | "content_coding_unsupported" | "content_malformed")
  | "request_invalid";

/** The status and code of each rejection. A reason that is not listed may have any documented rejection. */
export interface Rejections {
  /** The code of a response; undefined if it has none. */
  codeIn(response: ReceivedResponse): string | undefined;
  readonly expected: {
    readonly [R in RejectionReason]?: { readonly status: number; readonly code: string | undefined };
  };
}

/** By `in /name`, such as `path /id`. */
export interface KnownValues {
  readonly [parameter: string]: Json;
}

export interface ServiceUnderTest {
  /** OpenAPI 3.1 in one file, as `npm run generate` writes it. */
  readonly document: object;
  /** Sends the bytes unchanged, and returns the response unchanged. */
  send(request: SentRequest): Promise<ReceivedResponse>;
  /** By security scheme: valid credentials with their roles, and invalid ones by what is wrong with them. */
  readonly credentials: {
    readonly [scheme: string]: {
      readonly valid: readonly { readonly text: string; readonly roles: readonly string[] }[];
      readonly invalid: { readonly [why: string]: string };
    };
  };
  /** All places that a rejection names. Without it, any documented rejection is accepted. */
  placesIn?(response: ReceivedResponse): readonly NamedPlace[];
  /** Which rejection belongs to which reason. Without it, any documented rejection is accepted. */
  readonly rejections?: Rejections;
  /** What the service's log says about a response of 500 or above, for the report. */
  reasonOf?(response: ReceivedResponse): string | undefined;
  /** Headers that responses may have in addition to the declared ones. If undefined, all headers. */
  readonly undeclaredHeaders?: readonly string[];
  /** Header parameters that `send` adds to every request, so that none are generated. */
  readonly sentHeaders?: readonly string[];
  /** The largest request body that the service reads. */
  readonly maxContentBytes?: number;
  /** Values of parameters that find something, by operation and `in /name`. A twin has those of its GET, also below. */
  readonly known?: { readonly [operationId: string]: KnownValues };
  /**
   * Makes what an operation needs, by operation: before each check, and again after each request that may have changed it.
   * Returns the values that find it, which replace those of `known`.
   */
  readonly setUp?: { readonly [operationId: string]: () => Promise<KnownValues> };
  /** Makes a body that the schema allows keep rules beyond the schema, by operation. */
  readonly settle?: { readonly [operationId: string]: (body: Json) => Json };
}

export interface SuiteOptions {
  /** The same seed gives the same requests. */
  readonly seed: number;
  /** How many valid requests each operation gets. */
  readonly validRequests: number;
  /** How many requests each constraint gets. */
  readonly requestsEach: number;
  /** Whether an operation of which no valid request succeeds is reported; true by default. */
  readonly mustSucceed?: boolean;
}

/** What is wrong with a rejection, by its reason: another status, or another code. */
export function rejectionProblems(
  { rejections }: ServiceUnderTest,
  reason: RejectionReason,
  response: ReceivedResponse,
): string[] {
  const expected = rejections?.expected[reason];
  if (rejections === undefined || expected === undefined) return [];
  const got = { status: response.status, code: rejections.codeIn(response) };
  if (got.status === expected.status && got.code === expected.code) return [];
  const shown = ({ status, code }: typeof got) => `${status} ${code ?? "without a code"}`;
  return [`${reason}: the response is ${shown(got)}, not ${shown(expected)}`];
}

/** Reads the list of problems at a pointer of a JSON response: the `in` and `pointer` of each problem. */
export function placesAt({ content }: ReceivedResponse, pointer: string): NamedPlace[] {
  const problems = valueAt(jsonIn(content), pointer);
  if (!Array.isArray(problems) || tokensOf(pointer).length === 0) return [];
  return problems.flatMap((problem) => {
    const { in: place, pointer: at } = problem as { in?: unknown; pointer?: unknown };
    return typeof place === "string" && typeof at === "string" ? [{ in: place, pointer: at }] : [];
  });
}
