/** What the conformance checks must know of a service in addition to its document. */
import type { Contract } from "../../generated/contract.ts";
import type { RefusalReason } from "../../server/contract/request.ts";
import { type Json, tokensOf, valueAt } from "../openapi/document.ts";
import { type ReceivedAnswer, readContent, type SentRequest } from "./contract-check.ts";

/** Where an answer says that a request is wrong. */
export interface NamedPlace {
  readonly in: string;
  /** A JSON pointer (RFC 6901). */
  readonly pointer: string;
}

/** Why a request is rejected that was made to be rejected. */
export type Provocation = Exclude<RefusalReason["reason"], "not_implemented" | "failed">;

/** How a service tells refusals apart. What it leaves out here may be any refusal that the spec documents. */
export interface Refusals {
  /** The code of an answer; undefined where it has none. */
  codeIn(answer: ReceivedAnswer): string | undefined;
  readonly expected: {
    readonly [P in Provocation]?: { readonly status: number; readonly code: string | undefined };
  };
}

export interface ServiceUnderTest {
  readonly contract: Contract;
  /** What the contract was generated from, bundled. */
  readonly document: unknown;
  /** Sends bytes as they are, and answers what came back as it came. */
  send(request: SentRequest): Promise<ReceivedAnswer>;
  /** By security scheme: credentials that hold, with the roles that they have, and ones that do not, by why. */
  readonly credentials: {
    readonly [scheme: string]: {
      readonly valid: readonly { readonly text: string; readonly roles: readonly string[] }[];
      readonly invalid: { readonly [why: string]: string };
    };
  };
  /** All places that a rejection names. Without it, any documented rejection is accepted. */
  placesIn?(answer: ReceivedAnswer): readonly NamedPlace[];
  /** Which rejection belongs to which reason. Without it, any documented rejection is accepted. */
  readonly refusals?: Refusals;
  /** What the service's log says of an answer of 500 or above; told with it, where it is known. */
  reasonOf?(answer: ReceivedAnswer): string | undefined;
  /** Headers that responses may have in addition to the declared ones; any, if this is left out. */
  readonly undeclaredHeaders?: readonly string[];
  /** The most that the service reads of a request's content. */
  readonly maxContentBytes?: number;
  /** Values of parameters by which something is found, by operation and `in /name`. */
  readonly known?: { readonly [operationId: string]: { readonly [parameter: string]: Json } };
  /** Makes content, which the schema admits, keep rules beyond the schema, by operation. */
  readonly settle?: { readonly [operationId: string]: (content: Json) => Json };
}

export interface SuiteOptions {
  /** The same requests for the same seed. */
  readonly seed: number;
  /** How many valid requests each operation gets. */
  readonly validRequests: number;
  /** How many requests each constraint gets. */
  readonly requestsEach: number;
  /** Whether an operation of which no valid request succeeds is reported; true by default. */
  readonly mustSucceed?: boolean;
}

/** What is not right about a refusal, for what it was provoked by: another status, or another code. */
export function refusalFaults(
  { refusals }: ServiceUnderTest,
  provocation: Provocation,
  answer: ReceivedAnswer,
): string[] {
  const expected = refusals?.expected[provocation];
  if (refusals === undefined || expected === undefined) return [];
  const got = { status: answer.status, code: refusals.codeIn(answer) };
  if (got.status === expected.status && got.code === expected.code) return [];
  const said = ({ status, code }: typeof got) => `${status} ${code ?? "without a code"}`;
  return [`${provocation}: the response is ${said(got)}, not ${said(expected)}`];
}

/** The places in the problems at a pointer of a JSON answer, each with its own `in` and `pointer`. */
export function placesAt(answer: ReceivedAnswer, pointer: string): NamedPlace[] {
  const read = readContent("application/json", answer.content);
  const problems = read === undefined ? undefined : valueAt(read.value, pointer);
  if (!Array.isArray(problems) || tokensOf(pointer).length === 0) return [];
  return problems.flatMap((problem) => {
    const { in: place, pointer: at } = problem as { in?: unknown; pointer?: unknown };
    return typeof place === "string" && typeof at === "string" ? [{ in: place, pointer: at }] : [];
  });
}
