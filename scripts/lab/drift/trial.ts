/** Tries one mutant in a copy of the tree: changes the file, and runs the gates until one fails. */
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Copy } from "./copies.ts";
import * as gates from "./gates.ts";
import { DriftError, type Mutant } from "./mutant.ts";
import { type Ended, runLine } from "./processes.ts";
import { withVersion } from "./spec-mutants.ts";

export interface Kill {
  readonly gate: string;
  readonly reason: string;
}

/** Restores the copy at the end. @returns undefined if no gate failed */
export async function killOf(mutant: Mutant, copy: Copy): Promise<Kill | undefined> {
  const { target, file, text } = mutant;
  await copy.write(file, text());
  try {
    if (target === "spec") return await killOfSpec(mutant, copy);
    // The file is formatted so that the format gate does not fail because of the change's style.
    await run(copy, `biome check --write ${file}`);
    return await firstKill(copy, [`${dirname(file)}/`]);
  } finally {
    await copy.restore(...(target === "spec" ? ["generated", "docs"] : []));
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
  const kill = (await killBy(copy, gates.specGate)) ?? (await killBy(copy, gates.generate));
  if (kill !== undefined) return kill;
  if (!id.endsWith(":/info/version") && (await killBy(copy, gates.diffGate))) await setVersion(file, copy);
  return firstKill(copy, ["server/", "client/"]);
}

async function setVersion(file: string, copy: Copy): Promise<void> {
  const { output } = await run(copy, gates.askVersion);
  const [, version] = /"leastVersion": *"([^"]+)"/.exec(output) ?? [];
  if (version === undefined) return;
  const text = await readFile(join(copy.root, file), "utf8");
  await copy.write(file, withVersion(text, version));
  await run(copy, gates.generate.line);
}

/** @param near paths of tests that are likely to fail. These run first */
async function firstKill(copy: Copy, near: readonly string[]): Promise<Kill | undefined> {
  const nearTests = near.length > 0 ? [gates.tests(near)] : [];
  const all = [...gates.gatesBeforeTests, ...nearTests, gates.tests(), ...gates.gatesAfterTests];
  for (const gate of all) {
    const kill = await killBy(copy, gate);
    if (kill !== undefined) return kill;
  }
  return undefined;
}

async function killBy(copy: Copy, { name, line }: gates.GateCommand): Promise<Kill | undefined> {
  const { succeeded, output } = await run(copy, line);
  return succeeded ? undefined : { gate: name, reason: gates.reasonIn(output, copy.root) };
}

function run({ root, temporary }: Copy, line: string): Promise<Ended> {
  // Excludes the variables that npm and vitest have set for the checkout.
  const inherited = Object.entries(process.env).filter(
    ([name]) => !/^(?:npm_|INIT_CWD$|NODE_|VITEST)/.test(name),
  );
  return runLine(line, root, {
    ...Object.fromEntries(inherited),
    PATH: `${join(root, "node_modules/.bin")}:${process.env.PATH}`,
    TMPDIR: temporary,
    NO_COLOR: "1",
    REDOCLY_TELEMETRY: "off",
    REDOCLY_SUPPRESS_UPDATE_NOTICE: "true",
  });
}
