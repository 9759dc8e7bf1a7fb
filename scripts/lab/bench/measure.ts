import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { availableParallelism, cpus, tmpdir, totalmem } from "node:os";
import { join } from "node:path";

export interface BenchOptions {
  readonly quick: boolean;
  readonly rounds: number | undefined;
  readonly only?: string | undefined;
  readonly against?: string | undefined;
  readonly call?: string | undefined;
  readonly connections?: number | undefined;
  readonly out?: string | undefined;
  readonly database: "sqlite" | "postgres";
}

export class RunError extends Error {}

/** Runs a Node program from start to end. @throws RunError if it fails or takes longer than three minutes */
export function timed(
  args: readonly string[],
  cwd: string,
): { readonly ms: number; readonly stdout: string } {
  const started = performance.now();
  const options = { cwd, encoding: "utf8", timeout: 180_000, maxBuffer: 1e8 } as const;
  const { status, signal, stdout, stderr } = spawnSync(process.execPath, args, options);
  const ms = performance.now() - started;
  if (status !== 0)
    throw new RunError(`exit ${status ?? signal}: ${`${stdout}\n${stderr}`.trim().slice(-300)}`);
  return { ms, stdout };
}

export interface Summary {
  readonly median: number;
  readonly min: number;
  readonly max: number;
}

export function summaryOf(values: readonly number[]): Summary {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (index: number): number => sorted.at(index) ?? Number.NaN;
  const middle = (sorted.length - 1) / 2;
  return { median: (at(Math.floor(middle)) + at(Math.ceil(middle))) / 2, min: at(0), max: at(-1) };
}

export const medianOf = (values: readonly number[]): number => summaryOf(values).median;

export function spread({ median, min, max }: Summary, digits: number): string {
  return `${median.toFixed(digits)} (${min.toFixed(digits)}–${max.toFixed(digits)})`;
}

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |\n`).join("");
}

export function machine(): string {
  const memory = `${Math.round(totalmem() / 2 ** 30)} GiB`;
  const processor = cpus()[0]?.model.trim() ?? "unknown processor";
  return `${availableParallelism()} × ${processor}, ${memory}, ${process.platform} ${process.arch}, Node ${process.version}`;
}

/** Makes a temporary folder that is removed when this process ends, even after Ctrl-C. */
export function workFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "bench-"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(130));
  return folder;
}
