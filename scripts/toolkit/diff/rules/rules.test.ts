import { readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../../testing/temporary-folder.ts";
import { entriesOf, type JsonObject } from "../../openapi/document.ts";
import { readSpec } from "../../openapi/read-spec.ts";
import type { Change } from "../changes.ts";
import { compare } from "../compare.ts";
import { cases } from "../testing/cases.ts";
import { get, integer, ref, text, withPaths } from "../testing/notation.ts";
import { specOf, specsOf } from "../testing/spec.ts";
import { wireChanges } from "../wire.ts";
import { allRules } from "./index.ts";
import { typeRules } from "./other-rules.ts";
import { policiesFor } from "./policy-rules.ts";

const folder = temporaryFolder();

/** The first sentence of each rule: about a change of the table, about types, or about what a policy allows. */
async function examplesOfRules(): Promise<Map<string, string>> {
  const findings: Change[] = [];
  for (const [, old, now] of cases) findings.push(...wireChanges(...(await specsOf(old, now))));
  const path = (id: string, name: string, schema: JsonObject): JsonObject =>
    withPaths({
      [`/things/{${name}}`]: get({
        operationId: id,
        parameters: [
          { name, in: "path", required: true, schema: text },
          { name: "limit", in: "query", schema },
          { name: "sort", in: "query", schema: id === "getThing" ? text : ref("Sort") },
        ],
      }),
    });
  const file = join(folder, "openapi.yaml");
  await writeFile(file, JSON.stringify(path("readThing", "thingId", text)));
  const older = await specOf(path("getThing", "id", integer), "old.json");
  const { changes, typeBreaks } = await compare(older, await readSpec(file, () => {}));
  const marks: JsonObject[] = [
    { deprecated: true, "x-sunset": "2020-01-31" },
    ...["draft", "alpha", "beta"].map((level) => ({ "x-stability": level })),
  ];
  const allowed = marks.flatMap((value) =>
    policiesFor({ document: {}, pointer: "", value }).map((rule) => ({
      rule,
      message: entriesOf(value)
        .map(([key, each]) => `\`${key}: ${each}\``)
        .join(", "),
    })),
  );
  const types = typeBreaks.map(({ rule, name, message }) => ({
    rule,
    message: rule === typeRules.removed.id ? `\`${name}\` ${message}` : message,
  }));
  const all = [...allowed, ...types, ...changes, ...findings];
  return new Map(all.toReversed().map(({ rule, message }) => [rule, message]));
}

test("docs/diff.md lists every rule with its description, an example of the table of changes, and its remedy", async () => {
  const [, table = ""] = readFileSync("docs/diff.md", "utf8").split("|---|---|---|---|\n");
  const examples = await examplesOfRules();
  const exampleOf = (id: string) => examples.get(id)?.replaceAll("|", "\\|");
  expect(table.trimEnd().split("\n")).toEqual(
    allRules.map(
      ({ id, description, remedy }) => `| \`${id}\` | ${description} | ${exampleOf(id)} | ${remedy} |`,
    ),
  );
});

test("every rule has its own id", () => {
  expect(new Set(allRules.map(({ id }) => id)).size).toBe(allRules.length);
});
