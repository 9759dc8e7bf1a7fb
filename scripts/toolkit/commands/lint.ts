/** Checks a document against rules of Redocly. The generator checks that it is valid OpenAPI. */
import type { Command } from "commander";
import { replaceFile } from "../openapi/replace-file.ts";
import { lineOf, listOfProblems, type SpecProblem, SpecProblemsError } from "../openapi/spec-problems.ts";
import { action, allowOutsideOption, createCommand } from "./command-line.ts";
import { nameOf, type Project, stopIfNotGeneratable } from "./project.ts";

interface Options {
  readonly spec: string;
  readonly rules: string | undefined;
  readonly waivers: string | undefined;
  readonly allowOutside: readonly string[];
  readonly fix: boolean;
  readonly fixDryRun: boolean;
}

export function lintCommand(project: Project): Command {
  const { program, spec, rules, waivers } = project;
  return createCommand(
    nameOf(project, program === "npm run" ? "lint:spec" : "lint"),
    "Checks the document against rules of Redocly. Skips what waivers.yaml waives, and prints warnings.",
    "0 no errors; 1 errors, each printed with its place; 2 wrong usage.",
  )
    .option("--spec <FILE>", "the document, YAML or JSON", spec)
    .option(
      "--rules <FILE>",
      "a configuration of Redocly, instead of redocly.yaml next to the document or here; without any, only operationIds and examples are checked",
      rules,
    )
    .option(
      "--waivers <FILE>",
      "a list of rules that are not checked, instead of waivers.yaml next to the document",
      waivers,
    )
    .option(...allowOutsideOption(project))
    .option(
      "--fix",
      "print and write corrections: misspelled formats, `nullable` in 3.1, missing `type: object`, operationIds that are not unique, unused path parameters",
      false,
    )
    .option("--fix-dry-run", "print these corrections, and write nothing", false)
    .action(action((options: Options) => lint(options, project), ["Nothing was checked.", 1]));
}

async function lint(options: Options, project: Project): Promise<number> {
  const { spec, rules, waivers, allowOutside, fix, fixDryRun } = options;
  const [{ readSpec }, { lintSpec }] = await Promise.all([
    import("../openapi/read-spec.ts"),
    import("../generate/lint.ts"),
  ]);
  if (fix || fixDryRun) await correct({ spec, waivers, allowOutside, fixDryRun });
  if (spec === project.spec) await stopIfNotGeneratable(project.generated, options);
  // Redocly reports a document that it cannot read without a place.
  const { ignored } = await readSpec(spec, () => {}, allowOutside);
  const unreadable = ignored.filter(({ rule }) => rule === "syntax");
  if (unreadable.length > 0) throw new SpecProblemsError(unreadable.map(withRemedy));
  const { errors, warnings } = await lintSpec(spec, rules, waivers);
  for (const warning of warnings) process.stderr.write(`warning: ${lineOf(warning)}\n`);
  if (errors.length === 0) {
    process.stdout.write(`${spec} follows the rules\n`);
    return 0;
  }
  process.stderr.write(`${listOfProblems(errors, true)}\n`);
  return 1;
}

function withRemedy(problem: SpecProblem): SpecProblem {
  return { ...problem, message: `${problem.message} Redocly cannot read it; \`generate --lenient\` can.` };
}

async function correct(options: Omit<Options, "rules" | "fix">): Promise<void> {
  const { spec, waivers, allowOutside, fixDryRun } = options;
  const { fixesOf } = await import("../lint/fixes.ts");
  for (const { path, text, diff } of await fixesOf(spec, waivers, allowOutside)) {
    process.stdout.write(`${diff}\n`);
    if (!fixDryRun) await replaceFile(path, text);
  }
}
