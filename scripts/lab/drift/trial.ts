/** Runs commands in a copy of the tree, and reports the reason if one fails. */
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import type { Copy } from "./copy.ts";
import { type Ended, runLine } from "./processes.ts";

export interface Kill {
  readonly gate: string;
  readonly reason: string;
}

export interface GateCommand {
  readonly name: string;
  /** A command for `sh`, with node_modules/.bin in its PATH. */
  readonly line: string;
}

/** @param limitMs a gate that takes longer has failed */
export async function killBy(
  copy: Copy,
  { name, line }: GateCommand,
  limitMs?: number,
): Promise<Kill | undefined> {
  const { succeeded, output } = await runInCopy(copy, line, limitMs);
  return succeeded ? undefined : { gate: name, reason: reasonIn(output, copy.root) };
}

function runInCopy({ root, temporary }: Copy, line: string, limitMs?: number): Promise<Ended> {
  // Excludes the variables that npm and vitest have set for the checkout.
  const inherited = Object.entries(process.env).filter(
    ([name]) => !/^(?:npm_|INIT_CWD$|NODE_|VITEST)/.test(name),
  );
  const env = {
    ...Object.fromEntries(inherited),
    PATH: `${join(root, "node_modules/.bin")}:${process.env.PATH}`,
    TMPDIR: temporary,
    NO_COLOR: "1",
    REDOCLY_TELEMETRY: "off",
    REDOCLY_SUPPRESS_UPDATE_NOTICE: "true",
  };
  return runLine(line, root, env, limitMs);
}

export function reasonIn(output: string, root: string): string {
  const lines = stripVTControlCharacters(output)
    .replaceAll(`${root}/`, "")
    .split("\n")
    .map((line) => line.replaceAll(/[\s━]+/g, " ").trim())
    .filter((line) => line !== "");
  const isInformative = /^\[1\]|\berror\b|\bbreak|\bstale\b|differs|\bFAIL\b|\blint\/|; set it to/i;
  return (lines.find((line) => isInformative.test(line)) ?? lines[0] ?? "no output").slice(0, 200);
}
