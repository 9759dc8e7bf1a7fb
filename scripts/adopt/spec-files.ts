/** Collects the document of a new project, the files that it refers to, and the waivers of its problems. */
import { readFile } from "node:fs/promises";
import { dirname, join, relative, resolve, sep } from "node:path";
import type { Run } from "../generate/pipeline.ts";
import { SpecProblemsError } from "../openapi/spec-problems.ts";
import { withWaivers } from "../openapi/waivers.ts";

const waiversFile = "spec/waivers.yaml";

/** Returns file contents, keyed by path. @throws SpecProblemsError if a referenced file cannot be copied */
export async function specFiles(document: string, run: Run): Promise<Map<string, string | Uint8Array>> {
  const folder = dirname(resolve(document));
  const waivers = join(folder, "waivers.yaml");
  const files = new Map<string, string | Uint8Array>([["spec/openapi.yaml", await readFile(document)]]);
  for (const path of run.read) {
    if (path === resolve(document) || path === waivers) continue;
    const place = relative(folder, path).split(sep).join("/");
    if (files.has(`spec/${place}`))
      throw new SpecProblemsError([
        {
          location: document,
          message: `it refers to ${place}, which is outside its folder; merge both into one file with \`npx redocly bundle\``,
        },
      ]);
    files.set(`spec/${place}`, await readFile(path));
  }
  const given = run.read.includes(waivers) ? await readFile(waivers, "utf8") : "";
  const all = await withWaivers(given, run.passed);
  if (all !== "") files.set(waiversFile, all);
  return files;
}
