/** The results of `npm run conform`, as text and as JSON. */
import { styleText } from "node:util";
import { visible } from "../openapi/spec-problems.ts";
import type { Finding as SuiteFinding } from "./suite.ts";

export type ReportedFinding = Pick<SuiteFinding, "request" | "message">;

export interface CheckResult {
  /** Undefined for requests that match no operation. */
  readonly operationId: string | undefined;
  readonly check: string;
  /** How many responses had each status. */
  readonly statuses: Map<number, number>;
  readonly findings: readonly ReportedFinding[];
}

/** Nothing could be checked. The message says why, and what to do. */
export class NothingCheckedError extends Error {}

interface Group {
  readonly message: string;
  readonly count: number;
  readonly request: string;
}

/** Groups equal findings. Items of a list count as equal. */
function groupsIn(findings: readonly ReportedFinding[]): Group[] {
  const groups = Map.groupBy(findings, ({ message }) => message.replaceAll(/\/\d+(?=[/ ])/g, "/*"));
  return [...groups].map(([message, [first, ...others]]) => ({
    message: others.length === 0 ? (first?.message ?? message) : message,
    count: others.length + 1,
    request: first?.request ?? "",
  }));
}

export function textOf(
  { operationId = "(no operation)", check, statuses, findings }: CheckResult,
  isColoured: boolean,
): string {
  const sent = [...statuses]
    .toSorted(([left], [right]) => left - right)
    .map(([status, count]) => `${status} ×${count}`)
    .join(", ");
  const verdict = findings.length > 0 ? "FAIL" : statuses.size > 0 ? "ok  " : "skip";
  const style = { FAIL: "red", "ok  ": "green", skip: "gray" } as const;
  const label = isColoured ? styleText(style[verdict], verdict, { validateStream: false }) : verdict;
  const lines = groupsIn(findings).flatMap(({ message, count, request }) => [
    `        ${count > 1 ? `×${count}  ` : ""}${message}`,
    `          ${count > 1 ? "first: " : ""}${request}`,
  ]);
  return `${label}  ${[`${operationId}  ${check} (${sent || "no request"})`, ...lines].map(visible).join("\n")}\n`;
}

export function jsonOf(head: object, results: readonly CheckResult[], notes: readonly string[]): string {
  const checks = results.map(({ operationId = null, check, statuses, findings }) => ({
    operationId,
    check,
    statuses: Object.fromEntries(statuses),
    findings: groupsIn(findings),
  }));
  const conforms = checks.every(({ findings }) => findings.length === 0);
  return `${JSON.stringify({ ...head, conforms, checks, notes }, null, 2)}\n`;
}
