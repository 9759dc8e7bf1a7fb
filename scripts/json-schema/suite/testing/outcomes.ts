/**
 * Puts the JSON Schema Test Suite to the compiler as a document is put to it: every schema is a component, and beside
 * it stand the schemas it refers to elsewhere, each under its own `$id` (bundling: JSON Schema core, 9.3.1).
 */
import { readFileSync } from "node:fs";
import { isObject } from "../../../openapi/document.ts";
import { compileValidators } from "../../compile.ts";
import type { SchemaRule } from "../../schema.ts";
import { load } from "../../testing/compiled.ts";

interface Group {
  description: string;
  schema: unknown;
  tests: { description: string; data: unknown; valid: boolean }[];
}

/** What became of one schema of the suite. */
export interface Outcome {
  group: string;
  cases: number;
  /** The rules by which the generator refuses the schema, unless they are waived. */
  refused: SchemaRule[];
  /** The cases that the code, generated all the same, judges otherwise than the suite. */
  wrong: string[];
}

type Named<Value> = Readonly<Record<string, Value>>;

const tests = read<Named<Group[]>>("tests.json");

/** The files of the suite without their ending, such as `optional/format/date`. */
export const suiteFiles: readonly string[] = Object.keys(tests).map((file) => file.replace(".json", ""));

function read<Content>(name: string): Content {
  return JSON.parse(readFileSync(new URL(`../${name}`, import.meta.url), "utf8"));
}

const elsewhere = Object.fromEntries([...remoteSchemas(), ...metaSchemas()]);

function remoteSchemas(): [address: string, schema: unknown][] {
  return Object.entries(read<Named<unknown>>("remotes.json")).map(([file, schema]) => {
    const address = `http://localhost:1234/draft2020-12/${file}`;
    return [address, underAddress(schema, address)];
  });
}

function metaSchemas(): [address: string, schema: unknown][] {
  return Object.entries(read<Named<unknown>>("meta-schemas.json"));
}

/** The schema under the address where the suite expects it; one that calls itself otherwise stands within another. */
function underAddress(schema: unknown, address: string): unknown {
  if (!isObject(schema)) return schema;
  if (typeof schema.$id !== "string") return { $id: address, ...schema };
  const own = new URL(schema.$id, address).href;
  return own === address ? schema : { $id: address, $ref: own, $defs: { schema: { ...schema, $id: own } } };
}

/** Compiles every schema of a file into one module and puts the file's cases to it. */
export async function judgeFile(file: string): Promise<Outcome[]> {
  const groups = tests[`${file}.json`] ?? [];
  const compiled = groups.map(({ schema }, index) => {
    const named = isObject(schema) && !("$id" in schema);
    const Root = named ? { $id: `https://suite.test/${file}/${index}`, ...schema } : schema;
    const document = { components: { schemas: { Root, ...elsewhere } } };
    return compileValidators(document, [
      { name: "Root", pointer: "/components/schemas/Root", use: "response" },
    ]);
  });
  const functions = compiled.map(
    ({ code }, index) =>
      `export const judge${index} = (() => {\n${code.replaceAll(/^export /gm, "")}\nreturn validateRoot;\n})();`,
  );
  const module = await load(functions.join("\n"));
  return groups.map(({ description, tests }, index) => ({
    group: description,
    cases: tests.length,
    refused: [...new Set(compiled[index]?.unenforceable.map(({ rule }) => rule))],
    wrong: tests
      .filter(({ data, valid }) => module[`judge${index}`]?.(data, []) !== valid)
      .map((each) => each.description),
  }));
}
