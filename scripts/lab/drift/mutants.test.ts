/** The changes themselves: that each is one, valid where it has to be, and unlike every other. */
import ts from "typescript";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { isObject, type Json } from "../../generate/document.ts";
import { chosen, kinds, type Mutant, type Sources } from "./mutant.ts";
import { groupsOf, sampled, sourcesOf } from "./mutants.ts";
import { type Edit, SpecText, SpecTextError } from "./spec-text.ts";
import { WrittenChangesError, writtenMutants } from "./written-mutants.ts";

const sources = sourcesOf(process.cwd());
const groups = groupsOf(sources);
/** All, also those that a usual run takes no part of. */
const mutants = groups.flatMap((group) => group.mutants);
const usual = groups.flatMap(chosen);
const ofKind = (kind: string): Mutant[] => mutants.filter((mutant) => mutant.kind === kind);

/** Where two values differ, each as high up as what is around it is the same. */
function differences(left: Json | undefined, right: Json | undefined, pointer = ""): string[] {
  if (JSON.stringify(left) === JSON.stringify(right)) return [];
  if (Array.isArray(left) && Array.isArray(right)) {
    const texts = {
      left: left.map((each) => JSON.stringify(each)),
      right: right.map((each) => JSON.stringify(each)),
    };
    const gone = texts.left.filter((each) => !texts.right.includes(each));
    const added = texts.right.filter((each) => !texts.left.includes(each));
    if (gone.length + added.length <= 1) return [`${pointer}/-`];
    if (left.length !== right.length) return [...gone, ...added].map((each) => `${pointer}/${each}`);
    return left.flatMap((each, index) => differences(each, right[index], `${pointer}/${index}`));
  }
  if (!isObject(left) || !isObject(right)) return [pointer];
  const keys = new Set([...Object.keys(left), ...Object.keys(right)]);
  return [...keys].flatMap((key) => differences(left[key], right[key], `${pointer}/${key}`));
}

describe("the changes", () => {
  it("are at least 150, of all four kinds, each under an id of its own and with a text of its own", () => {
    expect(usual.length).toBeGreaterThanOrEqual(150);
    for (const kind of kinds)
      expect(usual.filter((mutant) => mutant.kind === kind).length, kind).toBeGreaterThanOrEqual(20);
    expect(new Set(mutants.map(({ id }) => id)).size).toBe(mutants.length);
    const first = new Map<string, string>();
    const repeated = mutants.filter(({ id, file, text }) => {
      const known = first.get(`${file}\0${text}`);
      first.set(`${file}\0${text}`, known ?? id);
      return known !== undefined;
    });
    expect(repeated.map(({ id }) => id)).toEqual([]);
  });

  it("are of files that there are, but for the one that is added, and leave none as it was", () => {
    const same = mutants.filter(
      ({ file, operator, text }) => operator !== "add-file" && sources.read(file) === text,
    );
    expect(same.map(({ id }) => id)).toEqual([]);
  });

  it("are the same in every run", () => {
    expect(groupsOf(sources).flatMap(chosen)).toEqual(usual);
  });
});

describe("a change of the spec", () => {
  const before: Json = parse(sources.read("spec/openapi.yaml"));
  const after = ofKind("spec").map(({ id, operator, text = "" }) => {
    const spec: Json = parse(text, { uniqueKeys: true });
    return { id, operator, places: differences(before, spec) };
  });

  it("is one change, or one and what belongs to it: the old name and the new, the list of what is required", () => {
    const others = after.filter(({ operator }) => operator !== "rename-throughout");
    expect(others.filter(({ places }) => places.length === 0 || places.length > 4)).toEqual([]);
    const simple = after.filter(({ operator }) =>
      /^(?:tighten|loosen|swap|admit|widen|change-default|change-constraint|drop-constraint)/.test(operator),
    );
    expect(simple.length).toBeGreaterThan(100);
    expect(simple.filter(({ places }) => places.length !== 1)).toEqual([]);
  });

  it("is made of every bound that the spec writes, inwards and outwards where there is room", () => {
    const bounds =
      sources.read("spec/openapi.yaml").match(/\b(?:min|max)(?:imum|Length|Items|Properties): /g) ?? [];
    const count = (operator: string): number => after.filter((each) => each.operator === operator).length;
    expect(count("tighten-bound")).toBe(bounds.length);
    expect(count("loosen-bound")).toBeGreaterThan(bounds.length - 5);
  });
});

describe("a change of the code", () => {
  it("is code still", () => {
    const broken = [...ofKind("server"), ...ofKind("client")].filter(({ file, text = "" }) => {
      const { diagnostics = [] } = ts.transpileModule(text, { fileName: file, reportDiagnostics: true });
      return diagnostics.length > 0;
    });
    expect(broken.map(({ id }) => id)).toEqual([]);
  });

  it("that is written by hand is refused where its text is not there exactly once, all of them at once", () => {
    const table = `
- { name: gone, kind: server, title: t, file: a.ts, find: one, replacement: two }
- { name: fits, kind: server, title: t, file: a.ts, find: once, replacement: two }
- { name: twice, kind: client, title: t, file: b.ts, find: two, replacement: one }
`;
    const texts: Readonly<Record<string, string>> = {
      "scripts/lab/drift/code-changes.yaml": table,
      "a.ts": "once",
      "b.ts": "two two",
    };
    const own: Sources = { read: (file) => texts[file] ?? "", list: () => [] };
    expect(() => writtenMutants(own)).toThrow(
      new WrittenChangesError(
        'scripts/lab/drift/code-changes.yaml: correct what is to be found exactly once\ngone: a.ts has 0 times "one"\ntwice: b.ts has 2 times "two"',
      ),
    );
  });
});

describe("a choice of changes", () => {
  it("keeps to the same ones where there is one more", () => {
    const all = ofKind("spec");
    const without = chosen({ mutants: all.slice(1), most: 20 });
    const also = chosen({ mutants: all, most: 20 });
    expect(also).toHaveLength(20);
    expect(also.filter((mutant) => !without.includes(mutant)).length).toBeLessThanOrEqual(1);
  });

  it("takes as many of each kind as are asked for, of as many operators as there are", () => {
    const taken = sampled(mutants, 5);
    for (const kind of kinds) {
      const own = taken.filter((mutant) => mutant.kind === kind);
      expect(own).toHaveLength(5);
      const operators = new Set(ofKind(kind).map(({ operator }) => operator)).size;
      expect(new Set(own.map(({ operator }) => operator)).size).toBe(Math.min(5, operators));
    }
  });
});

describe("a text of YAML", () => {
  const text = `a: # one
  b: 1 # two
  c: { d: 2, e: [3, 4] }
  f:
    - 5
    - g: 6
      h: 7
`;
  const spec = new SpecText(text);
  it("is told of where it is none, on one line", () => {
    expect(() => new SpecText("a: 1\nb: [\n")).toThrow(
      new SpecTextError(
        "the spec is not YAML: Flow sequence in block collection must be sufficiently indented and end with a ] at line 3, column 1",
      ),
    );
  });

  it.each<[what: string, edit: () => Edit, want: string]>([
    ["replaced", () => spec.replaced("/a/c/e/1", "x"), text.replace("4", '"x"')],
    ["renamed", () => spec.renamed("/a/b", "200"), text.replace("b: 1", '"200": 1')],
    ["taken out of a block", () => spec.removed("/a/b"), text.replace("  b: 1 # two\n", "")],
    ["taken out of a line, as the first", () => spec.removed("/a/c/d"), text.replace("d: 2, ", "")],
    ["taken out of a line, as the last", () => spec.removed("/a/c/e"), text.replace(", e: [3, 4]", "")],
    ["taken out of a list", () => spec.removed("/a/f/1"), text.replace("    - g: 6\n      h: 7\n", "")],
    ["put into a block", () => spec.added("/a", "z", [8]), text.replace("  b:", "  z: [8]\n  b:")],
    ["put into a line", () => spec.added("/a/c", "z", 8), text.replace("{ d", "{ z: 8, d")],
    ["put into a list", () => spec.prepended("/a/f", 8), text.replace("    - 5", "    - 8\n    - 5")],
    ["put into a list on a line", () => spec.prepended("/a/c/e", 8), text.replace("[3", "[8, 3")],
  ])("stays as it was but for what is %s", (_, edit, want) => {
    expect(spec.with(edit())).toBe(want);
  });

  it("is not changed where a block would be left empty, or at a place that there is not", () => {
    expect(() => new SpecText("a:\n  b: 1\n").removed("/a/b")).toThrow("cannot be taken out alone: /a/b");
    expect(() => spec.replaced("/a/x", 1)).toThrow("the spec has nothing at /a/x");
  });
});
