/** The document of a new project with the files that it refers to, and the waivers of its problems. */
import { readFile } from "node:fs/promises";
import { dirname, join, relative, resolve, sep } from "node:path";
import type { Run } from "../generate/pipeline.ts";
import { type SpecProblem, SpecProblemsError } from "../openapi/spec-problems.ts";

const waiversFile = "spec/waivers.yaml";

/** Returns contents by path. @throws SpecProblemsError if a referenced file cannot be copied */
export async function specFiles(document: string, run: Run): Promise<Map<string, string | Uint8Array>> {
  const folder = dirname(resolve(document));
  const waivers = join(folder, "waivers.yaml");
  const files = new Map<string, string | Uint8Array>([["spec/openapi.yaml", await readFile(document)]]);
  for (const path of run.read) {
    if (path === resolve(document) || path === waivers) continue;
    const place = relative(folder, path).split(sep).join("/");
    if (place.startsWith("../") || files.has(`spec/${place}`))
      throw new SpecProblemsError([
        {
          location: document,
          message: `it refers to ${place}, which is outside its folder; merge both into one file with \`npx redocly bundle\``,
        },
      ]);
    files.set(`spec/${place}`, await readFile(path));
  }
  const given = run.read.includes(waivers) ? await readFile(waivers, "utf8") : "";
  const added = waiversFor(run.passed);
  if (given + added !== "")
    files.set(waiversFile, given + (given && added && !given.endsWith("\n") ? "\n" : "") + added);
  return files;
}

function waiversFor(passed: readonly SpecProblem[]): string {
  const unwaivable = passed.filter(({ rule }) => rule === undefined);
  if (unwaivable.length > 0) throw new SpecProblemsError(unwaivable);
  const counts = new Map<string, number>();
  for (const { rule = "" } of passed) counts.set(rule, (counts.get(rule) ?? 0) + 1);
  if (counts.size === 0) return "";
  const head =
    '# Rules that are not enforced, anywhere in the document. `at: "#/paths/..."` limits a waiver to a place.\n';
  const waivers = [...counts].map(
    ([rule, count]) =>
      `- rule: ${rule}\n  reason: Not enforced when the project was made, in ${count} ${count === 1 ? "place" : "places"}.\n`,
  );
  return head + waivers.join("");
}
