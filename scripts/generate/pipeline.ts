/** The pipeline: load a spec, model it, and render everything that is derived from it. */
import { isObject, type JsonObject, valueAt } from "./document.ts";
import { SpecFiles } from "./files.ts";
import { Findings } from "./findings.ts";
import { loadSpec } from "./load.ts";
import { modelOf } from "./model.ts";
import type { SpecProblem } from "./problems.ts";
import { renderContract } from "./render-contract.ts";
import { renderOperations } from "./render-operations.ts";
import { banner } from "./source-text.ts";
import { compileValidators, type Unenforceable } from "./validators/compile.ts";
import { readWaivers } from "./waivers.ts";
import type { GeneratedFiles } from "./write.ts";

/** Told of each stage before it begins. */
export type OnStage = (stage: string) => void;

export interface Run {
  readonly files: GeneratedFiles;
  /** What a lenient run has gone past. */
  readonly passed: readonly SpecProblem[];
  /** By absolute path, the SHA-256 of each file that was read; undefined where there was none to be read. */
  readonly read: ReadonlyMap<string, string | undefined>;
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
export async function run({ spec, waivers, lenient }: Choices, onStage: OnStage): Promise<Run> {
  const specFiles = new SpecFiles();
  const findings = new Findings({ lenient, waivers: await readWaivers(spec, waivers, specFiles) });
  const files = await generate(spec, findings, specFiles, onStage);
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
  onStage: OnStage = () => {},
): Promise<GeneratedFiles> {
  onStage("reading the spec");
  const spec = await loadSpec(specPath, findings, specFiles, onStage);
  onStage("compiling validators");
  let model = modelOf(spec);
  let validators = compileValidators(spec.document, model.schemas);
  for (const { rule, pointer, message } of validators.unenforceable) spec.report(rule, pointer, message);
  findings.stopIfAny();
  if (leaveOutContradictingDefaults(spec.document, validators.unenforceable)) {
    model = modelOf({ ...spec, report: () => {} });
    validators = compileValidators(spec.document, model.schemas);
  }
  onStage("rendering types");
  // The compiler takes as long to load as all else together: a spec with faults is told of without it.
  const { renderReceivedTypes, renderTypes } = await import("./render-types.ts");
  return new Map([
    ["openapi.json", `${JSON.stringify(spec.document, null, 2)}\n`],
    ["types.ts", await renderTypes(spec, model)],
    ["received.ts", await renderReceivedTypes(spec, model)],
    ["operations.ts", renderOperations(model)],
    ["validators.js", `${banner}\n${validators.code}`],
    ["validators.d.ts", `${banner}\n${validators.declarations}`],
    ["contract.ts", renderContract(model, validators.completes)],
  ]);
}

/**
 * Types, validators and model would fill in what the next validation refuses.
 *
 * @returns whether the document has become another
 */
function leaveOutContradictingDefaults(
  document: JsonObject,
  unenforceable: readonly Unenforceable[],
): boolean {
  const faulty = unenforceable.filter(({ rule }) => rule === "default-contradicts");
  for (const { pointer } of faulty) {
    const schema = valueAt(document, pointer.replace(/\/default$/, ""));
    if (isObject(schema)) delete schema.default;
  }
  return faulty.length > 0;
}
