import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { compare } from "../compare.ts";
import { admits } from "../containment/admits.ts";
import { documentWith, inRequest, inResponse, json, open, responses, string } from "../testing/notation.ts";
import { specsOf } from "../testing/spec.ts";
import { findingsOf, type Report } from "./findings.ts";
import { type Format, formats } from "./formats.ts";
import { verdict } from "./text.ts";

const document = (maxLength: number, description: string) =>
  documentWith(inRequest(open({ "a|<b": string({ maxLength, description }) })));

/** @param more changes the report, and repeats it for another document */
async function reportIn(format: Format, all = false, more?: Partial<Report>): Promise<string> {
  const comparison = await compare(...(await specsOf(document(9, "One."), document(8, "Two."))));
  const names = { old: "old.json", now: "new.json" };
  const report: Report = { comparison, release: comparison, names, chosen: "" };
  return formats[format](more === undefined ? [report] : [report, { ...report, ...more }], {
    all,
    isColoured: false,
  });
}

const pointer = "/paths/~1things/post/requestBody/content/application~1json/schema/properties/a|<b/maxLength";
const sentence = "property `a|<b`: `maxLength` was 9, is 8: a request that was valid may be rejected";
const remedy = "In requests, allow at least the earlier values.";
const waiver = `- { rule: schema-size, at: "#${pointer}", reason: … }`;
const lastLine =
  "major: 1 breaking, 1 wording; the version must be 2.0.0 or higher, or each break needs a waiver";

test("text has the remedy and the waiver of each break, and counts what it leaves out", async () => {
  expect(await reportIn("text")).toBe(`new.json (1.0.0) against old.json (1.0.0)

On the wire
  major  new.json:1:302  POST /things, request
         ${sentence} [schema-size]
         ${remedy}
         waiver: ${waiver}

Counted, but not listed: 1 change of wording. --all lists them.

${lastLine}
`);
});

test("text names the options that choose operations, and lists several documents one after another", async () => {
  const [one, two] = [await reportIn("text"), await reportIn("text", false, { chosen: "--tag a" })];
  const chosen = one.replace("(1.0.0)\n", "(1.0.0), only --tag a\n");
  expect(two).toBe(`${one}\n${chosen}`);
});

test("--all also lists changes of wording", async () => {
  expect(await reportIn("text", true)).toContain("properties/a|<b/description changed");
});

test("markdown is a table in which `|` is escaped", async () => {
  expect(await reportIn("markdown")).toBe(`### ${lastLine}

new.json (1.0.0) against old.json (1.0.0)

| | change | place |
|---|---|---|
| 🔴&nbsp;major | **POST /things, request**<br>${sentence.replace("|", "\\|")} \`schema-size\` | \`new.json:1:302\` |

Counted, but not listed: 1 change of wording. --all lists them.

<details><summary>Waivers to paste</summary>

\`\`\`yaml
# ${remedy}
${waiver}
\`\`\`

</details>
`);
});

test("markdown fits into a comment, and counts what does not", async () => {
  const [first] = (await compare(...(await specsOf(document(9, "One."), document(8, "One."))))).changes;
  if (first === undefined) throw new Error("there is no change");
  const changes = Array.from({ length: 1000 }, (_, index) => ({ ...first, pointer: `/${index}` }));
  const empty = await compare(...(await specsOf(document(9, ""), document(9, ""))));
  const report = {
    comparison: { ...empty, changes },
    release: empty,
    names: { old: "a", now: "b" },
    chosen: "",
  };
  const text = formats.markdown([report], { all: false, isColoured: false });
  const [, left] = /\n\n(\d+) more changes are not listed here\./.exec(text) ?? [];
  const rows = text.match(/^\| 🔴/gm)?.length ?? 0;
  expect([rows + Number(left), text.length > 50_000, text.length < 65_536]).toEqual([1000, true, true]);
});

test("github has a command for each annotation", async () => {
  expect(await reportIn("github")).toBe(
    `::error file=new.json,line=1,col=302,title=schema-size::POST /things, request: ${sentence}%0A${remedy}\n`,
  );
});

test("json fits its published schema", async () => {
  const schema = JSON.parse(readFileSync("docs/diff.schema.json", "utf8"));
  const report = JSON.parse(await reportIn("json"));
  const isValid = (value: typeof report) =>
    admits({ document: schema, pointer: "", value: schema }, value, "response");
  expect(isValid(report)).toBe(true);
  expect(isValid({ ...report, findings: [{ ...report.findings[0], rule: 1 }] })).toBe(false);
  const several = JSON.parse(await reportIn("json", false, {}));
  expect([several, isValid(several)]).toEqual([[report, report], true]);
});

test("sarif has the rules, places and fingerprints of the findings", async () => {
  const { version, runs } = JSON.parse(await reportIn("sarif"));
  expect([version, runs]).toEqual([
    "2.1.0",
    [
      {
        tool: {
          driver: {
            name: "specbind diff",
            rules: [
              {
                id: "schema-size",
                shortDescription: {
                  text: "`uniqueItems` or the allowed size of a string, array or object changed.",
                },
                help: { text: `${remedy} In responses, do not allow new values.` },
              },
            ],
          },
        },
        columnKind: "utf16CodeUnits",
        results: [
          {
            ruleId: "schema-size",
            level: "error",
            message: { text: `POST /things, request: ${sentence}` },
            locations: [
              {
                physicalLocation: {
                  artifactLocation: { uri: "new.json" },
                  region: { startLine: 1, startColumn: 302 },
                },
              },
            ],
            partialFingerprints: { "finding/v1": expect.stringMatching(/^[0-9a-f]{32}$/) },
          },
        ],
      },
    ],
  ]);
});

test("junit has a failed test for each break", async () => {
  const escaped = sentence.replace("<", "&lt;");
  expect(await reportIn("junit")).toBe(`<?xml version="1.0" encoding="UTF-8"?>
<testsuites tests="1" failures="1" skipped="0">
<testsuite name="new.json (1.0.0) against old.json (1.0.0)" tests="1" failures="1" skipped="0">
<testcase classname="schema-size" name="POST /things, request: ${escaped}"><failure message="${escaped}">new.json:1:302
${remedy}</failure></testcase>
</testsuite>
</testsuites>
`);
});

test.each([
  [
    "a response was removed",
    documentWith(responses({ 200: { content: json(string({})) }, 404: { content: json(string({})) } })),
    documentWith(inResponse(string({}))),
    [
      "property 404 is missing (for code that reads responses)",
      "Code of callers that handles 404 no longer compiles. Keep the response, or raise the major version.",
    ],
  ],
  [
    "a property of a response became optional",
    documentWith(inResponse(open({ a: string({}) }, ["a"]))),
    documentWith(inResponse(open({ a: string({}) }))),
    [
      "property `a` may now be absent: a response may contain values that callers do not expect",
      "In responses, keep it required.",
    ],
  ],
  [
    "an enum got a value and became extensible",
    documentWith(inResponse(string({ enum: ["a"] }))),
    documentWith(inResponse(string({ enum: ["a", "b"], "x-extensible-enum": true }))),
    [
      'the body: value "b" was added: a response may contain values that callers do not expect; the older document has no `x-extensible-enum`',
      "In responses, do not allow new values.",
    ],
  ],
])("the remedy of a break fits its side: %s", async (_, old, now, expected) => {
  const comparison = await compare(...(await specsOf(old, now)));
  const breaks = findingsOf(comparison, false).filter(({ impact }) => impact === "major");
  expect(breaks.map((each) => [each.sentence, each.remedy])).toEqual([expected]);
});

test("the verdict says how many breaks are listed", async () => {
  const old = documentWith(inResponse(open({ a: string({}) }, ["a"])));
  const comparison = await compare(
    ...(await specsOf(old, documentWith(inResponse(open({ a: string({}) }))))),
  );
  const ofBreaks = (all: boolean) => verdict(comparison, comparison, all).split(";")[0];
  expect([ofBreaks(false), ofBreaks(true)]).toEqual(["major: 2 breaking (1 listed)", "major: 2 breaking"]);
});
