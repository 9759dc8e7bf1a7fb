/** Releases the spec if its version covers every change, and writes the changelog. */
import { existsSync } from "node:fs";
import { allowOutsideOption, runProgram, UsageError, type ValuesOf } from "./toolkit/command.ts";
import { releasedFile, writeReleased } from "./toolkit/diff/released.ts";
import { versionFault } from "./toolkit/diff/version.ts";
import { replaceFile } from "./toolkit/openapi/replace-file.ts";

const help = `Saves the spec as the released interface, and adds its changes to the changelog. \`npm run diff\` compares the spec
with this interface. Notes under "Unreleased" in the changelog become part of the new entry.

Usage: npm run release [-- OPTIONS]

  --spec FILE        the document, YAML or JSON     (spec/openapi.yaml)
  --allow-outside DIR  references may also point to files in this folder; repeat it to allow more
  --changelog FILE   the changelog, Markdown        (CHANGELOG.md)
  --date DATE        the date of the release        (today, in UTC)
  --dry-run          print the new entry of the changelog, and write nothing
  --help             this text

Exit status: 0 done or nothing to do; 1 the version is not raised enough; 2 wrong usage, or no readable spec or changelog.
`;

const options = {
  spec: { type: "string", default: "spec/openapi.yaml" },
  changelog: { type: "string", default: "CHANGELOG.md" },
  date: { type: "string" },
  "dry-run": { type: "boolean", default: false },
  ...allowOutsideOption,
} as const;
type Options = ValuesOf<typeof options>;

/** Loads the comparison here, because loading is slow and --help does not need it. */
async function release({
  spec,
  changelog,
  date = new Date().toJSON().slice(0, 10),
  "dry-run": isDryRun,
  "allow-outside": allowOutside,
}: Options): Promise<number> {
  if (!isDate(date)) throw new UsageError(`--date must be a day such as 2026-01-31, not ${date}`);
  const { changesEntry, firstEntry, readChangelog, withEntry } = await import("./toolkit/diff/changelog.ts");
  const { compare, versionOf } = await import("./toolkit/diff/compare.ts");
  const { remedy } = await import("./toolkit/diff/diff-report.ts");
  const { specOfRelease } = await import("./toolkit/diff/spec.ts");
  const { readDiffWaivers } = await import("./toolkit/diff/waivers.ts");
  const { readSpec } = await import("./toolkit/openapi/read-spec.ts");
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
    const comparison = await compare(await specOfRelease(file), now, await readDiffWaivers(spec));
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
  if (isDryRun) {
    process.stdout.write(`${entered.entry}\n`);
    return 0;
  }
  await replaceFile(entered.file, entered.text);
  await writeReleased(spec, now.document);
  process.stdout.write(`saved ${spec} as ${file}, and added ${version} to ${changelog}; commit both\n`);
  return 0;
}

const isDate = (text: string): boolean =>
  /^\d{4}-\d{2}-\d{2}$/.test(text) && new Date(text).toJSON()?.startsWith(text) === true;

if (import.meta.main)
  await runProgram({
    name: "npm run release --",
    help,
    options,
    onSpecProblems: ["Nothing was released.", 2],
    run: release,
  });
