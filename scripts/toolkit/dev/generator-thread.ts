/** Lints and generates on a separate thread, which ends when the generator's code changes. */
import { parentPort } from "node:worker_threads";
import type { Project } from "../commands/project.ts";
import { lintSpec, rulesOf } from "../generate/lint.ts";
import { writeFiles } from "../generate/output.ts";
import { run } from "../generate/pipeline.ts";
import { messageOf, SpecProblemsError } from "../openapi/spec-problems.ts";
import type { Generated } from "./generator.ts";

async function generate(project: Project): Promise<Generated> {
  const { spec, rules, waivers, generated: out } = project;
  try {
    const { files } = await run({ ...project, lenient: false, remedies: { give: () => "put it back" } });
    // Without rules of its own, a project may use everything that can be generated.
    const hasRules = rulesOf(spec, rules) !== undefined;
    const problems = hasRules ? (await lintSpec(spec, rules, waivers)).errors : [];
    const written = problems.length > 0 ? [] : await writeFiles(out, files);
    return { problems, written };
  } catch (error) {
    const problems =
      error instanceof SpecProblemsError ? error.problems : [{ location: spec, message: messageOf(error) }];
    return { problems, written: [] };
  }
}

parentPort?.on("message", async (project: Project) => {
  parentPort?.postMessage(await generate(project));
});
