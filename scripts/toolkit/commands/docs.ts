/** Writes an OpenAPI document's reference page as one HTML file that contains Scalar's script. */
import { hash } from "node:crypto";
import { readFile, rm } from "node:fs/promises";
import { type Command, InvalidArgumentError } from "commander";
import { docsHtml, pageScript, reference, scalarSettings } from "#specbind/server/node";
import { fetchReferenceScript, ReferenceScriptError } from "../docs/reference-script.ts";
import { readForDocs } from "../generate/pipeline.ts";
import { type JsonObject, valueAt } from "../openapi/document.ts";
import { replaceFile } from "../openapi/replace-file.ts";
import { codeOf } from "../openapi/spec-problems.ts";
import { action, allowOutsideOption, createCommand } from "./command-line.ts";
import { nameOf, type Project } from "./project.ts";

interface Options {
  readonly spec: string;
  readonly out: string;
  readonly server: string | undefined;
  readonly changelog: string | undefined;
  readonly assets: string | undefined;
  readonly allowOutside: readonly string[];
}

export function docsCommand(project: Project): Command {
  const { spec } = project;
  return createCommand(
    nameOf(project, "docs"),
    "Writes the reference page of an OpenAPI 3.0, 3.1 or 3.2 document as one HTML file that loads no other files.",
    "0 done, 1 the document cannot be read or the page cannot be written, 2 wrong usage.",
  )
    .option("--spec <FILE>", "the document, YAML or JSON", spec)
    .option("--out <FILE>", "the page", "docs.html")
    .option("--server <URL>", "the server in the samples, instead of the document's first", parseUrl)
    .option("--changelog <URL>", "a link to this changelog", parseUrl)
    .option("--assets <DIR>", "write no page, but the script that a server needs for /docs")
    .option(...allowOutsideOption(project))
    .action(action((options: Options) => main(options, project), ["Nothing was written.", 1]));
}

function parseUrl(text: string): string {
  if (/^https?:$/.test(URL.parse(text)?.protocol ?? "")) return text;
  throw new InvalidArgumentError("It must be a URL such as https://api.example.com.");
}

async function main(options: Options, { program, docsAssets }: Project): Promise<number> {
  const { assets } = options;
  try {
    const script = await fetchReferenceScript(assets ?? docsAssets);
    if (assets === undefined) return await writePage(options, script, program);
    process.stdout.write(`wrote ${script}; set DOCS_ASSETS=${assets}\n`);
    return 0;
  } catch (error) {
    if (!(error instanceof ReferenceScriptError)) throw error;
    process.stderr.write(`${error.message}\nNothing was written.\n`);
    return 1;
  }
}

async function writePage(
  { spec, out, server, changelog, allowOutside }: Options,
  script: string,
  program: Project["program"],
): Promise<number> {
  const { document, passed } = await readForDocs(spec, allowOutside, server);
  const scripts = await Promise.all([script, pageScript].map((file) => readFile(file, "utf8")));
  if (!(await isReplaced(out, pageOf(document, scripts, changelog)))) return 1;
  if (passed.length > 0)
    process.stderr.write(
      `${passed.length} problem${passed.length === 1 ? " was" : "s were"} ignored; \`${nameOf({ program }, "generate")} --spec ${spec}\` lists them\n`,
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
