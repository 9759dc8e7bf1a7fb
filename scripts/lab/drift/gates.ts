/** The gates of a tree: what `npm test` runs, in its order, as package.json says. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";

export interface Gate {
  /** Of the script that it is, or `tests`. */
  readonly name: string;
  /** For `sh`. */
  readonly line: string;
}

/** @throws Error where `npm test` is not a row of npm scripts and of vitest */
export function gatesOf(root: string): Gate[] {
  const { scripts }: { scripts: Readonly<Record<string, string>> } = JSON.parse(
    readFileSync(join(root, "package.json"), "utf8"),
  );
  return (scripts.test ?? "").split(" && ").map((line): Gate => {
    const [, script] = /^npm run -s (\S+)$/.exec(line) ?? [];
    if (script !== undefined) return { name: script, line };
    if (/^vitest run(?: |$)/.test(line)) return { name: "tests", line };
    throw new Error(`npm test runs ${JSON.stringify(line)}, which scripts/lab/drift/gates.ts does not know`);
  });
}

/** Those up to the tests, and those after them. */
export function splitAtTests(all: readonly Gate[]): {
  readonly gates: readonly Gate[];
  readonly laterGates: readonly Gate[];
} {
  const tests = all.findIndex(({ name }) => name === "tests");
  const end = tests === -1 ? all.length : tests + 1;
  return { gates: all.slice(0, end), laterGates: all.slice(end) };
}

/** Lines that only say that something begins or ended. */
const empty =
  /^(?:\s*|[-─=]+|validating .*|❌ Validation failed .*|Found \d+ .*|Checked \d+ .*|The number of .*)$/;

/** The line that says most of why a gate failed, without the place of the copy. */
export function saidIn(output: string, root: string): string {
  const lines = stripVTControlCharacters(output)
    .replaceAll(`${root}/`, "")
    .split("\n")
    .map((line) =>
      line
        .replaceAll(/\s+/g, " ")
        .replace(/( FIXABLE)? ━+$/, "")
        .trim(),
    )
    .filter((line) => !empty.test(line));
  const telling = /^\[1\]|\berror\b|\bbreak|\bstale\b|differs|[✗✖×]|\blint\/|; set it to/i;
  const index = Math.max(
    0,
    lines.findIndex((line) => telling.test(line)),
  );
  const [first = "it said nothing", second = ""] = lines.slice(index);
  // Redocly says where on one line and what on the next; Biome may say where in a line that tells nothing else.
  const before = lines[index - 1] ?? "";
  const isHeading = /^\S+\.\w+(?::\d+:\d+)? [\w/]+$/.test(before);
  const line = first.startsWith("[1]")
    ? `${first.slice(4)}: ${second}`
    : first.startsWith("×") && isHeading
      ? `${before}: ${first}`
      : first;
  return line.length > 200 ? `${line.slice(0, 199)}…` : line;
}
