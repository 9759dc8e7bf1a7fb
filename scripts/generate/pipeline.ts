/** The pipeline: load a spec, model it, and render everything that is derived from it. */

import { compileValidators } from "../json-schema/compile.ts";
import { isObject, type JsonObject, valueAt } from "../openapi/document.ts";
import { SpecFiles } from "../openapi/files.ts";
import { Findings } from "../openapi/findings.ts";
import { loadSpec } from "../openapi/load.ts";
import type { SpecProblem } from "../openapi/problems.ts";
import { readWaivers } from "../openapi/waivers.ts";
import { withCodeSamples } from "./code-samples.ts";
import { inDirections } from "./directions.ts";
import { modelOf } from "./model/read.ts";
import type { GeneratedFiles } from "./output.ts";
import { renderContract } from "./render-contract.ts";
import { renderOperations } from "./render-operations.ts";
import { banner } from "./source-text.ts";

export interface Run {
  readonly files: GeneratedFiles;
  /** What a lenient run has gone past. */
  readonly passed: readonly SpecProblem[];
  /** By absolute path, the SHA-256 of each file that was read; null if there was none. */
  readonly read: ReadonlyMap<string, string | null>;
}

interface Choices {
  readonly spec: string;
  readonly waivers?: string | undefined;
  readonly lenient: boolean;
}

/**
 * Generates from a spec and its waivers.
 *
 * @throws SpecProblemsError naming every place that must be mended
 */
export async function run({ spec, waivers, lenient }: Choices): Promise<Run> {
  const specFiles = new SpecFiles();
  const findings = new Findings({ lenient, waivers: await readWaivers(spec, waivers, specFiles) });
  const files = await generate(spec, findings, specFiles);
  return { files, passed: findings.settle(), read: specFiles.digests };
}

/**
 * Everything that is derived from a spec, in memory.
 *
 * @throws SpecProblemsError naming every place that must be mended
 */
export async function generate(
  specPath: string,
  findings = new Findings(),
  specFiles = new SpecFiles(),
): Promise<GeneratedFiles> {
  const loaded = await loadSpec(specPath, findings, specFiles);
  let spec = inDirections(loaded);
  let model = modelOf(spec);
  const validators = compileValidators(spec.document, model.schemas);
  for (const { rule, pointer, message } of validators.unenforceable) spec.report(rule, pointer, message);
  findings.stopIfAny();
  const contradicting = validators.unenforceable.filter(({ rule }) => rule === "default-contradicts");
  if (contradicting.length > 0) {
    for (const { pointer } of contradicting) leaveOut(loaded.document, spec.sourceOf(pointer));
    // All there is to report has been reported.
    spec = inDirections({ ...loaded, report: () => {} });
    model = modelOf(spec);
  }
  // The compiler takes as long to load as all else together: a spec with faults is told of without it.
  const { renderTypes } = await import("./render-types.ts");
  return new Map([
    ["openapi.json", `${JSON.stringify(withCodeSamples(loaded.document, spec.document, model), null, 2)}\n`],
    ["types.ts", renderTypes(spec, model)],
    ["operations.ts", renderOperations(model)],
    ["validators.js", `${banner}\n${validators.code}`],
    ["validators.d.ts", `${banner}\n${validators.declarations}`],
    ["contract.ts", renderContract(model, validators.completes)],
  ]);
}

/**
 * The document with code samples, also of a spec that validators cannot be generated for.
 *
 * @returns the document, and the problems that `generate` reports
 * @throws SpecProblemsError if it is no document of OpenAPI 3.0 or 3.1
 */
export async function readForDocs(
  specPath: string,
): Promise<{ document: JsonObject; passed: readonly SpecProblem[] }> {
  const findings = new Findings({ lenient: true });
  const loaded = await loadSpec(specPath, findings);
  const spec = inDirections(loaded);
  const document = withCodeSamples(loaded.document, spec.document, modelOf(spec));
  return { document, passed: findings.settle() };
}

/** What the validators have left out already: types and model must not speak of a default that nobody fills in. */
function leaveOut(document: JsonObject, pointer: string): void {
  const schema = valueAt(document, pointer.replace(/\/default$/, ""));
  if (isObject(schema)) delete schema.default;
}
