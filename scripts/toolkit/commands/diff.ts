/** Reports what a change of the spec means for callers. Fails if it breaks them and the version is not raised enough. */
import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { type Command, Option } from "commander";
import type { Impact } from "../diff/changes.ts";
import type { Format } from "../diff/output/formats.ts";
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
  readonly all: boolean;
  readonly json: boolean;
  readonly format: Format;
  readonly output: string | undefined;
  readonly failOn: keyof typeof failing | undefined;
}

/** The impacts for which the command fails. */
const failing = {
  major: ["major"],
  minor: ["major", "minor"],
  any: ["major", "minor", "patch"],
} satisfies Record<string, Impact[]>;

export function diffCommand(project: Project): Command {
  const { program, spec } = project;
  return createCommand(
    nameOf(project, "diff"),
    "Reports what a change of the spec means for callers, on the wire and in TypeScript.",
    "0 nothing breaks or the version is raised enough, 1 the version is not raised enough or --fail-on applies, 2 wrong usage or no readable spec.",
  )
    .argument(
      "[OLD]",
      "list the changes since this document: a revision of git, a file, `-`, or two as REV..REV",
    )
    .argument("[NEW]", "the newer document, if it is not the spec")
    .option("--base <FILE>", "compare with this document instead of the released interface next to the spec")
    .option("--spec <FILE>", "the document, YAML or JSON", spec)
    .option(...allowOutsideOption(project))
    .option("--lenient", "continue if a document has errors, and list them", false)
    .option("--all", "also list changes of wording, and types that break for the same cause", false)
    .addOption(
      new Option("--format <FORMAT>", "how to print the result")
        .choices(["text", "markdown", "github", "json", "sarif", "junit"] satisfies Format[])
        .default("text"),
    )
    .option("--json", "the same as --format json", false)
    .option("--output <FILE>", "write the result to this file")
    .addOption(
      new Option(
        "--fail-on <IMPACT>",
        "fail if a change has this impact or a higher one, for every version",
      ).choices(Object.keys(failing)),
    )
    .action(
      action(
        (old: string | undefined, now: string | undefined, options: Options, command: Command) =>
          report({ old, now }, options, command, program),
        ["Nothing was compared.", 2],
      ),
    );
}

/** Loads the comparison here, because loading is slow and --help does not need it. */
async function report(
  given: { readonly old: string | undefined; readonly now: string | undefined },
  options: Options,
  command: Command,
  program: string,
): Promise<number> {
  const { spec, base, lenient, allowOutside, all, output, failOn } = options;
  const [old, now] = given.now === undefined ? (given.old?.split("..") ?? []) : [given.old, given.now];
  if (old !== undefined && base !== undefined)
    command.error("give an older document as an argument or with --base, not both");
  const { compare } = await import("../diff/compare.ts");
  const { formats } = await import("../diff/output/formats.ts");
  const { remedy } = await import("../diff/output/text.ts");
  const { bothOf, specOfBase, specOfRelease, specOfSource } = await import("../diff/spec.ts");
  const { readSpec } = await import("../openapi/read-spec.ts");
  const { readDiffWaivers } = await import("../diff/waivers.ts");
  const onIgnored = lenient ? (line: string) => void process.stderr.write(`${line}\n`) : undefined;
  const released = releasedFile(spec);
  const newer =
    now === undefined
      ? readSpec(spec, onIgnored, allowOutside)
      : specOfSource(now, spec, onIgnored, allowOutside);
  if (old === undefined && base === undefined && !existsSync(released)) {
    // An invalid spec cannot be released, so its problems are reported first.
    await newer;
    const message = `nothing was released yet; run \`${program} release\`, or give a revision or --base FILE`;
    throw new SpecProblemsError([{ location: released, message }]);
  }
  const [before, after] = await bothOf(
    old !== undefined
      ? specOfSource(old, spec, onIgnored, allowOutside)
      : base !== undefined
        ? specOfBase(base, onIgnored, allowOutside)
        : specOfRelease(released),
    newer,
  );
  const waivers = await readDiffWaivers(spec);
  const comparison = await compare(before, after, waivers);
  // The version is raised once for each release, even if a change has several commits.
  const isSinceRelease = old !== undefined && now === undefined && existsSync(released);
  const release = isSinceRelease ? await compare(await specOfRelease(released), after, waivers) : comparison;
  for (const line of waivers.unused()) process.stderr.write(`${line}\n`);
  const nameOfSource = (source: string): string =>
    source === "-" || existsSync(source) ? source : `${source}:${spec}`;
  const names = {
    old: old === undefined ? (base ?? released) : nameOfSource(old),
    now: now === undefined ? spec : nameOfSource(now),
  };
  const isColoured = output === undefined && hasColours(process.stdout.isTTY, process.env.NO_COLOR);
  const text = formats[options.json ? "json" : options.format]({
    comparison,
    release,
    names,
    all,
    isColoured,
  });
  if (output === undefined) process.stdout.write(text);
  else await writeFile(output, text);
  if (failOn !== undefined) {
    const impacts: readonly Impact[] = failing[failOn];
    return comparison.impact !== undefined && impacts.includes(comparison.impact) ? 1 : 0;
  }
  const line = remedy(release);
  if (line === undefined) return 0;
  process.stderr.write(`${line}\n`);
  return 1;
}
