/** Tells an audit to people, each thing once with the entries in which it is, and to programs, each entry for itself. */
import { styleText } from "node:util";
import type { Audit } from "./audit.ts";
import type { AuditFinding } from "./judge.ts";

const maxNamed = 5;

/** @param locate `file:line:column` of a place of the spec, for who mends it there */
export function terminalReport(
  file: string,
  audit: Audit,
  isColoured: boolean,
  locate: (pointer: string) => string,
): string {
  const paint = (style: "red" | "green" | "bold" | "gray", text: string): string =>
    isColoured ? styleText(style, text, { validateStream: false }) : text;
  const lines: string[] = [];
  for (const [, group] of Map.groupBy(audit.findings, exchangeKey)) {
    const [first] = group;
    if (first === undefined) continue;
    lines.push(paint("bold", visible(exchangeName(first))));
    for (const [, same] of Map.groupBy(group, faultKey)) lines.push(...faultLines(same, paint, locate));
    lines.push("");
  }
  const { entries, unjudged, servers } = audit;
  for (const [reason, list] of Object.entries(unjudged))
    lines.push(`not judged: ${reason} (${entryNames(list)})`);
  if (entries.unanswered > 0) lines.push(`not judged: ${entries.unanswered} without an answer`);
  const others = Object.entries(entries.others).map(([origin, count]) => `${origin} (${count})`);
  if (others.length > 0) lines.push(visible(`not judged: other servers, ${others.join(", ")}`));
  const { described, refused, preflights, undescribed } = entries;
  const parts = [
    `${described + refused} described${refused > 0 ? `, ${refused} of them invalid requests refused as the spec says` : ""}`,
    ...(preflights > 0 ? [`${preflights} preflight${preflights === 1 ? "" : "s"}`] : []),
    paint(undescribed > 0 ? "red" : "green", `${undescribed} not described`),
  ];
  lines.push(visible(`${file}, ${servers.join(" and ")}: `) + parts.join("; "));
  return `${lines.join("\n")}\n`;
}

export function jsonReport(file: string, audit: Audit): string {
  return `${JSON.stringify({ file, ...audit }, null, 2)}\n`;
}

function faultLines(
  same: readonly AuditFinding[],
  paint: (style: "gray", text: string) => string,
  locate: (pointer: string) => string,
): string[] {
  const [first] = same;
  if (first === undefined) return [];
  const { side, message, remedy, spec, time } = first;
  const served = side === "request" ? ", and was served all the same" : "";
  const entries = same.map(({ entry }) => entry);
  return [
    visible(`  ${side.padEnd(7)}  ${placeOf(first)}: ${message}${served}`),
    `           ${visible(remedy)} ${paint("gray", visible(locate(spec)))}`,
    `           ${entryNames(entries)}, first at ${visible(time)}`,
  ];
}

function placeOf({ in: place, pointer }: AuditFinding): string {
  if (place === "body") return pointer === "" ? "content" : pointer;
  return pointer === "" ? place : `${place} ${pointer}`;
}

function exchangeKey({ operationId, method, url, status }: AuditFinding): string {
  return operationId === undefined ? `${method} ${url} ${status}` : `${operationId} ${method} ${status}`;
}

/** Items of a list share their faults. */
function faultKey({ side, in: place, pointer, message }: AuditFinding): string {
  return [side, place, pointer.replaceAll(/\/\d+(?=\/|$)/g, "/*"), message].join(" ");
}

function exchangeName({ method, url, operationId, status }: AuditFinding): string {
  return `${method} ${url}${operationId === undefined ? "" : ` (${operationId})`} answered ${status}`;
}

function entryNames(entries: readonly number[]): string {
  const distinct = [...new Set(entries)];
  const named = distinct.slice(0, maxNamed).join(", ");
  const more = distinct.length - maxNamed;
  return `${distinct.length === 1 ? "entry" : "entries"} ${named}${more > 0 ? ` and ${more} more` : ""}`;
}

/** What comes from a recording can move no cursor. */
function visible(text: string): string {
  return text.replaceAll(
    /\p{Cc}/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
