/** Compiles the schemas of the suite. The schemas they refer to are bundled (JSON Schema core, 9.3.1). */
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

export interface Outcome {
  group: string;
  cases: number;
  /** The rules that reject the schema, unless they are waived. */
  refused: SchemaRule[];
  /** The cases in which the code's result differs from the suite's. */
  wrong: string[];
}

type Named<Value> = Readonly<Record<string, Value>>;

const tests = read<Named<Group[]>>("tests.json");

/** The files of the suite without their extension, such as `optional/format/date`. */
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

/** Gives the schema the URL that the suite expects; a schema with another `$id` is wrapped. */
function underAddress(schema: unknown, address: string): unknown {
  if (!isObject(schema)) return schema;
  if (typeof schema.$id !== "string") return { $id: address, ...schema };
  const own = new URL(schema.$id, address).href;
  return own === address ? schema : { $id: address, $ref: own, $defs: { schema: { ...schema, $id: own } } };
}

/** Compiles all schemas of a file into one module and runs the file's cases. */
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
