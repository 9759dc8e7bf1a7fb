/** Loads a spec with its waivers. */
import { resolve } from "node:path";
import { valueAt } from "./document.ts";
import { type Remedies, SpecFiles, shownPathOf } from "./files.ts";
import { Findings } from "./findings.ts";
import { type LoadedSpec, loadSpec } from "./load.ts";
import type { SpecProblem } from "./spec-problems.ts";
import { readWaivers } from "./waivers.ts";

/**
 * @param onIgnored makes the run lenient. It is called with a line that counts the problems. Without it, only waived problems
 *   are ignored
 * @param allowOutside folders into which references may point, in addition to the folder of the document
 * @throws SpecProblemsError with each place of the document that must be fixed
 */
export async function readSpec(
  path: string,
  onIgnored?: (line: string) => void,
  allowOutside: readonly string[] = [],
  remedies: Partial<Remedies> = {},
): Promise<LoadedSpec & { readonly isOpenApi30: boolean; readonly ignored: readonly SpecProblem[] }> {
  const lenient = onIgnored !== undefined;
  const files = new SpecFiles(allowOutside, remedies);
  // A waiver may be for a problem that only the generator reports, so an unused waiver is not an error here.
  const findings = new Findings({
    lenient,
    waivers: lenient ? [] : await readWaivers(path, undefined, files),
  });
  const spec = await loadSpec(path, findings, files);
  findings.stopIfAny();
  const ignored = lenient ? findings.settle() : [];
  if (ignored.length > 0) {
    const count = `${ignored.length} problem${ignored.length === 1 ? " is" : "s are"}`;
    onIgnored?.(`${shownPathOf(resolve(path))}: ${count} ignored; \`generate --lenient\` lists them`);
  }
  const { value } = await files.read(resolve(path));
  return { ...spec, isOpenApi30: String(valueAt(value, "/openapi")).startsWith("3.0."), ignored };
}
