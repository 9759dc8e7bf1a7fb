/** What every bench needs: a child process that is timed, a summary of several times, and the machine they hold for. */
import { spawn } from "node:child_process";
import { availableParallelism, cpus, totalmem } from "node:os";

export interface Sample {
  readonly ms: number;
  /** Of all its threads. */
  readonly cpuMs: number;
  /** The most memory that the process itself had resident, in bytes; its own children are not in it. */
  readonly peakBytes: number;
  readonly stdout: string;
}

export interface Summary {
  readonly median: number;
  readonly min: number;
  readonly max: number;
}

/** The program failed; the message is one line. */
export class RunError extends Error {
  override readonly name = "RunError";
}

/** Tells on descriptor 3, when it ends, what the process has used. */
const tellUse = `data:text/javascript,${encodeURIComponent(
  'import { writeSync } from "node:fs"; process.on("exit", () => writeSync(3, JSON.stringify(process.resourceUsage())));',
)}`;

/**
 * Runs a Node program from start to end.
 *
 * @throws RunError where it fails or takes longer than the limit
 */
export function timed(
  args: readonly string[],
  { cwd, limitMs }: { cwd: string; limitMs: number },
): Promise<Sample> {
  return new Promise((done, fail) => {
    const started = performance.now();
    const child = spawn(process.execPath, ["--import", tellUse, ...args], {
      cwd,
      stdio: ["ignore", "pipe", "pipe", "pipe"],
      timeout: limitMs,
      killSignal: "SIGKILL",
    });
    const printed = ["", "", "", ""];
    for (const descriptor of [1, 2, 3])
      child.stdio[descriptor]?.on("data", (data: Buffer) => {
        printed[descriptor] += data.toString("utf8");
      });
    child.once("error", fail);
    child.once("close", (status, signal) => {
      const ms = performance.now() - started;
      const [, stdout = "", stderr = "", used = ""] = printed;
      if (status === 0 && used !== "") {
        const { userCPUTime, systemCPUTime, maxRSS }: NodeJS.ResourceUsage = JSON.parse(used);
        done({ ms, cpuMs: (userCPUTime + systemCPUTime) / 1000, peakBytes: maxRSS * 1024, stdout });
      } else if (signal === "SIGKILL" && ms >= limitMs)
        fail(new RunError(`took more than ${limitMs / 1000} s`));
      else fail(new RunError(`exit ${status ?? signal}: ${reasonIn(`${stdout}\n${stderr}`)}`));
    });
  });
}

/** The line that says most: the first that speaks of an error, or else the last. */
function reasonIn(printed: string): string {
  const lines = printed
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
  return (lines.find((line) => /error|cannot|failed|🛑/i.test(line)) ?? lines.at(-1) ?? "said nothing").slice(
    0,
    160,
  );
}

/** @param values at least one */
export function summaryOf(values: readonly number[]): Summary {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (index: number): number => sorted[index] ?? Number.NaN;
  const middle = (sorted.length - 1) / 2;
  return {
    median: (at(Math.floor(middle)) + at(Math.ceil(middle))) / 2,
    min: at(0),
    max: at(sorted.length - 1),
  };
}

/** What the figures hold for, on one line. */
export function machine(): string {
  const [cpu] = cpus();
  const memory = `${Math.round(totalmem() / 2 ** 30)} GiB`;
  return `${availableParallelism()} × ${cpu?.model.trim() ?? "unknown processor"}, ${memory}, ${process.platform} ${process.arch}, Node ${process.version}`;
}
