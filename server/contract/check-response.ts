/** Holds a response to the schema of its status before a byte of it leaves. */
import type { Problem, ResponseContract } from "../../generated/contract.ts";

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
  readonly problems: readonly Problem[];
}

export const jsonMediaType = "application/json";

/** What of the body may leave: declared properties only, whatever the policy. */
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
): Problem[] {
  const media = contract?.mediaTypes[jsonMediaType];
  if (contract === undefined || media === undefined)
    return [{ pointer: "", message: "is not a documented status" }];
  const problems: Problem[] = [];
  media.validate(body, problems);
  for (const { name, required, validate } of contract.headers) {
    const value = response.headers?.[name];
    const faults: Problem[] = [];
    if (value !== undefined) validate(value, faults);
    else if (required) faults.push({ pointer: "", message: "is required" });
    for (const { pointer, message } of faults)
      problems.push({ pointer: `header ${name}${pointer}`, message });
  }
  return problems;
}
