/** Runs independent checks in parallel, and prints one line for each. */
import { spawn } from "node:child_process";
import { once } from "node:events";

export interface Gate {
  readonly name: string;
  readonly command: readonly string[];
  /** How the user runs only this check. */
  readonly shown: string;
  readonly fix?: string | undefined;
}

/** Maximum number of output lines that are printed for a failed gate. The command below them prints all lines. */
const maxLines = 30;

/** @returns true if all passed */
export async function runGates(gates: readonly Gate[], env = process.env): Promise<boolean> {
  const passed = await Promise.all(gates.map((gate) => runGate(gate, env)));
  return passed.every(Boolean);
}

async function runGate({ name, command, shown, fix }: Gate, env: NodeJS.ProcessEnv): Promise<boolean> {
  const begun = performance.now();
  const { status, output } = await outputOf(command, env);
  printStage(name, performance.now() - begun, status === 0 ? "" : "FAILED");
  if (status === 0) return true;
  const lines = output.trimEnd().split("\n");
  const printed = lines.slice(0, maxLines);
  if (lines.length > maxLines) printed.push(`… ${lines.length - maxLines} more lines`);
  if (fix !== undefined) printed.push(fix);
  console.log([...printed, `run only this: ${shown}`].map((line) => `    ${line}`).join("\n"));
  return false;
}

/** The output of both streams together. */
export async function outputOf(
  [program = "", ...args]: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<{ readonly status: unknown; readonly output: string }> {
  const child = spawn(program, args, { env, stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text: string) => {
      output += text;
    });
  const [status] = await once(child, "close");
  return { status, output };
}

export function printStage(name: string, ms: number, note: string): void {
  console.log(`${name.padEnd(18)} ${(ms / 1000).toFixed(1).padStart(6)} s  ${note}`.trimEnd());
}
