/**
 * Random changes of real documents. No change may cause a crash, a message without a place, or output that does not
 * compile. `MUTATIONS=10000` makes more changes, `MUTATION_SEED=7` makes others, `MUTATION_SPECS=DIR` adds documents.
 */
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parseYaml } from "@redocly/openapi-core";
import { beforeAll, expect, test } from "vitest";
import { randomFrom } from "../../../server/testing/random.ts";
import { temporaryFolder } from "../../testing/temporary-folder.ts";
import { typeErrors } from "../../testing/type-errors.ts";
import { isObject, type JsonObject } from "../openapi/document.ts";
import { Findings } from "../openapi/findings.ts";
import { type SpecProblem, SpecProblemsError } from "../openapi/spec-problems.ts";
import { generate } from "./pipeline.ts";
import { mutate } from "./testing/mutations.ts";
import { fixtures } from "./testing/programs.ts";

const { MUTATIONS = "300", MUTATION_SEED = "1", MUTATION_SPECS } = process.env;
/** The number of documents whose output is compiled together. */
const batchSize = 100;

const folder = temporaryFolder();
const documents: JsonObject[] = [];
beforeAll(async () => {
  const own = [
    "real/museum/openapi.yaml",
    "real/petstore/openapi.yaml",
    "accept/library.yaml",
    "accept/oddities.yaml",
  ];
  const others = MUTATION_SPECS === undefined ? [] : await readdir(MUTATION_SPECS);
  for (const file of [
    ...own.map((name) => join(fixtures, name)),
    ...others.map((name) => join(MUTATION_SPECS ?? "", name)),
  ]) {
    const document = parseYaml(await readFile(file, "utf8"));
    if (isObject(document)) documents.push(document);
  }
});

/** Writes the output of a run for the compiler. @returns the failure of the run, if it has one */
async function failureOf(spec: string, out: string): Promise<string | undefined> {
  const findings = new Findings({ lenient: true });
  try {
    const files = await generate(spec, findings);
    await mkdir(out);
    for (const name of ["types.ts", "operations.ts", "contract.ts", "validators.js", "validators.d.ts"])
      await writeFile(join(out, name), files.get(name) ?? "");
    await import(join(out, "validators.js"));
    return failureIn(findings.settle());
  } catch (error) {
    if (error instanceof SpecProblemsError) return failureIn(error.problems);
    return error instanceof Error ? error.stack : String(error);
  }
}

/** These have no place: the document lacks a field, or is not OpenAPI. */
const aboutAll = /^(?:The field `\w+` is missing|not an OpenAPI document)/;

/** A run with one of these problems failed, because they do not name the place of the cause. */
function failureIn(problems: readonly SpecProblem[]): string | undefined {
  const wrong = problems.find(
    ({ location, message }) =>
      !/:\d+:\d+$/.test(location) ||
      (location.endsWith(":1:1") && !aboutAll.test(message)) ||
      /cannot (?:generate types|be checked)/.test(message),
  );
  return wrong && `${wrong.location}  ${wrong.message}`;
}

test("a document with random changes generates code that compiles, or is rejected with places", async () => {
  const failures: string[] = [];
  for (let index = 0; index < Number(MUTATIONS); index += 1) {
    const seed = Number(MUTATION_SEED) * 1_000_003 + index;
    const document = structuredClone(documents[index % documents.length] as JsonObject);
    const changes = mutate(document, randomFrom(seed));
    const spec = join(folder, `${index}.json`);
    await writeFile(spec, JSON.stringify(document, null, 1));
    const failure = await failureOf(spec, join(folder, String(index)));
    if (failure !== undefined) failures.push(`${index}, ${changes}: ${failure}`);
    if (index % batchSize === batchSize - 1) failures.push(...(await compileFailures()));
  }
  expect([...failures, ...(await compileFailures())]).toEqual([]);
});

/** Compiles all output that was written, and removes it. */
async function compileFailures(): Promise<string[]> {
  const names = await readdir(folder);
  const outputs = names.filter((name) => !name.endsWith(".json"));
  const sources = outputs.flatMap((name) =>
    ["contract.ts", "types.ts", "operations.ts"].map((file) => join(folder, name, file)),
  );
  const errors = sources.length === 0 ? [] : typeErrors(sources);
  for (const name of outputs) await rm(join(folder, name), { recursive: true });
  return errors.map(({ file, line, message }) => `${file}:${line} ${message}`);
}
