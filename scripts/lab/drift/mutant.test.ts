import { readFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import type { Json } from "../../openapi/document.ts";
import { codeMutants, DriftError, sampled } from "./mutant.ts";
import { raisedVersion, specFile, specMutants } from "./spec-mutants.ts";

const read = (file: string): string => readFileSync(file, "utf8");
const ofSpec = specMutants(read(specFile));
const ofCode = codeMutants(read);
const all = [...ofSpec, ...ofCode];
/** One mutant of each operator, because parsing all of them takes too long. */
const some = [...Map.groupBy(ofSpec, ({ operator }) => operator).values()].flatMap(([first]) => first ?? []);

function differences(left: Json | undefined, right: Json | undefined, pointer = ""): string[] {
  if (JSON.stringify(left) === JSON.stringify(right)) return [];
  if (Array.isArray(left) && Array.isArray(right) && left.length !== right.length) return [pointer];
  if (typeof left !== "object" || typeof right !== "object" || left === null || right === null)
    return [pointer];
  const [a, b] = [{ ...left }, { ...right }] as { [key: string]: Json }[];
  const keys = new Set([...Object.keys(a ?? {}), ...Object.keys(b ?? {})]);
  return [...keys].flatMap((key) => differences(a?.[key], b?.[key], `${pointer}/${key}`));
}

describe("the changes", () => {
  it("have different ids, and each change of code changes its file", () => {
    expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
    expect(ofCode.filter(({ file, text }) => read(file) === text())).toEqual([]);
  });

  it("of the spec result in valid YAML that differs in at most four places", () => {
    const spec: Json = parse(read(specFile));
    const places = some
      .filter(({ operator }) => operator !== "rename-throughout")
      .map(({ id, text }) => ({ id, count: differences(spec, parse(text())).length }));
    expect(places.filter(({ count }) => count < 1 || count > 4)).toEqual([]);
    expect(differences(spec, parse(raisedVersion(read(specFile)).text()))).toEqual(["/info/version"]);
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

describe("a selection of changes", () => {
  it("by --sample has the requested size, or contains all if there are fewer", () => {
    expect(sampled(all, 7)).toHaveLength(7);
    expect(sampled(ofCode.slice(0, 3), 7)).toEqual(ofCode.slice(0, 3));
  });
});
