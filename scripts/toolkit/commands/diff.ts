/** Reports what a change of the spec means for callers. Fails if it breaks them and the version is not raised enough. */
import { existsSync } from "node:fs";
import type { Command } from "commander";
import { releasedFile } from "../diff/released.ts";
import { SpecProblemsError } from "../openapi/spec-problems.ts";
import { hasColours } from "./colours.ts";
import { action, allowOutsideOption, createCommand } from "./command-line.ts";
import { nameOf, type Project } from "./project.ts";

interface Options {
  readonly base: string | undefined;
  readonly spec: string;
  readonly allowOutside: readonly string[];
  readonly lenient: boolean;
  readonly json: boolean;
}

export function diffCommand(project: Project): Command {
  const { program, spec } = project;
  return createCommand(
    nameOf(project, "diff"),
    "Reports what a change of the spec means for callers, on the wire and in TypeScript.",
    "0 nothing breaks or the version is raised enough, 1 the version is not raised enough, 2 wrong usage or no readable spec.",
  )
    .argument(
      "[REV]",
      "list the changes since this revision of git; the version still follows from the release",
    )
    .option("--base <FILE>", "compare with this document instead of the released interface next to the spec")
    .option("--spec <FILE>", "the document, YAML or JSON", spec)
    .option(...allowOutsideOption(project))
    .option("--lenient", "continue if a document has errors, and list them", false)
    .option("--json", "print the result as one JSON object", false)
    .action(
      action(
        (revision: string | undefined, options: Options, command: Command) =>
          report(revision, options, command, program),
        ["Nothing was compared.", 2],
      ),
    );
}

/** Loads the comparison here, because loading is slow and --help does not need it. */
async function report(
  revision: string | undefined,
  { spec, base, lenient, json, allowOutside }: Options,
  command: Command,
  program: string,
): Promise<number> {
  if (revision !== undefined && base !== undefined) command.error("give a revision or --base, not both");
  const { compare } = await import("../diff/compare.ts");
  const { jsonReport, remedy, terminalReport } = await import("../diff/output/diff-report.ts");
  const { bothOf, specOfBase, specOfRelease, specOfRevision } = await import("../diff/spec.ts");
  const { readSpec } = await import("../openapi/read-spec.ts");
  const { readDiffWaivers } = await import("../diff/waivers.ts");
  const onIgnored = lenient ? (line: string) => void process.stderr.write(`${line}\n`) : undefined;
  const released = releasedFile(spec);
  const now = readSpec(spec, onIgnored, allowOutside);
  if (revision === undefined && base === undefined && !existsSync(released)) {
    // An invalid spec cannot be released, so its problems are reported first.
    await now;
    const message = `nothing was released yet; run \`${program} release\`, or give a revision or --base FILE`;
    throw new SpecProblemsError([{ location: released, message }]);
  }
  const [before, after] = await bothOf(
    revision !== undefined
      ? specOfRevision(revision, spec, onIgnored, allowOutside)
      : base !== undefined
        ? specOfBase(base, onIgnored, allowOutside)
        : specOfRelease(released),
    now,
  );
  const waivers = await readDiffWaivers(spec);
  const comparison = await compare(before, after, waivers);
  // The version is raised once for each release, even if a change has several commits.
  const release =
    revision !== undefined && existsSync(released)
      ? await compare(await specOfRelease(released), after, waivers)
      : comparison;
  for (const line of waivers.unused()) process.stderr.write(`${line}\n`);
  const names = { old: revision === undefined ? (base ?? released) : `${revision}:${spec}`, now: spec };
  const text = json
    ? jsonReport(comparison, names, release)
    : terminalReport(comparison, names, hasColours(process.stdout.isTTY, process.env.NO_COLOR), release);
  process.stdout.write(text);
  const line = remedy(release);
  if (line === undefined) return 0;
  process.stderr.write(`${line}\n`);
  return 1;
}
