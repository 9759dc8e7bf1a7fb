/** Makes the spec as it is now the released interface, where its version says all that changed. */
import { existsSync } from "node:fs";
import { runProgram } from "./command.ts";
import { releasedFile, writeReleased } from "./diff/released.ts";
import { versionFault } from "./diff/version.ts";
import { SpecProblemsError } from "./generate/problems.ts";

const help = `Keeps the spec as the released interface, which \`npm run diff\` compares with from then on.

Usage: npm run release [-- OPTIONS]

  --spec FILE   the document, YAML or JSON     (spec/openapi.yaml)
  --help        this text

Exit status: 0 done or nothing to do, 1 the version does not say what changed, 2 wrong usage or no readable spec.
`;

/** @returns the exit status */
async function main(spec: string): Promise<number> {
  try {
    return await release(spec);
  } catch (error) {
    if (!(error instanceof SpecProblemsError)) throw error;
    process.stderr.write(`${error.message}\nNothing was released.\n`);
    return 2;
  }
}

/** What reads and compares takes long to load: nobody waits for it who only asks for help. */
async function release(spec: string): Promise<number> {
  const { compare, versionOf } = await import("./diff/compare.ts");
  const { remedy } = await import("./diff/report.ts");
  const { specOfFile, specOfRelease } = await import("./diff/spec.ts");
  const file = releasedFile(spec);
  const now = await specOfFile(spec);
  const fault = versionFault(undefined, versionOf(now));
  if (fault !== undefined) {
    const version = versionOf(now) || "absent";
    const message = `info.version is ${version}, which is ${fault}; set it to one such as 1.0.0`;
    process.stderr.write(`${now.locate("/info/version")}  ${message}\nNothing was released.\n`);
    return 1;
  }
  if (existsSync(file)) {
    const comparison = await compare(await specOfRelease(file), now);
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
      process.stdout.write(`${file} is what ${spec} says; nothing to release\n`);
      return 0;
    }
  }
  await writeReleased(spec, now.document);
  process.stdout.write(`${file} is ${spec} now; commit it\n`);
  return 0;
}

if (import.meta.main)
  await runProgram({
    name: "npm run release --",
    help,
    options: { spec: { type: "string", default: "spec/openapi.yaml" } },
    run: ({ spec }) => main(spec),
  });
