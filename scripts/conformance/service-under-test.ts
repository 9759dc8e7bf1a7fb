/** What the conformance checks must be told of a service, beside its spec. */
import type { Contract } from "../../generated/contract.ts";
import { type Json, tokensOf, valueAt } from "../generate/document.ts";
import { type ReceivedAnswer, readContent, type SentRequest } from "./exchange.ts";

/** Where an answer says that a request is wrong. */
export interface NamedPlace {
  readonly in: string;
  /** A JSON pointer (RFC 6901). */
  readonly pointer: string;
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
  /** The places that a refusal names, all of them; empty where it names none. */
  placesIn(answer: ReceivedAnswer): readonly NamedPlace[];
  /** Headers that answers may have beside those that the spec declares; any, where this is left out. */
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
