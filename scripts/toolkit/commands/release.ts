/** Releases the spec if its version covers every change, and writes the changelog. */
import { existsSync } from "node:fs";
import { type Command, InvalidArgumentError } from "commander";
import { releasedFile, writeReleased } from "../diff/released.ts";
import { versionFault } from "../diff/version.ts";
import { replaceFile } from "../openapi/replace-file.ts";
import { action, allowOutsideOption, createCommand } from "./command-line.ts";
import { nameOf, type Project } from "./project.ts";

interface Options {
  readonly spec: string;
  readonly allowOutside: readonly string[];
  readonly changelog: string;
  readonly date: string | undefined;
  readonly dryRun: boolean;
}

export function releaseCommand(project: Project): Command {
  const { spec } = project;
  return createCommand(
    nameOf(project, "release"),
    `Saves the spec as the released interface, and adds its changes to the changelog. \`${project.program} diff\` compares the spec
with this interface. Notes under "Unreleased" in the changelog become part of the new entry.`,
    "0 done or nothing to do; 1 the version is not raised enough; 2 wrong usage, or no readable spec or changelog.",
  )
    .option("--spec <FILE>", "the document, YAML or JSON", spec)
    .option(...allowOutsideOption(project))
    .option("--changelog <FILE>", "the changelog, Markdown", "CHANGELOG.md")
    .option("--date <DATE>", "the date of the release; without it, today in UTC", parseDate)
    .option("--dry-run", "print the new entry of the changelog, and write nothing", false)
    .action(action((options: Options) => release(options, project.impacts), ["Nothing was released.", 2]));
}

function parseDate(text: string): string {
  if (/^\d{4}-\d{2}-\d{2}$/.test(text) && new Date(text).toJSON()?.startsWith(text)) return text;
  throw new InvalidArgumentError("It must be a day such as 2026-01-31.");
}

/** Loads the comparison here, because loading is slow and --help does not need it. */
async function release(
  { spec, changelog, date = new Date().toJSON().slice(0, 10), dryRun, allowOutside }: Options,
  impacts: Project["impacts"],
): Promise<number> {
  const { changesEntry, firstEntry, readChangelog, withEntry } = await import("../diff/output/changelog.ts");
  const { compare, versionOf } = await import("../diff/compare.ts");
  const { remedy } = await import("../diff/output/text.ts");
  const { specOfRelease } = await import("../diff/spec.ts");
  const { readDiffWaivers } = await import("../diff/waivers.ts");
  const { readSpec } = await import("../openapi/read-spec.ts");
  const file = releasedFile(spec);
  const now = await readSpec(spec, undefined, allowOutside);
  const problem = versionFault(undefined, versionOf(now));
  if (problem !== undefined) {
    const version = versionOf(now) || "absent";
    const message = `info.version is ${version}, which is ${problem}; set it to one such as 1.0.0`;
    process.stderr.write(`${now.locate("/info/version")}  ${message}\nNothing was released.\n`);
    return 1;
  }
  const version = versionOf(now);
  let changes = firstEntry(now);
  if (existsSync(file)) {
    const comparison = await compare(await specOfRelease(file), now, await readDiffWaivers(spec), impacts);
    const { impact, isRaised, leastVersion, versions, versionFault, versionLocation } = comparison;
    if (!isRaised) {
      const wanted = leastVersion ?? "a higher semantic version";
      const message = `the changes since ${versions.old} are ${impact}, and info.version is ${versions.now}; set it to ${wanted} or higher`;
      process.stderr.write(`${versionLocation}  ${message}\nNothing was released.\n`);
      return 1;
    }
    if (versionFault !== undefined) {
      process.stderr.write(`${remedy(comparison)}\nNothing was released.\n`);
      return 1;
    }
    if (impact === undefined && versions.old === versions.now) {
      process.stdout.write(`${spec} equals ${file}; nothing to release\n`);
      return 0;
    }
    changes = changesEntry(comparison);
  }
  const entered = withEntry(await readChangelog(changelog), version, date, changes);
  if (dryRun) {
    process.stdout.write(`${entered.entry}\n`);
    return 0;
  }
  await replaceFile(entered.file, entered.text);
  await writeReleased(spec, now.document);
  process.stdout.write(`saved ${spec} as ${file}, and added ${version} to ${changelog}; commit both\n`);
  return 0;
}
