/** Validates SARIF against the JSON Schema of its standard, which the npm package of its matchers contains. */
import { existsSync } from "node:fs";
import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ended } from "../../../testing/program.ts";
import { compileRoot } from "../../json-schema/testing/compiled.ts";
import type { Change } from "../changes.ts";
import { compare } from "../compare.ts";
import { cases } from "../testing/cases.ts";
import { withPaths } from "../testing/notation.ts";
import { specOf, specsOf } from "../testing/spec.ts";
import { wireChanges } from "../wire.ts";
import { formats } from "./formats.ts";

/** Returns the problems of a log. */
async function officialValidator() {
  const folder = "node_modules/.cache/sarif";
  const file = "package/lib/schemas/sarif-2.1.0-rtm.5.json";
  if (!existsSync(join(folder, file))) {
    await mkdir(folder, { recursive: true });
    const name = "@microsoft/jest-sarif@1.0.0-beta.0";
    const { stdout } = await ended(["npm", "pack", name, "--loglevel=error"], { cwd: folder });
    await ended(["tar", "-xzf", stdout.trim(), file], { cwd: folder });
  }
  const text = await readFile(join(folder, file), "utf8");
  const { definitions, $schema, id, ...root } = JSON.parse(
    text.replaceAll("#/definitions/", "#/components/schemas/"),
  );
  return (await compileRoot(root, definitions)).problemsOf;
}

test("sarif of every change of the table is valid by the schema of SARIF 2.1.0", async () => {
  const problemsOf = await officialValidator();
  const empty = await specOf(withPaths({}), "old.json");
  const comparison = await compare(empty, empty);
  const changes: Change[] = [];
  for (const [title, old, now] of cases)
    for (const [index, each] of wireChanges(...(await specsOf(old, now))).entries())
      changes.push({ ...each, ...(index === 1 && { waived: title }) });
  const report = {
    comparison: { ...comparison, changes },
    release: comparison,
    names: { old: "a", now: "b" },
    chosen: "",
  };
  const log = JSON.parse(formats.sarif([report], { all: true, isColoured: false }));
  const [run] = log.runs;
  expect(run.results.length).toBeGreaterThan(900);
  expect(problemsOf(log)).toEqual([]);
  for (const wrong of [{ level: "fatal" }, { message: "x" }, { suppressions: [{ kind: "waiver" }] }])
    expect(
      problemsOf({ ...log, runs: [{ ...run, results: [{ ...run.results[0], ...wrong }] }] }),
    ).toHaveLength(1);
});
