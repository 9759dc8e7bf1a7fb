/** Generates the contract of any OpenAPI document for one run, outside the project. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Contract } from "../../generated/contract.ts";
import { run } from "../generate/pipeline.ts";
import type { JsonObject } from "../openapi/document.ts";
import type { SpecProblem } from "../openapi/spec-problems.ts";

export interface ContractOfDocument {
  readonly contract: Contract;
  /** Bundled into one file. */
  readonly document: JsonObject;
  /** Problems that a lenient run ignores. */
  readonly passed: readonly SpecProblem[];
}

/** @throws SpecProblemsError with every place of the document that must be fixed */
export async function contractOfDocument(spec: string, lenient: boolean): Promise<ContractOfDocument> {
  const { files, passed } = await run({ spec, lenient });
  const folder = await mkdtemp(join(tmpdir(), "conform-"));
  try {
    // Makes Node read the .js files as modules.
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
