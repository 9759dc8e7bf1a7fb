/** Renders one screen: the saved and written files, and the errors. */
import { styleText } from "node:util";
import type { SpecProblem } from "../openapi/spec-problems.ts";
import type { ShortError } from "./compile-error.ts";

export interface SaveReport {
  readonly saved: readonly string[];
  readonly written: readonly string[];
  readonly specProblems: readonly SpecProblem[];
  readonly compileErrors: readonly ShortError[];
  readonly ms: { readonly [step: string]: number };
  /** Time from the first notice of a save to the report. */
  readonly totalMs: number;
}

export type ServerState =
  | "restarts"
  | "restarts itself"
  | "unchanged"
  | "not started"
  | "keeps the last version without errors";

export function isOk({ specProblems, compileErrors }: SaveReport): boolean {
  return specProblems.length === 0 && compileErrors.length === 0;
}

export function render(report: SaveReport, server: ServerState): string {
  const { saved, written, specProblems, compileErrors } = report;
  const lines: string[] = [];
  if (saved.length > 0) lines.push(`${styleText("bold", "saved")} ${shortList(saved)}`);
  if (written.length > 0) lines.push(`${styleText("bold", "wrote")} ${written.join(", ")}`);
  if (specProblems.length > 0) {
    lines.push("", styleText("red", `the spec has ${counted(specProblems.length, "error")}`));
    for (const { location, message } of specProblems)
      lines.push(`  ${styleText("cyan", location)}  ${message}`);
    lines.push("  Handlers and calls are checked when the spec has no errors.");
  }
  for (const [title, errors] of grouped(compileErrors)) {
    lines.push("", styleText("red", title));
    for (const error of errors) lines.push(...errorLines(error));
  }
  if (lines.length > 0) lines.push("");
  lines.push(verdict(report), `server ${server}`, "");
  return lines.join("\n");
}

export function renderLater(errors: readonly ShortError[], ms: number): string {
  const time = styleText("dim", `in ${Math.round(ms)} ms`);
  if (errors.length === 0) return `${styleText("green", "no type errors in tests and scripts")} ${time}\n`;
  const lines = ["", styleText("red", "errors in tests and scripts")];
  for (const error of errors) lines.push(...errorLines(error));
  lines.push(
    "",
    `${styleText("red", `${counted(errors.length, "error")} in tests and scripts`)} ${time}`,
    "",
  );
  return lines.join("\n");
}

function verdict(report: SaveReport): string {
  const steps = Object.entries(report.ms).map(([step, ms]) => `${step} ${Math.round(ms)}`);
  const time = `${Math.round(report.totalMs)} ms`;
  const timings = styleText("dim", steps.length > 0 ? `in ${time} (${steps.join(", ")})` : `in ${time}`);
  if (isOk(report)) return `${styleText("green", "ok")} ${timings}`;
  const count = report.specProblems.length + report.compileErrors.length;
  return `${styleText("red", counted(count, "error"))} ${timings}`;
}

/** Groups errors by file: each handler, the calls in the client, and everything else. */
function grouped(errors: readonly ShortError[]): Map<string, ShortError[]> {
  return Map.groupBy(
    errors.toSorted((a, b) => rank(a) - rank(b)),
    titleOf,
  );
}

const operationFile = /^server\/operations\/([^/.]+)\.ts$/;

function rank({ file }: ShortError): number {
  if (operationFile.test(file) || file === "server/handlers.ts") return 0;
  return isCall(file) ? 1 : 2;
}

function titleOf({ file }: ShortError): string {
  const operation = operationFile.exec(file)?.[1];
  if (operation !== undefined) return `errors in handler ${camelCase(operation)}`;
  if (file === "server/handlers.ts") return "errors in the table of handlers";
  return isCall(file) ? "errors in calls" : "errors in other code";
}

/** True for files of the client, because they build requests and read responses. */
function isCall(file: string): boolean {
  return file.startsWith("client/");
}

function errorLines({ file, line, column, message }: ShortError): string[] {
  const location = line === undefined ? file : `${file}:${line}:${column}`;
  const [first, ...others] = message;
  return [`  ${styleText("cyan", location)}  ${first}`, ...others.map((each) => `    ${each}`)];
}

function shortList(files: readonly string[]): string {
  const shown = files.slice(0, 5).join(", ");
  return files.length > 5 ? `${shown} and ${files.length - 5} more` : shown;
}

function counted(count: number, noun: string): string {
  return `${count} ${count === 1 ? noun : `${noun}s`}`;
}

function camelCase(kebab: string): string {
  return kebab.replaceAll(/-([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}
