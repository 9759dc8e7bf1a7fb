/** Writes an OpenAPI document's reference page as one HTML file that contains Scalar's script. */
import { hash } from "node:crypto";
import { readFile, rm } from "node:fs/promises";
import { docsHtml, findScalar, pageScript, reference, scalarSettings } from "#specbind/server/node";
import { allowOutsideOption, runProgram, UsageError, type ValuesOf } from "./toolkit/command.ts";
import { readForDocs } from "./toolkit/generate/pipeline.ts";
import { type JsonObject, valueAt } from "./toolkit/openapi/document.ts";
import { replaceFile } from "./toolkit/openapi/replace-file.ts";
import { codeOf } from "./toolkit/openapi/spec-problems.ts";

const help = `Writes the reference page of an OpenAPI 3.0, 3.1 or 3.2 document as one HTML file that loads no other files.

Usage: npm run docs [-- OPTIONS]

  --spec FILE   the document, YAML or JSON   (spec/openapi.yaml)
  --out FILE    the page                     (docs.html)
  --server URL  the server in the samples    (the document's first)
  --changelog URL  a link to this changelog  (none)
  --allow-outside DIR  references may also point to files in this folder; repeat it to allow more
  --help        this text

Exit status: 0 done, 1 the document cannot be read or the page cannot be written, 2 wrong usage.
`;

const options = {
  spec: { type: "string", default: "spec/openapi.yaml" },
  out: { type: "string", default: "docs.html" },
  server: { type: "string" },
  changelog: { type: "string" },
  ...allowOutsideOption,
} as const;
type Options = ValuesOf<typeof options>;

async function main(options: Options): Promise<number> {
  const { spec, out, server, changelog, "allow-outside": allowOutside } = options;
  for (const [name, url] of Object.entries({ server, changelog }))
    if (url !== undefined && !/^https?:$/.test(URL.parse(url)?.protocol ?? ""))
      throw new UsageError(`--${name} needs a URL such as https://api.example.com, not "${url}"`);
  const scalar = await findScalar(new URL("../", import.meta.url));
  if (scalar === undefined) {
    process.stderr.write("@scalar/api-reference is not installed; run `npm ci`\nNothing was written.\n");
    return 1;
  }
  const { document, passed } = await readForDocs(spec, allowOutside, server);
  const scripts = await Promise.all([scalar.file, pageScript].map((file) => readFile(file, "utf8")));
  if (!(await isReplaced(out, pageOf(document, scripts, changelog)))) return 1;
  if (passed.length > 0)
    process.stderr.write(
      `${passed.length} problem${passed.length === 1 ? " was" : "s were"} ignored; \`npm run generate -- --spec ${spec}\` lists them\n`,
    );
  process.stdout.write(`wrote ${out}\n`);
  return 0;
}

/** The page's content security policy allows its two scripts and no requests. */
function pageOf(document: JsonObject, sources: readonly string[], changelog: string | undefined): string {
  const settings = { ...scalarSettings, hideTestRequestButton: true, content: document, changelog };
  const scripts = sources.map(inScript);
  const allowed = scripts.map((script) => `'sha256-${hash("sha256", script, "base64")}'`).join(" ");
  const policy = `default-src 'none'; script-src ${allowed}; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'`;
  const elements = scripts.map((script) => `<script>${script}</script>`).join("\n");
  return docsHtml(
    String(valueAt(document, "/info/title") ?? "API"),
    `<noscript><p>This page needs JavaScript.</p></noscript>\n${reference(settings)}\n${elements}`,
    `<meta http-equiv="Content-Security-Policy" content="${policy}">\n`,
  );
}

/** Escapes text that would end the script element or start another one in it (HTML, section 13.2.5.4). */
function inScript(code: string): string {
  return code.replaceAll(/<(?=!--|\/?script)/gi, "\\x3c");
}

/** Replaces the page atomically. If that fails, it reports why and returns false. */
async function isReplaced(out: string, page: string): Promise<boolean> {
  try {
    await replaceFile(out, page);
    return true;
  } catch (error) {
    const code = codeOf(error);
    if (code === undefined) throw error;
    await rm(`${out}.new`, { force: true }).catch(() => {});
    process.stderr.write(`${out} cannot be written (${code}); give another path with --out FILE\n`);
    return false;
  }
}

if (import.meta.main)
  await runProgram({
    name: "npm run docs --",
    help,
    options,
    onSpecProblems: ["Nothing was written.", 1],
    run: main,
  });
