/** What the conformance checks must know about a service in addition to its document. */
import { type Json, tokensOf, valueAt } from "../openapi/document.ts";
import { type HttpRequest, type HttpResponse, jsonIn } from "./exchange.ts";

/** A place in a request that a response reports as invalid. */
export interface NamedPlace {
  readonly in: string;
  /** A JSON pointer (RFC 6901). */
  readonly pointer: string;
}

/** The reason why a request must be rejected. */
export type RejectionReason =
  | ("route_not_found" | "method_not_allowed")
  | ("credential_missing" | "credential_invalid" | "role_missing")
  | ("content_too_large" | "media_type_unsupported" | "content_coding_unsupported" | "malformed_content")
  | "request_invalid";

/** The status and code of each rejection. A reason that is not listed may have any documented rejection. */
export interface Rejections {
  /** Returns the error code of a response, or undefined if it has none. */
  codeIn(response: HttpResponse): string | undefined;
  readonly expected: {
    readonly [R in RejectionReason]?: { readonly status: number; readonly code: string | undefined };
  };
}

/** Values of parameters, keyed by `in /name`, such as `path /id`. */
export interface KnownValues {
  readonly [parameter: string]: Json;
}

/** The text of a credential, or the whole value of the header `Authorization`. */
export type InvalidCredential = string | { readonly authorization: string };

export interface ServiceUnderTest {
  /** OpenAPI 3.1 in one file, as the generator writes it. */
  readonly document: object;
  /** The file and the line of a JSON pointer, for messages. */
  locate?(pointer: string): string;
  /** Sends the bytes unchanged, and returns the response unchanged. */
  send(request: HttpRequest): Promise<HttpResponse>;
  /** Sends the requests over one connection, one after the other. If this is missing, no connection is used twice. */
  sendInTurn?(requests: readonly HttpRequest[]): Promise<HttpResponse[]>;
  /** The base URL. If it is undefined, the header `Location` may have any path before that of the document. */
  readonly url?: string;
  /** For each security scheme, valid credentials with their roles, and invalid ones, keyed by what is wrong. */
  readonly credentials: {
    readonly [scheme: string]: {
      readonly valid: readonly { readonly text: string; readonly roles: readonly string[] }[];
      readonly invalid: { readonly [why: string]: InvalidCredential };
    };
  };
  /** Returns all places that a rejection reports. If this is missing or returns undefined, any documented rejection is accepted. */
  placesIn?(response: HttpResponse): readonly NamedPlace[] | undefined;
  /** The rejection for each reason. If this is missing, any documented rejection is accepted. */
  readonly rejections?: Rejections;
  /** Returns what the service's log says about a response of 500 or above, for the report. */
  reasonOf?(response: HttpResponse): string | undefined;
  /** Headers that responses may have in addition to the declared ones. If undefined, they may have any header. */
  readonly undeclaredHeaders?: readonly string[];
  /** Header parameters that `send` adds to every request. No values are generated for them. */
  readonly addedHeaders?: readonly string[];
  /** The largest request body that the service reads. */
  readonly maxContentBytes?: number;
  /**
   * For each operation, values of parameters that exist in the service. A twin gets the values of its GET. This also
   * holds for `setUp` and `settle`.
   */
  readonly known?: { readonly [operationId: string]: KnownValues };
  /**
   * For each operation, a function that makes the record that the operation needs. It is called before each check,
   * and again after a request that may have changed the record. It returns the values that identify the record. They
   * replace the values of `known`.
   */
  readonly setUp?: { readonly [operationId: string]: () => Promise<KnownValues> };
  /** Functions that change a valid body so that it follows rules that the schema cannot express. */
  readonly settle?: { readonly [operationId: string]: (body: Json) => Json };
}

export interface SuiteOptions {
  /** The same seed makes the same requests. */
  readonly seed: number;
  /** The number of valid requests for each operation. */
  readonly validRequests: number;
  /** The largest number of requests for each constraint. */
  readonly requestsEach: number;
  /** The usual number of requests for all constraints of an operation. Default: no limit. */
  readonly requestsForValues?: number;
  /** Whether records are created for the operations that need one, unless `known` or `setUp` has them. Default: true. */
  readonly createsRecords?: boolean;
  /**
   * Limits the milliseconds in which the requests of all operations are made, and those in which their responses are
   * compared with schemas. Default: no limit.
   */
  readonly limitMs?: number;
  /** Whether an operation is reported if none of its valid requests succeeds. Default: true. */
  readonly mustSucceed?: boolean;
  /** Whether the service may reject a value that its schema allows, if similar values are accepted. Default: false. */
  readonly mayReject?: boolean;
  /** Whether requests must be rejected that HTTP and OpenAPI permit to accept. Default: false. */
  readonly strict?: boolean;
}

/** Reports a rejection whose status or code does not belong to the reason. */
export function rejectionProblems(
  { rejections }: ServiceUnderTest,
  reason: RejectionReason,
  response: HttpResponse,
  status = response.status,
): string[] {
  if (response.status !== status) return [`the response is ${response.status}, not ${status}`];
  const expected = rejections?.expected[reason];
  if (rejections === undefined || expected === undefined) return [];
  const got = { status: response.status, code: rejections.codeIn(response) };
  if (got.status === expected.status && got.code === expected.code) return [];
  const shown = ({ status, code }: typeof got) => `${status} ${code ?? "without a code"}`;
  return [`${reason}: the response is ${shown(got)}, not ${shown(expected)}`];
}

/** Reads the fields `in` and `pointer` of each problem. `pointer` is the place of the problems in the JSON response. */
export function placesAt({ body }: HttpResponse, pointer: string): NamedPlace[] {
  const problems = valueAt(jsonIn(body), pointer);
  if (!Array.isArray(problems) || tokensOf(pointer).length === 0) return [];
  return problems.flatMap((problem) => {
    const { in: place, pointer: at } = problem as { in?: unknown; pointer?: unknown };
    return typeof place === "string" && typeof at === "string" ? [{ in: place, pointer: at }] : [];
  });
}
