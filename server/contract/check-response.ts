/** Holds a response to the schema of its status before a byte of it leaves. */
import type { Problem, ResponseContract, Validate } from "../../generated/contract.ts";

/** What is done about a response that breaks its schema: refuse it, only log it, or do not look. */
export type ResponsePolicy = "enforce" | "report" | "off";

export interface PlainResponse {
  readonly status: number;
  readonly body: unknown;
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

/** What of the body may leave: declared properties only, whatever the policy. Undefined where no body is documented. */
export function declaredBody(contract: ResponseContract | undefined, body: unknown): unknown {
  return contract?.mediaTypes[jsonMediaType]?.project(body);
}

/**
 * Every way in which the response breaks the contract; empty where it keeps it.
 *
 * @param contract of the response's status; undefined where that status is not documented
 * @param body as it leaves, see {@link declaredBody}
 */
export function responseProblems(
  contract: ResponseContract | undefined,
  response: PlainResponse,
  body: unknown,
): ResponseProblem[] {
  if (contract === undefined) return [{ in: "status", pointer: "", message: "is not documented" }];
  const problems: ResponseProblem[] = [];
  const media = contract.mediaTypes[jsonMediaType];
  if (media !== undefined) {
    for (const fault of faultsOf(media.validate, body)) problems.push({ in: "body", ...fault });
  } else if (response.body !== undefined) {
    problems.push({ in: "body", pointer: "", message: "is not documented" });
  }
  for (const { name, required, validate } of contract.headers) {
    const value = response.headers?.[name];
    const pointer = `/${name}`;
    if (value === undefined) {
      if (required) problems.push({ in: "header", pointer, message: "is required" });
    } else {
      for (const { message } of faultsOf(validate, value)) problems.push({ in: "header", pointer, message });
    }
  }
  return problems;
}

function faultsOf(validate: Validate, value: unknown): Problem[] {
  const faults: Problem[] = [];
  validate(value, faults);
  return faults;
}
