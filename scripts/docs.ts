/** Writes the reference page of an interface; of this project's own, the one that the server has at /docs. */
import { rename, rm, writeFile } from "node:fs/promises";
import { runProgram } from "./command.ts";
import { generateDocs } from "./generate/pipeline.ts";
import { codeOf, SpecProblemsError } from "./generate/problems.ts";

const help = `Writes the reference of an OpenAPI document of 3.0 or 3.1 as one HTML page that needs nothing else.

Usage: npm run docs [-- OPTIONS]

  --spec FILE   the document, YAML or JSON   (spec/openapi.yaml)
  --out FILE    where the page goes          (generated/docs.html)
  --help        this text

Exit status: 0 done, 1 the document cannot be read or the page not be written, 2 wrong usage.
`;

interface Options {
  readonly spec: string;
  readonly out: string;
}

/** @returns the exit status */
async function main({ spec, out }: Options): Promise<number> {
  try {
    const { page, passed } = await generateDocs(spec);
    if (!(await isReplaced(out, page))) return 1;
    if (passed.length > 0)
      process.stderr.write(
        `${passed.length} place${passed.length === 1 ? " is" : "s are"} shown as far as can be; \`npm run generate -- --spec ${spec}\` lists them\n`,
      );
    process.stdout.write(`wrote ${out}\n`);
    return 0;
  } catch (error) {
    if (!(error instanceof SpecProblemsError)) throw error;
    process.stderr.write(`${error.message}\nNothing was written.\n`);
    return 1;
  }
}

/** Whoever reads the page meanwhile sees the old one or the new one, whole. @returns false where it was told why not */
async function isReplaced(out: string, page: string): Promise<boolean> {
  try {
    await writeFile(`${out}.new`, page);
    await rename(`${out}.new`, out);
    return true;
  } catch (error) {
    const code = codeOf(error);
    if (code === undefined) throw error;
    await rm(`${out}.new`, { force: true }).catch(() => {});
    process.stderr.write(`${out} cannot be written (${code}); name another place with --out FILE\n`);
    return false;
  }
}

if (import.meta.main)
  await runProgram({
    name: "npm run docs --",
    help,
    options: {
      spec: { type: "string", default: "spec/openapi.yaml" },
      out: { type: "string", default: "generated/docs.html" },
    },
    run: main,
  });
