/** The pipeline: load a spec, model it, render everything that is derived from it, and write that (or compare). */
import { parseArgs } from "node:util";
import { inDirections } from "./generate/directions.ts";
import { Findings } from "./generate/findings.ts";
import { loadSpec } from "./generate/load.ts";
import { modelOf } from "./generate/model.ts";
import { lineOf, messageOf, type SpecProblem, SpecProblemsError } from "./generate/problems.ts";
import { renderContract } from "./generate/render-contract.ts";
import { renderOperations } from "./generate/render-operations.ts";
import { renderTypes } from "./generate/render-types.ts";
import { banner } from "./generate/source-text.ts";
import { compileValidators } from "./generate/validators/compile.ts";
import { readWaivers } from "./generate/waivers.ts";
import { type GeneratedFiles, OutputError, staleFiles, writeFiles } from "./generate/write.ts";

const help = `Generates types, validators and the contract from an OpenAPI document of 3.0 or 3.1, in one file or many.

Usage: npm run generate [-- OPTIONS]

  --spec FILE   the document, YAML or JSON     (spec/openapi.yaml)
  --out DIR     where the output goes          (generated)
  --lenient     go on past what cannot be enforced, list it, and generate all the rest
  --waivers FILE  what may stay unenforced     (waivers.yaml beside the document)
  --check       write nothing; name what is stale and exit with 1
  --help        this text

Exit status: 0 done, 1 the spec has faults, output is stale or cannot be written, 2 wrong usage.
`;

interface Options {
  readonly spec: string;
  readonly out: string;
  readonly lenient: boolean;
  readonly waivers?: string | undefined;
  readonly check: boolean;
  readonly help: boolean;
}

/**
 * Everything that is derived from a spec, in memory.
 *
 * @throws SpecProblemsError naming every place that must be mended
 */
export async function generate(specPath: string, findings = new Findings()): Promise<GeneratedFiles> {
  const loaded = await loadSpec(specPath, findings);
  const spec = inDirections(loaded);
  const model = modelOf(spec);
  const validators = compileValidators(spec.document, model.schemas);
  for (const { rule, pointer, message } of validators.unenforceable) spec.report(rule, pointer, message);
  findings.stopIfAny();
  return new Map([
    ["openapi.json", `${JSON.stringify(loaded.document, null, 2)}\n`],
    ["types.ts", renderTypes(spec, model)],
    ["operations.ts", renderOperations(model)],
    ["validators.js", `${banner}\n${validators.code}`],
    ["validators.d.ts", `${banner}\n${validators.declarations}`],
    ["contract.ts", renderContract(model, validators.completes)],
  ]);
}

/** @returns the exit status */
async function main(args: readonly string[]): Promise<number> {
  let options: Options;
  try {
    options = readOptions(args);
  } catch (error) {
    process.stderr.write(`${messageOf(error)}\nTry: npm run generate -- --help\n`);
    return 2;
  }
  if (options.help) {
    process.stdout.write(help);
    return 0;
  }
  try {
    const waivers = await readWaivers(options.spec, options.waivers);
    const findings = new Findings({ lenient: options.lenient, waivers });
    const files = await generate(options.spec, findings);
    const passed = findings.settle();
    if (passed.length > 0) process.stderr.write(`${passed.map(lineOf).join("\n")}\n${summary(passed)}\n`);
    return options.check ? await check(options, files) : await write(options, files);
  } catch (error) {
    if (error instanceof SpecProblemsError)
      process.stderr.write(`${error.message}\nNothing was generated.\n`);
    else if (error instanceof OutputError) process.stderr.write(`${error.message}\n`);
    else throw error;
    return 1;
  }
}

function summary(passed: readonly SpecProblem[]): string {
  return `Not enforced: ${passed.length} place${passed.length === 1 ? "" : "s"}, listed above.`;
}

function readOptions(args: readonly string[]): Options {
  return parseArgs({
    args: [...args],
    options: {
      spec: { type: "string", default: "spec/openapi.yaml" },
      out: { type: "string", default: "generated" },
      lenient: { type: "boolean", default: false },
      waivers: { type: "string" },
      check: { type: "boolean", default: false },
      help: { type: "boolean", default: false },
    },
  }).values;
}

async function check({ spec, out }: Options, files: GeneratedFiles): Promise<number> {
  const stale = await staleFiles(out, files);
  if (stale.length > 0) {
    process.stderr.write(`${stale.join("\n")}\nRun \`npm run generate\` and commit the result.\n`);
    return 1;
  }
  process.stdout.write(`${out} is what ${spec} generates\n`);
  return 0;
}

async function write({ out }: Options, files: GeneratedFiles): Promise<number> {
  const written = await writeFiles(out, files);
  process.stdout.write(
    written.length > 0 ? `${out}: wrote ${written.join(", ")}\n` : `${out} is up to date\n`,
  );
  return 0;
}

if (import.meta.main) process.exitCode = await main(process.argv.slice(2));
