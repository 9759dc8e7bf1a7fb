/** Formats the results of `npm run conform` as text and as JSON. */
import { styleText } from "node:util";
import { visible } from "../openapi/spec-problems.ts";
import { countsOf } from "./operation-checks.ts";
import type { Finding as SuiteFinding } from "./suite.ts";

export type ReportedFinding = Omit<SuiteFinding, "operationId" | "check">;

export interface CheckResult {
  /** Undefined for requests that match no operation. */
  readonly operationId: string | undefined;
  readonly check: string;
  /** The number of responses with each status. */
  readonly statuses: Map<number, number>;
  readonly findings: readonly ReportedFinding[];
}

/** Thrown if nothing could be checked. The message has the cause and what to do. */
export class NothingCheckedError extends Error {}

export function textOf(
  { operationId = "(no operation)", check, statuses, findings }: CheckResult,
  isColoured: boolean,
): string {
  const sent = countsOf(statuses);
  const verdict = findings.length > 0 ? "FAIL" : statuses.size > 0 ? "ok  " : "skip";
  const style = { FAIL: "red", "ok  ": "green", skip: "gray" } as const;
  const label = isColoured ? styleText(style[verdict], verdict, { validateStream: false }) : verdict;
  const lines = findings.flatMap(({ message, count, request, response }) => [
    `        ${count > 1 ? `×${count}  ` : ""}${message}`,
    `          ${count > 1 ? "first: " : ""}${request}`,
    ...(response === undefined ? [] : [`          returned ${response}`]),
  ]);
  return `${label}  ${[`${operationId}  ${check} (${sent || "no request"})`, ...lines].map(visible).join("\n")}\n`;
}

export function jsonOf(head: object, results: readonly CheckResult[], notes: readonly string[]): string {
  const checks = results.map(({ operationId = null, check, statuses, findings }) => ({
    operationId,
    check,
    statuses: Object.fromEntries(statuses),
    findings,
  }));
  const conforms = checks.every(({ findings }) => findings.length === 0);
  return `${JSON.stringify({ ...head, conforms, checks, notes }, null, 2)}\n`;
}
