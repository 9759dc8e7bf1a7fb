/** Reports what a change of the spec means for callers. Fails if it breaks them and the version is not raised enough. */
import { existsSync } from "node:fs";
import { allowOutsideOption, hasColours, runProgram, UsageError, type ValuesOf } from "./toolkit/command.ts";
import { releasedFile } from "./toolkit/diff/released.ts";
import { SpecProblemsError } from "./toolkit/openapi/spec-problems.ts";

const help = `Reports what a change of the spec means for callers, on the wire and in TypeScript.

Usage: npm run diff [-- OPTIONS] [REV]

  REV           list the changes since this revision of git; the version still follows from the release
  --base FILE   compare with this document     (the released interface, next to the spec)
  --spec FILE   the document, YAML or JSON     (spec/openapi.yaml)
  --allow-outside DIR  references may also point to files in this folder; repeat it to allow more
  --lenient     continue if a document has errors, and list them
  --json        print the result as one JSON object
  --help        this text

Exit status: 0 nothing breaks or the version is raised enough, 1 the version is not raised enough, 2 wrong usage or no readable spec.
`;

const options = {
  spec: { type: "string", default: "spec/openapi.yaml" },
  base: { type: "string" },
  lenient: { type: "boolean", default: false },
  json: { type: "boolean", default: false },
  ...allowOutsideOption,
} as const;
type Options = ValuesOf<typeof options>;

/** Loads the comparison here, because loading is slow and --help does not need it. */
async function report(
  { spec, base, lenient, json, "allow-outside": allowOutside }: Options,
  [revision, ...more]: readonly string[],
): Promise<number> {
  if (more.length > 0) throw new UsageError("give only one revision");
  if (revision !== undefined && base !== undefined)
    throw new UsageError("give a revision or --base, not both");
  const { compare } = await import("./toolkit/diff/compare.ts");
  const { jsonReport, remedy, terminalReport } = await import("./toolkit/diff/diff-report.ts");
  const { bothOf, specOfBase, specOfRelease, specOfRevision } = await import("./toolkit/diff/spec.ts");
  const { readSpec } = await import("./toolkit/openapi/read-spec.ts");
  const { readDiffWaivers } = await import("./toolkit/diff/waivers.ts");
  const onIgnored = lenient ? (line: string) => void process.stderr.write(`${line}\n`) : undefined;
  const released = releasedFile(spec);
  const now = readSpec(spec, onIgnored, allowOutside);
  if (revision === undefined && base === undefined && !existsSync(released)) {
    // An invalid spec cannot be released, so its problems are reported first.
    await now;
    const message = "nothing was released yet; run `npm run release`, or give a revision or --base FILE";
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

if (import.meta.main)
  await runProgram({
    name: "npm run diff --",
    help,
    options,
    takesOperands: true,
    onSpecProblems: ["Nothing was compared.", 2],
    run: report,
  });
