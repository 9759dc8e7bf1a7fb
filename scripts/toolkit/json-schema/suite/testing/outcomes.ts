/** Runs the cases of the suite. Schemas to which they refer are bundled (JSON Schema core, 9.3.1). */
import { readFileSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Source } from "@redocly/openapi-core";
import { generate } from "../../../generate/pipeline.ts";
import { bundle } from "../../../openapi/bundle.ts";
import { isObject, type JsonObject } from "../../../openapi/document.ts";
import { SpecFiles } from "../../../openapi/files.ts";
import { Findings } from "../../../openapi/findings.ts";
import { compileValidators } from "../../compile.ts";
import { load } from "../../testing/compiled.ts";

interface Group {
  description: string;
  schema: unknown;
  tests: { description: string; data: unknown; valid: boolean }[];
}

export interface Outcome {
  group: string;
  cases: number;
  /** The rules that reject the schema, unless they are waived. */
  rejected: string[];
  /** The cases in which the result differs from what the suite expects. */
  wrong: string[];
}

/** The code of a module with `validateRoot`, and the rules that reject the schema. */
interface Validators {
  code: string;
  rejected: Iterable<string>;
}

type Named<Value> = Readonly<Record<string, Value>>;

const tests = read<Named<Group[]>>("tests.json");

/** The suite's files without their extension, such as `optional/format/date`. */
export const suiteFiles: readonly string[] = Object.keys(tests).map((file) => file.replace(".json", ""));

function read<Value>(name: string): Value {
  return JSON.parse(readFileSync(new URL(`../${name}`, import.meta.url), "utf8"));
}

/** Schemas outside of a case, and the text of schemas that refer to them. */
const elsewhere: readonly (readonly [reference: string, schema: unknown])[] = [
  ...Object.entries(read<Named<unknown>>("remotes.json")).map(
    ([file, schema]) =>
      [
        file.slice(file.lastIndexOf("/") + 1),
        underAddress(schema, `http://localhost:1234/draft2020-12/${file}`),
      ] as const,
  ),
  ...Object.entries(read<Named<{ $id: string }>>("meta-schemas.json")).map(([file, schema]) => {
    const name = file.replace(".json", "");
    return [`"$ref":"${name === "schema" ? schema.$id : name}"`, schema] as const;
  }),
];

/** Gives the schema the URL that the suite expects. A schema with another `$id` is wrapped. */
function underAddress(schema: unknown, address: string): unknown {
  if (!isObject(schema)) return schema;
  if (typeof schema.$id !== "string") return { $id: address, ...schema };
  const own = new URL(schema.$id, address).href;
  return own === address ? schema : { $id: address, $ref: own, $defs: { schema: { ...schema, $id: own } } };
}

/** Runs the cases of a file with the validators that the compiler makes from each single schema. */
export function compilerOutcomes(file: string): Promise<Outcome[]> {
  return outcomesOf(file, async (root) => {
    const value = documentOf(root) as JsonObject;
    const source = new Source("suite.json", "");
    const entry = { path: "/suite.json", shownPath: "suite.json", value, source, unsafeIntegers: [] };
    const { document, problems } = await bundle(entry, new SpecFiles());
    const { code, unenforceable } = compileValidators(document, [
      { name: "Root", pointer: "/components/schemas/Root", use: "response" },
    ]);
    const rejected = unenforceable.flatMap(({ rule, isNote }) => (isNote ? [] : [rule]));
    return { code, rejected: [...problems.map(() => "reference"), ...rejected] };
  });
}

/** Runs the cases of a file with the code that the generator writes for an OpenAPI document with each schema. */
export async function generatorOutcomes(file: string): Promise<Outcome[]> {
  const folder = await mkdtemp(join(tmpdir(), "suite-"));
  const path = join(folder, "openapi.json");
  try {
    return await outcomesOf(file, async (root) => {
      await writeFile(path, JSON.stringify(documentOf(root)));
      const findings = new Findings({ lenient: true });
      const files = await generate(path, findings);
      const rejected = findings.settle().map(({ rule = "" }) => rule);
      return { code: files.get("validators.js") ?? "", rejected };
    });
  } finally {
    await rm(folder, { recursive: true });
  }
}

function documentOf(root: unknown): unknown {
  // A schema that is only a reference would have no validator of its own.
  const schemas = new Map([["Root", isObject(root) ? { $comment: "the root", ...root } : root]]);
  // The loop also visits schemas that are added to the Map while it runs.
  for (const [, schema] of schemas) {
    const text = JSON.stringify(schema);
    for (const [index, [reference, other]] of elsewhere.entries())
      if (text.includes(reference)) schemas.set(`Other${index}`, other);
  }
  const content = { "application/json": { schema: { $ref: "#/components/schemas/Root" } } };
  const post = {
    operationId: "send",
    requestBody: { content },
    responses: { 204: { description: "Done." } },
  };
  return {
    openapi: "3.1.1",
    info: { title: "Suite", version: "1.0.0" },
    paths: { "/": { post } },
    components: { schemas: Object.fromEntries(schemas) },
  };
}

/** Compiles all schemas of a file into one module and runs the file's cases. */
async function outcomesOf(
  file: string,
  validatorsOf: (root: unknown) => Validators | Promise<Validators>,
): Promise<Outcome[]> {
  const groups = tests[`${file}.json`] ?? [];
  const compiled: Validators[] = [];
  for (const [index, { schema }] of groups.entries()) {
    const isWithoutId = isObject(schema) && !("$id" in schema);
    const root = isWithoutId ? { $id: `https://suite.test/${file}/${index}`, ...schema } : schema;
    compiled.push(await validatorsOf(root));
  }
  const functions = compiled.map(
    ({ code }, index) =>
      `export const validate${index} = (() => {\n${code.replaceAll(/^export /gm, "")}\nreturn validateRoot;\n})();`,
  );
  const module = await load(functions.join("\n"));
  return groups.map(({ description, tests }, index) => ({
    group: description,
    cases: tests.length,
    rejected: [...new Set(compiled[index]?.rejected)],
    wrong: tests
      .filter(({ data, valid }) => module[`validate${index}`]?.(data, []) !== valid)
      .map((each) => each.description),
  }));
}
