/** Runs independent checks in parallel, and prints one line for each. The output of those that fail follows. */
import { spawn } from "node:child_process";
import { once } from "node:events";

export interface Gate {
  readonly name: string;
  readonly command: readonly string[];
  /** How the user runs only this check. */
  readonly shown: string;
  readonly fix?: string | undefined;
  /** Shortens the output of a failed check. */
  readonly shorten?: (output: string) => string | Promise<string>;
}

/** Maximum number of output lines that are printed for a failed gate. The command below them prints all lines. */
const maxLines = 30;

/** @returns true if all passed */
export async function runGates(gates: readonly Gate[], env = process.env): Promise<boolean> {
  const outputs = await Promise.all(gates.map((gate) => runGate(gate, env)));
  const seen = new Set<string>();
  for (const [index, { name, shown, fix }] of gates.entries()) {
    const output = outputs[index];
    if (output === undefined) continue;
    const lines = newLines(output.trimEnd().split("\n"), seen);
    const printed = lines.slice(0, maxLines);
    if (lines.length > maxLines) printed.push(`… ${lines.length - maxLines} more lines`);
    if (fix !== undefined) printed.push(fix);
    console.log([`\n${name}`, ...printed, `run only this: ${shown}`].join("\n    "));
  }
  return outputs.every((output) => output === undefined);
}

/** @returns the output if the check failed */
async function runGate(
  { name, command, shorten }: Gate,
  env: NodeJS.ProcessEnv,
): Promise<string | undefined> {
  const begun = performance.now();
  const { status, output } = await outputOf(command, env);
  printStage(name, performance.now() - begun, status === 0 ? "" : "FAILED");
  if (status === 0) return undefined;
  return shorten === undefined ? output : shorten(output);
}

/** Without the places that another check has reported. Adds the others to `seen`. */
function newLines(lines: readonly string[], seen: Set<string>): readonly string[] {
  const placeIn = (line: string): string => /^\S+:\d+:\d+(?= )/.exec(line)?.[0] ?? "";
  const places = new Set(lines.map(placeIn).filter((place) => place !== ""));
  const fresh = places.difference(seen);
  if (places.size > 0 && fresh.size === 0) return ["the same places as above"];
  const kept = lines.filter((line) => placeIn(line) === "" || fresh.has(placeIn(line)));
  for (const place of fresh) seen.add(place);
  return kept;
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
