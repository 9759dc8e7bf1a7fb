/** The gates of `npm test`. In this folder, only this file depends on the names of scripts in package.json. */
import { stripVTControlCharacters } from "node:util";

export interface GateCommand {
  readonly name: string;
  /** A command for `sh`, with node_modules/.bin in its PATH. */
  readonly line: string;
}

const npm = (name: string): GateCommand => ({ name, line: `npm run -s ${name}` });

/** This gate reads only the spec, so it runs before the generator. */
export const specGate = npm("lint:spec");

export const diffGate = npm("diff");
/** A command that prints JSON with the lowest version that the change needs. It is used if the diff gate fails. */
export const askVersion = "npm run -s diff -- --json 2>/dev/null";

/** Sorted as in `npm test`. A mutant is counted for the first gate that fails. */
export const gatesBeforeTests = [
  specGate,
  npm("check:generated"),
  diffGate,
  npm("lint:code"),
  npm("lint:layers"),
  npm("check:types"),
];
export const gatesAfterTests = [npm("coverage:contract")];

/** Runs the tests whose path contains one of `paths`, or all tests. Stops at the first test that fails twice. */
export function tests(paths: readonly string[] = []): GateCommand {
  const options = `--bail 1 --retry 1 --passWithNoTests`;
  return { name: "tests", line: `vitest run --project fast ${options} ${paths.join(" ")}` };
}

export const generate: GateCommand = { name: "generate", line: "npm run -s generate" };

const all = [specGate, generate, ...gatesBeforeTests, tests(), ...gatesAfterTests];
export const gateNames = [...new Set(all.map(({ name }) => name))];

export function reasonIn(output: string, root: string): string {
  const lines = stripVTControlCharacters(output)
    .replaceAll(`${root}/`, "")
    .split("\n")
    .map((line) => line.replaceAll(/[\s━]+/g, " ").trim())
    .filter((line) => line !== "");
  const isInformative = /^\[1\]|\berror\b|\bbreak|\bstale\b|differs|\bFAIL\b|\blint\/|; set it to/i;
  return (lines.find((line) => isInformative.test(line)) ?? lines[0] ?? "no output").slice(0, 200);
}
