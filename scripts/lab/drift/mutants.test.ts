import { readFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import type { Json } from "../../openapi/document.ts";
import { codeMutants } from "./code-mutants.ts";
import { chosen, DriftError, sampled } from "./mutant.ts";
import { add, edited, prepend, remove, rename, set, specDocument } from "./spec-edits.ts";
import { raisedVersion, specFile, specMutants } from "./spec-mutants.ts";

const read = (file: string): string => readFileSync(file, "utf8");
const ofSpec = specMutants(read(specFile));
const ofCode = codeMutants(read);
const all = [...ofSpec, ...ofCode];
/** One of each operator, because parsing all of them takes minutes. */
const some = chosen(ofSpec, 1);

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
  it("have different ids, and those of code change their file", () => {
    expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
    expect(ofCode.filter(({ file, text }) => read(file) === text())).toEqual([]);
  });

  it("of the spec are YAML, and differ from it in at most four places", () => {
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

  it("of code that do not apply exactly once are all reported", () => {
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
  it("has some of each operator of the spec, and all of the code", () => {
    const two = chosen(all, 2);
    const operators = new Set(ofSpec.map(({ operator }) => operator));
    for (const operator of operators) {
      const group = two.filter((mutant) => mutant.operator === operator);
      expect([1, 2], operator).toContain(group.length);
    }
    expect(two.filter(({ target }) => target !== "spec")).toEqual(ofCode);
  });

  it("that is a sample has the requested size, or all", () => {
    expect(sampled(all, 7)).toHaveLength(7);
    expect(sampled(ofCode.slice(0, 3), 7)).toEqual(ofCode.slice(0, 3));
  });
});

describe("an edit of the spec", () => {
  const text = `# one
a:
  b: 1 # two
  c: { d: 2, e: [3, 4] }
  "200":
    - 5
    - g: 6
`;
  it.each([
    ["sets a value", set("/a/c/e/1", "x"), text.replace("4]", "x]")],
    ["renames a key", rename("/a/200", "404"), text.replace("200", "404")],
    ["removes an entry", remove("/a/b"), text.replace("  b: 1 # two\n", "")],
    ["removes an item", remove("/a/200/1"), text.replace("    - g: 6\n", "")],
    ["adds an entry", add("/a/c", "z", 8), text.replace("{ d", "{ z: 8, d")],
    ["adds an item", prepend("/a/200", 8), text.replace("    - 5", "    - 8\n    - 5")],
  ])("%s and leaves other text unchanged", (_, edit, expected) => {
    expect(edited(specDocument(text), edit)).toBe(expected);
  });

  it("needs YAML, and an existing place", () => {
    expect(() => specDocument("a: 1\nb: [\n")).toThrow(DriftError);
    expect(() => edited(specDocument(text), rename("/a/x", "y"))).toThrow("the spec has no /a/x");
  });
});
