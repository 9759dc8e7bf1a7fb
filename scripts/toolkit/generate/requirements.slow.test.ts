/** What the specification requires of documents, sentence by sentence. */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { temporaryFolder } from "../../testing/temporary-folder.ts";
import { copyOf, isObject, type Json, type JsonObject, tokensOf, valueAt } from "../openapi/document.ts";
import { locationOf, SpecFiles } from "../openapi/files.ts";
import { Findings } from "../openapi/findings.ts";
import { lineOf, SpecProblemsError } from "../openapi/spec-problems.ts";
import { generate } from "./pipeline.ts";
import { fixtures } from "./testing/programs.ts";

type Changes = { readonly [pointer: string]: Json };

interface Requirements {
  readonly base: JsonObject;
  readonly versions: { readonly [version: string]: Changes };
  readonly requirements: readonly {
    readonly must: string;
    readonly says?: string;
    readonly invalid: readonly {
      readonly version: string;
      readonly set: Changes;
      readonly at?: string;
      readonly says?: string;
    }[];
  }[];
}

const { base, versions, requirements }: Requirements = parse(
  await readFile(join(fixtures, "requirements.yaml"), "utf8"),
);
const file = join(temporaryFolder(), "openapi.json");

function change(document: JsonObject, changes: Changes): void {
  for (const [pointer, value] of Object.entries(copyOf(changes))) {
    const tokens = tokensOf(pointer);
    const last = tokens.pop() ?? "";
    const holder = tokens.reduce<Json>((outer, token) => {
      if (isObject(outer)) outer[token] ??= {};
      return valueAt(outer, `/${token.replaceAll("~", "~0").replaceAll("/", "~1")}`) ?? null;
    }, document);
    if (value === null) delete (holder as JsonObject)[last];
    else (holder as JsonObject)[last] = value;
  }
}

/** The problems of a document, without the name of its file, and the line of one of its places. */
async function verdictOn(version: string, changes: Changes, at = "") {
  const document = copyOf(base);
  change(document, versions[version] ?? {});
  change(document, changes);
  await writeFile(file, JSON.stringify(document, null, 2));
  const files = new SpecFiles();
  const findings = new Findings();
  const problems = await generate(file, findings, files).then(
    () => findings.settle(),
    (error: unknown) => {
      if (!(error instanceof SpecProblemsError)) throw error;
      return error.problems;
    },
  );
  const read = await files.read(file);
  const withoutColumn = (place: string) => place.replaceAll(read.shownPath, "").replace(/^(:\d+):\d+/, "$1");
  return {
    problems: problems.map((problem) => withoutColumn(lineOf(problem))),
    line: withoutColumn(locationOf({ file: read, pointer: at })),
  };
}

test.each(Object.keys(versions))(
  "a document that meets all requirements of %s is accepted",
  async (version) => {
    expect((await verdictOn(version, {})).problems).toEqual([]);
  },
);

test.each(requirements)("$must", async ({ says: common, invalid }) => {
  expect(invalid.length).toBeGreaterThan(1);
  for (const { version, set, at = Object.keys(set)[0], says = common } of invalid) {
    const { problems, line } = await verdictOn(version, set, at);
    expect(problems, JSON.stringify(set)).toEqual([`${line}  ${says}`]);
  }
});
