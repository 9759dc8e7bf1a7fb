/** Reports what a change of the spec means for callers. Fails if it breaks them and the version is not raised enough. */
import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { type Command, Option } from "commander";
import type { Impact } from "../diff/changes.ts";
import type { Report } from "../diff/output/findings.ts";
import type { Format } from "../diff/output/formats.ts";
import { releasedFile } from "../diff/released.ts";
import { isGlob } from "../diff/selection/glob.ts";
import type { Spec } from "../diff/spec.ts";
import { messageOf, SpecProblemsError } from "../openapi/spec-problems.ts";
import { hasColours } from "./colours.ts";
import { action, allowOutsideOption, cacheCode, collectText, createCommand } from "./command-line.ts";
import { nameOf, type Project, stopIfNotGeneratable } from "./project.ts";

type Pair = readonly [before: Spec, after: Spec];

interface Options {
  readonly base: string | undefined;
  readonly spec: string;
  readonly allowOutside: readonly string[];
  readonly path: readonly string[];
  readonly tag: readonly string[];
  readonly lenient: boolean;
  readonly all: boolean;
  readonly json: boolean;
  readonly format: Format;
  readonly output: string | undefined;
  readonly failOn: keyof typeof failing | undefined;
}

/** What the user compares: revisions of git, files or `-`. */
interface Sources {
  readonly old: string | undefined;
  readonly now: string | undefined;
  /** A file, or undefined for the released interface. */
  readonly base: string | undefined;
}

/** The impacts for which the command fails. */
const failing = {
  major: ["major"],
  minor: ["major", "minor"],
  any: ["major", "minor", "patch"],
} satisfies Record<string, Impact[]>;

/** @param projects one for each document of the configuration */
export function diffCommand(project: Project, projects: readonly Project[] = [project]): Command {
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
    .option(
      "--spec <FILE>",
      "the document, YAML or JSON; several with `*` for a part of a name, and `**` for any folders",
      project.spec,
    )
    .option(...allowOutsideOption(project))
    .option(
      "--path <PATH>",
      "list only changes of this path, such as /users/*, or /users/** with all below; repeat it for more",
      collectText,
      [],
    )
    .option(
      "--tag <TAG>",
      "list only changes of operations with this tag; repeat it for more",
      collectText,
      [],
    )
    .option("--lenient", "continue if a document has errors, and count them", false)
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
        "fail if a listed change has this impact or a higher one, for every version",
      ).choices(Object.keys(failing)),
    )
    .action(
      action(
        (old: string | undefined, now: string | undefined, options: Options, command: Command) =>
          diff({ ...sourcesOf(old, now), base: options.base }, options, command, projects),
        ["Nothing was compared.", 2],
      ),
    );
}

/** `a..b` is two revisions, `../b` and `a/../b` are files. */
function sourcesOf(old: string | undefined, now: string | undefined): Omit<Sources, "base"> {
  const [, first, second] = /^([^./]|[^./].*?[^.])\.\.([^./].*)$/.exec(old ?? "") ?? [];
  return now === undefined && first !== undefined ? { old: first, now: second } : { old, now };
}

/** Loads the comparison here, because loading is slow and --help does not need it. */
async function diff(
  sources: Sources,
  options: Options,
  command: Command,
  projects: readonly Project[],
): Promise<number> {
  const { all, json, format, output, path, tag } = options;
  if (sources.old !== undefined && sources.base !== undefined)
    command.error("give an older document as an argument or with --base, not both");
  if (sources.old === "-" && sources.now === "-")
    command.error("standard input can be only one of the documents; give the other as a file or a revision");
  cacheCode();
  const { formats } = await import("../diff/output/formats.ts");
  const { unmatched } = await import("../diff/selection/operations.ts");
  const { allLoaded } = await import("../diff/spec.ts");
  const { documents, removed } = await documentsOf(sources, options, command, projects);
  const isOwn = ({ spec }: Project) => projects.some((each) => each.spec === spec);
  const loaded = documents.map(async (document) => {
    if (sources.now === undefined && !options.lenient && isOwn(document))
      await stopIfNotGeneratable(document.generated, document);
    return { document, pair: await pairOf(document, sources, options.lenient) };
  });
  const pairs = await allLoaded(loaded);
  const fault = unmatched(
    { paths: path, tags: tag },
    pairs.flatMap(({ pair }) => pair),
  );
  if (fault !== undefined) command.error(fault);
  const reports: Report[] = [];
  for (const { document, pair } of pairs) reports.push(await reportOf(document, pair, sources, options));
  const isColoured = output === undefined && hasColours(process.stdout.isTTY, process.env.NO_COLOR);
  const text = formats[json ? "json" : format](reports, { all, isColoured });
  if (output === undefined) process.stdout.write(text);
  else if (!(await isWritten(output, text))) return 2;
  for (const each of removed)
    process.stderr.write(`${each}  was removed, so callers of ${sources.old} break; restore it\n`);
  return Math.max(await statusOf(reports, options), removed.length > 0 ? 1 : 0);
}

async function isWritten(file: string, text: string): Promise<boolean> {
  try {
    await writeFile(file, text);
    return true;
  } catch (error) {
    const fix = "give a file in an existing folder with --output FILE";
    process.stderr.write(`${file} cannot be written (${messageOf(error)}); ${fix}\n`);
    return false;
  }
}

/** The documents with their own settings. If the older ones are of a revision, some may be new or removed. */
async function documentsOf(
  { old, now, base }: Sources,
  { spec, allowOutside }: Options,
  command: Command,
  projects: readonly Project[],
): Promise<{ readonly documents: readonly Project[]; readonly removed: readonly string[] }> {
  const [first] = projects;
  const given = allowOutside.slice(first?.allowOutside?.length ?? 0);
  const chosen = projects.map((each) => ({
    ...each,
    ...(projects.length === 1 && { spec }),
    allowOutside: [...(each.allowOutside ?? []), ...given],
  }));
  if (chosen.length === 1 && !isGlob(spec)) return { documents: chosen, removed: [] };
  const { isRevision } = await import("../diff/spec.ts");
  const { documentsMatching } = await import("../diff/selection/documents.ts");
  const single = [base, ...[old, now].filter((each) => each !== undefined && !isRevision(each))].find(
    Boolean,
  );
  if (single !== undefined)
    command.error(`${single} cannot be compared with several documents; choose one with --spec FILE`);
  const documents: Project[] = [];
  const removed: string[] = [];
  for (const each of chosen) {
    const found = await documentsMatching(each.spec, old, now);
    documents.push(...found.inBoth.map((path) => ({ ...each, spec: path })));
    removed.push(...found.removed);
    for (const path of found.added)
      process.stderr.write(`${path}  is new: ${old} has no such document, so it was not compared\n`);
  }
  return { documents, removed };
}

async function pairOf(
  { program, spec, allowOutside }: Project,
  { old, now, base }: Sources,
  lenient: boolean,
): Promise<Pair> {
  const { allLoaded, specOfBase, specOfRelease, specOfSource } = await import("../diff/spec.ts");
  const { readSpec } = await import("../openapi/read-spec.ts");
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
  const older =
    old !== undefined
      ? specOfSource(old, spec, onIgnored, allowOutside)
      : base !== undefined
        ? specOfBase(base, onIgnored, allowOutside)
        : specOfRelease(released);
  return allLoaded<[Spec, Spec]>([older, newer]);
}

async function reportOf(
  { spec, impacts }: Project,
  [before, after]: Pair,
  { old, now, base }: Sources,
  { path, tag }: Options,
): Promise<Report> {
  const { compare } = await import("../diff/compare.ts");
  const { selectedParts } = await import("../diff/selection/operations.ts");
  const { specOfRelease } = await import("../diff/spec.ts");
  const { readDiffWaivers } = await import("../diff/waivers.ts");
  const released = releasedFile(spec);
  const waivers = await readDiffWaivers(spec);
  const isWhole = path.length + tag.length === 0;
  const selected: Pair = isWhole ? [before, after] : selectedParts(before, after, { paths: path, tags: tag });
  const comparison = await compare(...selected, waivers, impacts);
  // The version is raised once for each release, even if a change has several commits.
  const isSinceRelease = old !== undefined && now === undefined && existsSync(released);
  const release = isSinceRelease
    ? await compare(await specOfRelease(released), after, waivers, impacts)
    : isWhole
      ? comparison
      : await compare(before, after, waivers, impacts);
  for (const line of waivers.unused()) process.stderr.write(`${line}\n`);
  const nameOfSource = (source: string): string =>
    source === "-" || existsSync(source) ? source : `${source}:${spec}`;
  return {
    comparison,
    release,
    names: {
      old: old === undefined ? (base ?? released) : nameOfSource(old),
      now: now === undefined ? spec : nameOfSource(now),
    },
    chosen: [...path.map((each) => `--path ${each}`), ...tag.map((each) => `--tag ${each}`)].join(" "),
  };
}

async function statusOf(reports: readonly Report[], { failOn }: Options): Promise<number> {
  if (failOn !== undefined) {
    const impacts: readonly Impact[] = failing[failOn];
    return reports.some(({ comparison: { impact } }) => impact !== undefined && impacts.includes(impact))
      ? 1
      : 0;
  }
  const { remedy } = await import("../diff/output/text.ts");
  const lines = reports.flatMap(({ release }) => remedy(release) ?? []);
  for (const line of lines) process.stderr.write(`${line}\n`);
  return lines.length > 0 ? 1 : 0;
}
