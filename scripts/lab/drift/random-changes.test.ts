import { expect, it } from "vitest";
import { randomChanges } from "./random-changes.ts";

function changesOf(files: Readonly<Record<string, string>>, count = 100) {
  return randomChanges(Object.keys(files), (file) => files[file] ?? "", count, 1);
}

it.each<[source: string, ...changed: string[]]>([
  ["if (a < b) f(1);", "if (!(a < b)) f(1);", "if (a <= b) f(1);", "if (a < b) ;", "if (a < b) f(2);"],
  ["const a = await b ?? c;", "const a = b ?? c;", "const a = await b;"],
  [
    "const a = !b && true;",
    "const a = b && true;",
    "const a = !b;",
    "const a = !b || true;",
    "const a = !b && false;",
  ],
  ["const a = [b, c];", "const a = [ c];", "const a = [b, ];"],
  ["const a = { b, c };", "const a = {  c };", "const a = { b,  };"],
  ["const a = `SELECT b FROM c WHERE d < e`;", "const a = `SELECT b FROM c WHERE d <= e`;"],
  ['const a = "b.c";', 'const a = "";'],
  ["const a = /^b+$/;", "const a = /b+$/;", "const a = /^b+/;", "const a = /^b*$/;"],
  ["switch (a) { case b: }", "switch (a) {  }"],
  ["function a(): void | undefined { return b; }", "function a(): void | undefined { return; }"],
])("the changes of %j", (source, ...changed) => {
  expect(
    changesOf({ "a.ts": source })
      .map(({ text }) => text)
      .toSorted(),
  ).toEqual(changed.toSorted());
});

it.each([
  ["an import", 'import a from "b";'],
  ["a type", 'type A = "b" | true; let a: 1;'],
  ["a comment", "// a < b"],
  ["a message", 'const a = "the store is away";'],
  ["a path", 'const a = "../b/c.ts";'],
  ["a joined text", 'const a = b + "c d";'],
])("%s is not changed", (_, source) => {
  expect(changesOf({ "a.ts": source })).toEqual([]);
});

it("the same changes are chosen after files have moved to other folders and import other paths", () => {
  const [first, second] = ["f(1);\nconst a = b ?? c;\nthrow a;", "f(1);\nif (d) g(3, 4);"];
  const before = changesOf({ "a/b.ts": `import "../c.ts";\n${first}`, "a/c.ts": `${second}` }, 5);
  const after = changesOf({ "x/a.ts": `${second}`, "x/y/z.ts": `import "#c";\n\n${first}` }, 5);
  const shown = before.map(({ id, before, after }) => [id, before, after]);
  expect(after.map(({ id, before, after }) => [id, before, after])).toEqual(shown);
  expect(before).toHaveLength(5);
});
