/** The contract of any spec, generated for one run, so that what recorded traffic is judged by is never stale. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Contract } from "../../generated/contract.ts";
import type { JsonObject } from "../generate/document.ts";
import { Findings } from "../generate/findings.ts";
import { loadSpec } from "../generate/load.ts";
import { type OnStage, run } from "../generate/pipeline.ts";
import type { SpecProblem } from "../generate/problems.ts";

export interface ContractOfSpec {
  readonly contract: Contract;
  /** The document that the contract was made from, in one piece. */
  readonly document: JsonObject;
  /** What a lenient run has gone past: it is not judged by. */
  readonly passed: readonly SpecProblem[];
}

/** @throws SpecProblemsError naming every place of the spec that must be mended */
export async function contractOfSpec(
  spec: string,
  lenient: boolean,
  onStage: OnStage,
): Promise<ContractOfSpec> {
  const { files, passed } = await run({ spec, lenient, docs: false }, onStage);
  const folder = await mkdtemp(join(tmpdir(), "audit-"));
  try {
    // Says how the .js among them is to be read.
    await writeFile(join(folder, "package.json"), '{ "type": "module" }');
    for (const [name, text] of files) await writeFile(join(folder, name), text);
    const made: { contract: Contract } = await import(
      /* @vite-ignore */ pathToFileURL(join(folder, "contract.ts")).href
    );
    return { contract: made.contract, document: JSON.parse(files.get("openapi.json") ?? "{}"), passed };
  } finally {
    await rm(folder, { recursive: true });
  }
}

/**
 * Finds the places of a spec that a contract could be made of.
 *
 * @returns `file:line:column` of a JSON pointer, or of the nearest place around it
 */
export async function locatorOf(spec: string): Promise<(pointer: string) => string> {
  // What it says amiss has been told.
  const { locate } = await loadSpec(spec, new Findings({ lenient: true }));
  return locate;
}
