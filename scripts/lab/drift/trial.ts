/** Tries one mutant in a copy of the tree: changes the file, and runs the gates until one fails. */
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import type { Copy } from "./copy.ts";
import { DriftError, type Mutant } from "./mutant.ts";
import { type Ended, runLine } from "./processes.ts";
import { withVersion } from "./spec-mutants.ts";

export interface Kill {
  readonly gate: string;
  readonly reason: string;
}

export interface GateCommand {
  readonly name: string;
  /** A command for `sh`, with node_modules/.bin in its PATH. */
  readonly line: string;
}

const npm = (name: string): GateCommand => ({ name, line: `npm run -s ${name}` });

/** This gate reads only the spec, so it runs before the generator. */
const specGate = npm("lint:spec");

const diffGate = npm("diff");
/** A command that prints JSON with the lowest version that the change needs. It is used if the diff gate fails. */
const askVersion = "npm run -s diff -- --json 2>/dev/null";

/** Sorted as in `npm test`. A mutant is counted for the first gate that fails. */
const gatesBeforeTests = [
  specGate,
  npm("check:generated"),
  diffGate,
  npm("lint:code"),
  npm("lint:layers"),
  npm("check:types"),
];
const gatesAfterTests = [npm("coverage:contract")];

/** Runs the tests whose path contains one of `paths`, or all tests. Stops at the first test that fails twice. */
function tests(paths: readonly string[] = []): GateCommand {
  const options = `--bail 1 --retry 1 --passWithNoTests`;
  return { name: "tests", line: `vitest run --project fast ${options} ${paths.join(" ")}` };
}

const generate = npm("generate");

const all = [specGate, generate, ...gatesBeforeTests, tests(), ...gatesAfterTests];
export const gateNames = [...new Set(all.map(({ name }) => name))];

export interface TriedMutant {
  readonly mutant: Mutant;
  readonly kill: Kill | undefined;
}

/** Restores the copy at the end. @returns undefined if no gate failed */
export async function killOf(mutant: Mutant, copy: Copy): Promise<Kill | undefined> {
  const { target, file, text } = mutant;
  await copy.write(file, text());
  try {
    if (target === "spec") return await killOfSpec(mutant, copy);
    // The file is formatted so that the format gate does not fail because of the change's style.
    await runInCopy(copy, `biome check --write ${file}`);
    return await firstKill(copy, [`${dirname(file)}/`]);
  } finally {
    await copy.restore();
  }
}

/** @throws DriftError if a gate fails for the unchanged tree */
export async function assertPasses(copy: Copy): Promise<void> {
  const kill = await firstKill(copy, []);
  if (kill !== undefined)
    throw new DriftError(`the unchanged tree does not pass ${kill.gate}: ${kill.reason}`);
}

/** Generates, and sets the version that the diff requires, as a spec editor would do next. */
async function killOfSpec({ id, file }: Mutant, copy: Copy): Promise<Kill | undefined> {
  const kill = (await killBy(copy, specGate)) ?? (await killBy(copy, generate));
  if (kill !== undefined) return kill;
  if (!id.endsWith(":/info/version") && (await killBy(copy, diffGate))) await setVersion(file, copy);
  return firstKill(copy, ["server/", "client/"]);
}

async function setVersion(file: string, copy: Copy): Promise<void> {
  const { output } = await runInCopy(copy, askVersion);
  const [, version] = /"leastVersion": *"([^"]+)"/.exec(output) ?? [];
  if (version === undefined) return;
  const text = await readFile(join(copy.root, file), "utf8");
  await copy.write(file, withVersion(text, version));
  await runInCopy(copy, generate.line);
}

/** @param near paths of tests that are likely to fail. These run first */
async function firstKill(copy: Copy, near: readonly string[]): Promise<Kill | undefined> {
  const nearTests = near.length > 0 ? [tests(near)] : [];
  const all = [...gatesBeforeTests, ...nearTests, tests(), ...gatesAfterTests];
  for (const gate of all) {
    const kill = await killBy(copy, gate);
    if (kill !== undefined) return kill;
  }
  return undefined;
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
