/** Creates a project from a document. */
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join, relative, resolve, sep } from "node:path";
import { pathToFileURL } from "node:url";
import type { Contract } from "#specbind/contract";
import { lintSpec } from "../generate/lint.ts";
import { writeFiles } from "../generate/output.ts";
import { type Run, run } from "../generate/pipeline.ts";
import type { Info, JsonObject } from "../openapi/document.ts";
import { type SpecProblem, SpecProblemsError } from "../openapi/spec-problems.ts";
import { withWaivers } from "../openapi/waivers.ts";
import { errorEnvelopeOf } from "./error-envelope.ts";
import { dependencyOf, type InstalledPackages } from "./installed-packages.ts";
import { assertFree, makeFolder } from "./new-folder.ts";
import { operationFiles } from "./operation-files.ts";
import { type NewProject, packageName, projectFiles, rulesFile } from "./project-files.ts";
import { readmeOf } from "./readme.ts";

export interface Made {
  readonly operations: number;
  /** Without the document and generated files. */
  readonly files: number;
  /** Whether an operation needs a credential. */
  readonly needsCredentials: boolean;
  readonly passed: readonly SpecProblem[];
  readonly notes: readonly SpecProblem[];
}

interface Choices {
  readonly document: string;
  /** Must be missing or empty. Missing parents are created. */
  readonly folder: string;
  readonly lenient: boolean;
  readonly packages: InstalledPackages;
}

/** @throws SpecProblemsError with every place of the document that must be fixed, or FolderError */
export async function makeProject({ document, folder, lenient, packages }: Choices): Promise<Made> {
  await assertFree(folder);
  // The document is an operand, and only its own folder is copied.
  const remedies = { give: () => "give another FILE", allow: "merge both with `npx redocly bundle`" };
  const made = await run({ spec: document, lenient, remedies });
  const spec = await specFiles(document, made);
  return makeFolder(folder, async (parts) => {
    await writeAll(parts, new Map([...spec, ["package.json", '{"type":"module"}']]));
    const generated = await generatedFrom(parts, document);
    await writeFiles(join(parts, "generated"), generated);
    const load = (name: string) => import(pathToFileURL(join(parts, "generated", name)).href);
    const { contract }: { contract: Contract } = await load("contract.ts");
    const { credentials } = await load("operations.ts");
    const api: JsonObject & { info: Info } = JSON.parse(generated.get("openapi.json") ?? "");
    const project: NewProject = {
      info: api.info,
      contract,
      packages: placed(packages, folder),
      examples: await severityOfExamples(parts),
      envelope: errorEnvelopeOf(api, contract)?.code,
    };
    const files = new Map([
      ...projectFiles(project),
      ...operationFiles(contract, api),
      ["README.md", readmeOf(project, packageName(api.info.title), api, credentials)],
    ]);
    await writeAll(parts, files);
    const operations = Object.values(contract.operations);
    return {
      operations: operations.length,
      files: files.size,
      needsCredentials: operations.some(({ security }) => security.length > 0),
      passed: made.passed,
      notes: made.notes,
    };
  });
}

/** Many documents have wrong examples. They must not fail the tests of the new project. */
async function severityOfExamples(parts: string): Promise<NewProject["examples"]> {
  const rules = join(parts, "redocly.yaml");
  await writeFile(rules, rulesFile("error"));
  try {
    const { errors } = await lintSpec(join(parts, "spec/openapi.yaml"), rules);
    return errors.length === 0 ? "error" : "warn";
  } catch (error) {
    if (error instanceof SpecProblemsError) return "off";
    throw error;
  } finally {
    await rm(rules);
  }
}

function placed(packages: InstalledPackages, folder: string): InstalledPackages {
  return {
    specbind: dependencyOf(packages.specbind, folder),
    "specbind-runtime": dependencyOf(packages["specbind-runtime"], folder),
  };
}

/**
 * The document, the files that it refers to, and its waivers, keyed by path.
 * @throws SpecProblemsError if a referenced file cannot be copied
 */
async function specFiles(document: string, made: Run): Promise<Map<string, string | Uint8Array>> {
  const folder = dirname(resolve(document));
  const waivers = join(folder, "waivers.yaml");
  const files = new Map<string, string | Uint8Array>([["spec/openapi.yaml", await readFile(document)]]);
  for (const path of made.read) {
    if (path === resolve(document) || path === waivers) continue;
    const place = relative(folder, path).split(sep).join("/");
    if (files.has(`spec/${place}`))
      throw new SpecProblemsError([
        {
          location: document,
          message: `it refers to ${place}, which is outside its folder; merge both into one file with \`npx redocly bundle\``,
        },
      ]);
    files.set(`spec/${place}`, await readFile(path));
  }
  const given = made.read.includes(waivers) ? await readFile(waivers, "utf8") : "";
  const all = await withWaivers(given, made.passed);
  if (all !== "") files.set("spec/waivers.yaml", all);
  return files;
}

async function writeAll(folder: string, files: ReadonlyMap<string, string | Uint8Array>): Promise<void> {
  for (const [path, text] of files) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
}

/** Generates like the new project. The run is not lenient, because the waivers list all rules that are not enforced. */
async function generatedFrom(parts: string, document: string) {
  try {
    return (await run({ spec: join(parts, "spec/openapi.yaml"), lenient: false })).files;
  } catch (error) {
    if (!(error instanceof SpecProblemsError)) throw error;
    const [first] = error.problems;
    const message = `it is not valid after its renaming to spec/openapi.yaml (${first?.message}); if a reference contains the name of this file, write only the part from #`;
    throw new SpecProblemsError([{ location: document, message }]);
  }
}
