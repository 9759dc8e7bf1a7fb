import { readFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { codeMutants, DriftError, sampled } from "./mutant.ts";
import { raisedVersion, specFile, specMutants } from "./spec-mutants.ts";

const read = (file: string): string => readFileSync(file, "utf8");
const ofSpec = specMutants(read(specFile));
const ofCode = codeMutants(read);
const all = [...ofSpec, ...ofCode];
/** One mutant of each operator, because parsing all of them takes too long. */
const some = [...Map.groupBy(ofSpec, ({ operator }) => operator).values()].flatMap(([first]) => first ?? []);

describe("the changes", () => {
  it("have different ids, and each change of code changes its file", () => {
    expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
    expect(ofCode.filter(({ file, text }) => read(file) === text())).toEqual([]);
  });

  it("of the spec result in valid YAML that differs", () => {
    const spec = parse(read(specFile));
    for (const { id, text } of some) expect(parse(text()), id).not.toEqual(spec);
    const version = "99.0.0";
    const raised = { ...spec, info: { ...spec.info, version } };
    expect(parse(raisedVersion(read(specFile)).text())).toEqual(raised);
  });

  it("of code result in valid code", () => {
    for (const { id, text } of ofCode) expect(() => stripTypeScriptTypes(text()), id).not.toThrow();
  });

  it("of code are reported, each of them, if the text to replace is missing or occurs twice", () => {
    const files: Readonly<Record<string, string>> = {
      "scripts/lab/drift/code-changes.yaml": `
- { name: gone, title: t, file: server/a.ts, find: one, replacement: two }
- { name: fits, title: t, file: server/a.ts, find: once, replacement: two }
- { name: twice, title: t, file: client/b.ts, find: two, replacement: one }
`,
      "server/a.ts": "once",
      "client/b.ts": "two two",
    };
    expect(() => codeMutants((file) => files[file] ?? "")).toThrow(
      new DriftError(`scripts/lab/drift/code-changes.yaml: correct these changes
gone: server/a.ts contains "one" 0 times
twice: client/b.ts contains "two" 2 times`),
    );
  });
});

it("a sample has the requested size, or contains all changes if there are fewer", () => {
  expect(sampled([1, 2, 3, 4], 3)).toHaveLength(3);
  expect(sampled([1, 2], 3)).toEqual([1, 2]);
});
