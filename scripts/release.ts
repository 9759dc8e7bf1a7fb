/** Makes the spec as it is now the released interface, where its version says all that changed. */
import { existsSync } from "node:fs";
import { parseArgs } from "node:util";
import { compare } from "./diff/compare.ts";
import { releasedFile, writeReleased } from "./diff/released.ts";
import { remedy } from "./diff/report.ts";
import { specOfFile, specOfRelease } from "./diff/spec.ts";
import { messageOf, SpecProblemsError } from "./generate/problems.ts";

const help = `Keeps the spec as the released interface, which \`npm run diff\` compares with from then on.

Usage: npm run release [-- OPTIONS]

  --spec FILE   the document, YAML or JSON     (spec/openapi.yaml)
  --help        this text

Exit status: 0 done or nothing to do, 1 the version does not say what changed, 2 wrong usage or no readable spec.
`;

/** @returns the exit status */
async function main(args: readonly string[]): Promise<number> {
  let options: { spec: string; help: boolean };
  try {
    options = parseArgs({
      args: [...args],
      options: {
        spec: { type: "string", default: "spec/openapi.yaml" },
        help: { type: "boolean", default: false },
      },
    }).values;
  } catch (error) {
    process.stderr.write(`${messageOf(error)}\nTry: npm run release -- --help\n`);
    return 2;
  }
  if (options.help) {
    process.stdout.write(help);
    return 0;
  }
  try {
    return await release(options.spec);
  } catch (error) {
    if (!(error instanceof SpecProblemsError)) throw error;
    process.stderr.write(`${error.message}\nNothing was released.\n`);
    return 2;
  }
}

async function release(spec: string): Promise<number> {
  const file = releasedFile(spec);
  const now = await specOfFile(spec);
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

if (import.meta.main) process.exitCode = await main(process.argv.slice(2));
