import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { temporaryFolder } from "../../../testing/temporary-folder.ts";
import { locationOf, SpecFiles } from "../files.ts";
import { Findings } from "../findings.ts";
import { loadSpec } from "../load.ts";
import { lineOf, SpecProblemsError } from "../spec-problems.ts";
import { readWaivers } from "../waivers.ts";

const folder = temporaryFolder();
const short = (line: string) => line.replace(/^\S*[/\\]/, "");

function fileOf(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

async function read(text: string, name = "x.yaml") {
  try {
    const file = await new SpecFiles().read(fileOf(name, text));
    const problems = (file.syntaxProblems ?? []).map((problem) =>
      short(lineOf({ location: locationOf({ file, ...problem }), message: problem.message })),
    );
    return { value: file.value, problems };
  } catch (error) {
    if (!(error instanceof SpecProblemsError)) throw error;
    return error.problems.map((problem) => short(lineOf(problem)));
  }
}

const agreed = (value: string) => `. Two YAML libraries read ${value} here.`;
const duplicate = (place: string, name: string, line: number) =>
  `${place}  the key "${name}" occurs twice, first in line ${line}; keep one of them, because parsers reject both or read the last one`;
const indented = (place: string, column: number) =>
  `${place}  this line is inside quotes or brackets, so it must begin at column ${column} or later; indent it`;
const tab = (place: string) => `${place}  YAML allows no tab between \`-\` and a key; write a space`;

it.each([
  [
    "equal keys",
    "a: 1\nb: 1\na: 2\nb: {c: 3}\n",
    { a: 2, b: { c: 3 } },
    [duplicate("x.yaml:3:1", "a", 1) + agreed("2"), duplicate("x.yaml:4:1", "b", 2) + agreed('{"c":3}')],
  ],
  [
    "a key with and without quotes",
    'r:\n  200: a\n  "200": b\n',
    { r: { 200: "b" } },
    [duplicate("x.yaml:3:3", "200", 2) + agreed('"b"')],
  ],
  ["a quoted text", 'a:\n  b: "x\ny"\n', { a: { b: "x y" } }, [indented("x.yaml:3:1", 4) + agreed('"x y"')]],
  [
    "quotes in a list",
    "a:\n  - 'x\n\n  y'\n",
    { a: ["x\ny"] },
    [indented("x.yaml:4:3", 4) + agreed('"x\\ny"')],
  ],
  [
    "a list in brackets",
    "a:\n  b: [x y,\n  z\n  ]\n",
    { a: { b: ["x y", "z"] } },
    [indented("x.yaml:3:3", 4) + agreed('["x y","z"]')],
  ],
  [
    "a bracket below its key",
    'a:\n  b: {\n    "c": [\n1]\n  }\nd: 1\n',
    { a: { b: { c: [1] } }, d: 1 },
    [indented("x.yaml:4:1", 4) + agreed('{"c":[1]}')],
  ],
  [
    "a tab in brackets",
    'a:\n  b: {\n\t"c": ~ }\n',
    { a: { b: { c: null } } },
    [indented("x.yaml:3:1", 4) + agreed('{"c":null}')],
  ],
  [
    "a tab after a hyphen",
    "a:\n  -\tb: 1\n    c: 0x1F\n",
    { a: [{ b: 1, c: 31 }] },
    [tab("x.yaml:2:4") + agreed('{"b":1,"c":31}')],
  ],
  [
    "aliases and merged keys",
    "a: &a {x: 1}\nb:\n  <<: *a\n  y: 1\n  y: *a\n",
    {
      a: { x: 1 },
      b: { x: 1, y: { x: 1 } },
    },
    [duplicate("x.yaml:5:3", "y", 4) + agreed('{"x":1}')],
  ],
])("two YAML libraries agree on %s", async (_, text, value, problems) => {
  expect(await read(text)).toEqual({ value, problems });
});

it("a tab after a key, and text with less indentation than its first line, have no problem", async () => {
  const text = "a:\tb\nc:\t\n  d\t: e\nf:\n    g\n  h\n";
  expect(await read(text)).toEqual({ value: { a: "b", c: { d: "e" }, f: "g h" }, problems: [] });
});

it("of equal names in JSON, the last one counts", async () => {
  const text = '{\n  "a": { "b": 1, "b": "\\ud83d\\ude00" },\n  "a": { "c": 3 }\n}';
  expect(await read(text, "x.json")).toEqual({
    value: { a: { c: 3 } },
    problems: [duplicate("x.json:3:3", "a", 2) + agreed('{"c":3}')],
  });
});

const rejected =
  "this line is no `key: value`, and has too few spaces to continue the text above, so every YAML parser rejects it; correct it";
it.each([
  ["below its key", 'a:\n  b: some\n  more text\n  c: "1"\n', [`x.yaml:3:3  ${rejected}`]],
  ["at the end", "a:\n  b: some\nmore text\n", [`x.yaml:3:1  ${rejected}`]],
  ["in a list", "a:\n  - some\n  more\n  - b\n", [`x.yaml:3:3  ${rejected}`]],
  ["before other mistakes", 'a: "x\ny"\nb: some\nmore\nc: 1\n', [`x.yaml:4:1  ${rejected}`]],
])("text without indentation %s is rejected at its line", async (_, text, problems) => {
  expect(await read(text)).toEqual(problems);
});

const invalid = (place: string, why: string) => `x.yaml:${place}  not valid YAML or JSON: ${why}`;
it.each([
  ["a tab", "a:\n\tb: 1\n", ["x.yaml:2:1  YAML allows no tab before a key; write spaces"]],
  [
    "a depth of 300",
    `a: ${"[".repeat(300)}`,
    [expect.stringMatching(/^x\.yaml:1:\d+ {2}nested deeper than 200 levels; nest less$/)],
  ],
  [
    "two documents",
    "a: 1\na: 2\n---\nb: 1\n",
    [
      "x.yaml:3:1  this line begins another document, but a file can have only one; write each in its own file",
    ],
  ],
  [
    "an open quote",
    'a: "b\n',
    [invalid("2:1", "a quote or a bracket before this place has no end; close it")],
  ],
  [
    "a cut object",
    '{"a": 1, "a": 2',
    [invalid("1:16", "a quote or a bracket before this place has no end; close it")],
  ],
  [
    "a first character without quotes",
    "a: @b\n",
    [invalid("1:4", "a text cannot begin with `@`; write it in quotes")],
  ],
  [
    "a colon without quotes",
    "a: b: c\n",
    [invalid("1:5", "a text with a colon and a space needs quotes; add them")],
  ],
  [
    "a text after quotes",
    "a: 'It's'\n",
    [invalid("1:8", "a text goes on after its quotes; write it in one pair of quotes")],
  ],
  [
    "a wrong indentation",
    "a:\n  b: 1\n c: 2\n",
    [
      invalid(
        "3:2",
        "this line fits no line above; write as many spaces as before the other keys of its object",
      ),
    ],
  ],
  [
    "a key above with too few spaces",
    "o:\n  p:\n    b: 1\n  c:\n      d: 2\n    e: 3\n",
    [
      invalid(
        "6:5",
        "this line fits no line above; write as many spaces as before the other keys of its object, or indent line 4 more",
      ),
    ],
  ],
  [
    "a missing comma",
    '{"a": 1 "b": 2}',
    [invalid("1:12", "a comma or a colon is missing before this place; add it")],
  ],
  [
    "an additional comma",
    '{"a": 1,, "b": 2}',
    [invalid("1:9", "a value is missing before this comma; add it, or remove the comma")],
  ],
  [
    "an additional bracket",
    "{a: 1}}",
    [invalid("1:7", "the document ends before this place; remove the rest, or correct its indentation")],
  ],
  [
    "an alias without an anchor",
    "a: *b\n",
    [
      invalid(
        "1:5",
        "`*` refers to a value with `&` and this name, and there is none; write a text in quotes",
      ),
    ],
  ],
  [
    "a type of YAML",
    "a: !b c\n",
    [invalid("1:4", "`!` begins a type that JSON does not have; remove it, or write a text in quotes")],
  ],
  [
    "an unknown escape",
    'a: "\\d"\n',
    [invalid("1:6", "a backslash has a meaning in double quotes; write two of them, or use single quotes")],
  ],
  [
    "a character that is invisible",
    "a: \0\n",
    [invalid("1:4", "null byte is not allowed in input; correct the syntax of this line or of a line above")],
  ],
])("%s is rejected", async (_, text, problems) => {
  expect(await read(text)).toEqual(problems);
});

it.each([
  [
    "text in brackets",
    "a:\n  b: [x\n  y, z]\n",
    [
      'x.yaml:2:7  one YAML library reads "x y" here, and another one "x", so even --lenient stops; correct the syntax',
      indented("x.yaml:3:3", 4),
    ],
  ],
  [
    "a tag",
    "a: !!str 123\nb: 1\nb: 2\n",
    [
      'x.yaml:1:1  one YAML library reads "123" here, and another one 123, so even --lenient stops; correct the syntax',
      duplicate("x.yaml:3:1", "b", 2),
    ],
  ],
])("shows both readings if two YAML libraries read %s differently", async (_, text, problems) => {
  expect(await read(text)).toEqual(problems);
});

const book = (version: string) => `openapi: 3.1.1
info: { title: Books,
version: "1" }
paths: {}
components:
  schemas:
    Book: { type: string }
    Book:
      description: "A
book"
      ${version}
`;

it("a lenient run keeps the positions of what it reads", async () => {
  const findings = new Findings({ lenient: true });
  const { document, locate } = await loadSpec(fileOf("book.yaml", book("type: strnig")), findings);
  expect(document).toMatchObject({ components: { schemas: { Book: { description: "A book" } } } });
  expect(short(locate("/components/schemas/Book/type"))).toBe("book.yaml:11:7");
  expect(findings.settle().map(({ location, rule }) => `${short(location)} ${rule}`)).toEqual([
    "book.yaml:3:1 syntax",
    "book.yaml:8:5 syntax",
    "book.yaml:10:1 syntax",
    "book.yaml:11:13 struct",
  ]);
});

it("a strict run reports the syntax with all other problems", async () => {
  const findings = new Findings();
  await loadSpec(fileOf("strict.yaml", book("type: string")), findings);
  expect(() => findings.stopIfAny()).toThrow(/:8:5 {2}the key "Book" occurs twice, first in line 7;/);
});

it("waivers with equal keys are rejected", async () => {
  const path = fileOf("waivers.yaml", "- rule: links\n  reason: Old.\n  reason: New.\n");
  await expect(readWaivers("x.yaml", path, new SpecFiles())).rejects.toThrow(
    duplicate("waivers.yaml:3:3", "reason", 2) + agreed('"New."'),
  );
});
