import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { temporaryFolder } from "../../testing/temporary-folder.ts";
import type { Json, JsonObject } from "../openapi/document.ts";
import { readSpec } from "../openapi/read-spec.ts";
import { type Comparison, compare } from "./compare.ts";
import { findingsOf, hiddenIn } from "./output/findings.ts";
import { textReport } from "./output/text.ts";
import {
  documentWith,
  get,
  inRequest,
  inResponse,
  open,
  ref,
  schemas,
  string,
  text,
  withPaths,
} from "./testing/notation.ts";
import { specOf, specsOf } from "./testing/spec.ts";
import { DiffWaivers, readDiffWaivers } from "./waivers.ts";

const folder = temporaryFolder();

async function comparedWith(
  waivers: string,
  old: JsonObject,
  now: JsonObject,
): Promise<Comparison & { readonly unused: string[] }> {
  await writeFile(join(folder, "diff-waivers.yaml"), waivers);
  const read = await readDiffWaivers(join(folder, "openapi.yaml"));
  const comparison = await compare(...(await specsOf(old, now)), read);
  return { ...comparison, unused: read.unused() };
}

describe("a waiver", () => {
  const user = (properties: JsonObject): JsonObject =>
    documentWith(inResponse(ref("User")), schemas({ User: open(properties, ["a"]) }));
  const [old, now] = [user({ a: text, b: text }), user({ a: text })];
  const place = "#/components/schemas/User/properties/b";

  test("allows a break of its rule at its place, on the wire and in TypeScript, and shows its reason", async () => {
    const waivers = `- { rule: schema-property-removed, at: '${place}', reason: Nobody reads it. }\n`;
    const { impact, typeBreaks, changes, unused } = await comparedWith(waivers, old, now);
    expect([impact, typeBreaks, unused]).toEqual(["minor", [], []]);
    expect(changes).toMatchObject([{ impact: "minor", waived: "Nobody reads it." }]);
  });

  test("of a changed value also allows the break of types that this value causes, and no other", async () => {
    const colours = (values: string[], other: Json): JsonObject =>
      documentWith(
        inResponse(open({ a: ref("Colour"), b: ref("Other") })),
        schemas({ Colour: string({ enum: values }), Other: other }),
      );
    const waivers = "- { rule: schema-values, at: '#/components/schemas/Colour/enum', reason: Announced. }\n";
    const was = colours(["red"], text);
    const { impact, typeBreaks, unused } = await comparedWith(waivers, was, colours(["red", "blue"], text));
    expect([impact, typeBreaks, unused]).toEqual(["minor", [], []]);
    const others = await comparedWith(waivers, was, colours(["red", "blue"], { type: "integer" }));
    const messages = others.typeBreaks.map(({ message }) => message.replace(/^.*(?=Type 'number')/, ""));
    expect(messages.toSorted()).toEqual([
      "Type 'number' does not satisfy the constraint 'string'",
      "Type 'number' is not assignable to type 'string'",
    ]);
  });

  test("of a rule about types makes the break minor, and the report prints its reason", async () => {
    const path = (id: string): JsonObject => withPaths({ "/a": get({ operationId: id }) });
    const waivers = "- { rule: type-removed, reason: Callers use the path. }\n";
    const comparison = await comparedWith(waivers, path("getA"), path("readA"));
    const names = { old: "old.json", now: "new.json" };
    const report = textReport(
      { comparison, release: comparison, names, chosen: "" },
      { all: true, isColoured: false },
    );
    expect(report.split("\n")).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^ {2}minor {2}old\.json:1:\d+ {2}operations\["getA"\]$/),
        "         was removed (waived: Callers use the path.) [type-removed]",
        "minor: 1 compatible, 1 wording; a release needs 1.1.0 or higher",
      ]),
    );
    expect([comparison.impact, comparison.unused]).toEqual(["minor", []]);
  });

  test("may name the file that contains the place", async () => {
    const named = (schema: Json): JsonObject => documentWith(inRequest(schema));
    await writeFile(join(folder, "openapi.yaml"), JSON.stringify(named({ $ref: "name.yaml" })));
    await writeFile(join(folder, "name.yaml"), JSON.stringify(string({ maxLength: 8 })));
    const waivers = "- { rule: schema-size, at: 'name.yaml#/maxLength', reason: Nobody sends more. }\n";
    await writeFile(join(folder, "diff-waivers.yaml"), waivers);
    const file = join(folder, "openapi.yaml");
    const comparison = await compare(
      await specOf(named(text), "old.json"),
      await readSpec(file),
      await readDiffWaivers(file),
    );
    const [change, ...others] = comparison.changes;
    expect(change).toMatchObject({ impact: "minor", waived: "Nobody sends more." });
    expect(others.map(({ impact }) => impact)).toEqual(["patch", "patch"]);
  });

  test("may name the file that contained a place that was removed", async () => {
    const named = (schema: Json): JsonObject => documentWith(inResponse(schema));
    await writeFile(join(folder, "openapi.yaml"), JSON.stringify(named({ $ref: "user.yaml" })));
    await writeFile(join(folder, "user.yaml"), JSON.stringify(open({ a: text })));
    const waivers =
      "- { rule: schema-property-removed, at: 'user.yaml#/properties/b', reason: Nobody reads it. }\n- { rule: type-changed, reason: The same. }\n";
    await writeFile(join(folder, "diff-waivers.yaml"), waivers);
    const file = join(folder, "openapi.yaml");
    const now = await readSpec(file);
    const old = structuredClone(now.document);
    const [schema] = Object.values(Object(old.components).schemas) as JsonObject[];
    Object.assign(schema?.properties ?? {}, { b: text });
    const { impact, changes } = await compare(
      await specOf(old, "old.json"),
      now,
      await readDiffWaivers(file),
    );
    expect(impact).toBe("minor");
    expect(changes[0]).toMatchObject({ rule: "schema-property-removed", waived: "Nobody reads it." });
  });

  test.each([
    ["of another rule", `- { rule: path-removed, reason: Old. }\n`],
    ["of another place", `- { rule: schema-property-removed, at: '${place}2', reason: Old. }\n`],
    ["of another file", `- { rule: schema-property-removed, at: 'a.yaml${place}', reason: Old. }\n`],
  ])("%s allows no break, and is reported", async (_, waivers) => {
    const { impact, unused } = await comparedWith(waivers, old, now);
    expect(impact).toBe("major");
    expect(unused).toEqual([
      expect.stringMatching(/diff-waivers\.yaml:1:3 {2}no breaking change matches this waiver; remove it/),
    ]);
  });

  test.each([
    ["2020-01-31", "this waiver ended on 2020-01-31; remove it, and correct what it allowed"],
    ["soon", "`until` must be a day such as 2026-01-31"],
  ])("that is valid until %s is rejected", async (until, message) => {
    const waiver = `- { rule: path-removed, until: ${until}, reason: Old. }\n`;
    await expect(comparedWith(waiver, old, now)).rejects.toThrow(message);
  });

  test.each(["…", "..."])("whose reason is the placeholder %s is rejected", async (reason) => {
    const waiver = `# Ours.\n- { rule: path-removed, reason: ${reason} }\n`;
    await expect(comparedWith(waiver, old, now)).rejects.toThrow(
      `diff-waivers.yaml:2:3  write why in \`reason\`, instead of "${reason}"`,
    );
  });

  test("that is still valid allows its break", async () => {
    const waivers =
      "- { rule: schema-property-removed, until: 9999-12-31, reason: Old. }\n- { rule: type-changed, reason: Old. }\n";
    const { impact } = await comparedWith(waivers, old, now);
    expect(impact).toBe("minor");
  });

  test("of an unknown rule is reported as an error with its place and fix", async () => {
    for (const [rule, message] of [
      ["no-rule", /:1:5 {2}there is no rule `no-rule`; use one/],
      ["path-removd", /:1:5 {2}there is no rule `path-removd`; did you mean `path-removed`\?/],
    ] as const)
      await expect(comparedWith(`- { rule: ${rule}, reason: Old. }\n`, old, now)).rejects.toThrow(message);
  });
});

describe("an impact of the configuration", async () => {
  const user = (properties: JsonObject): JsonObject => documentWith(inResponse(open(properties)));
  const [wide, narrow] = await specsOf(user({ a: text, b: text }), user({ a: text }));
  const waivers = new DiffWaivers([], "");

  test("is that of all findings of its rule, and the finding says so", async () => {
    const removal = await compare(wide, narrow, waivers, { "schema-property-removed": "minor" });
    expect([removal.impact, removal.typeBreaks]).toEqual(["minor", []]);
    expect(findingsOf(removal).map(({ sentence }) => sentence)).toEqual([
      "property `b` was removed: callers that read it no longer get it (the configuration makes it minor)",
    ]);
    const addition = await compare(narrow, wide, waivers, { "schema-property-added": "major" });
    expect(addition.impact).toBe("major");
  });

  test("of a rule about types hides its breaks, and of a change on the wire is not that of types", async () => {
    const [old, now] = await specsOf(user({ a: text }), user({ a: { type: "integer" } }));
    expect((await compare(old, now, waivers, { "schema-type": "patch" })).impact).toBe("major");
    const both = await compare(old, now, waivers, { "schema-type": "patch", "type-changed": "patch" });
    expect([both.impact, findingsOf(both, false), hiddenIn(both)]).toEqual([
      "patch",
      [],
      { wording: 2, types: 0 },
    ]);
  });

  test("may be lowered again by a waiver", async () => {
    await writeFile(
      join(folder, "diff-waivers.yaml"),
      "- { rule: schema-property-added, reason: Read by all. }\n",
    );
    const read = await readDiffWaivers(join(folder, "openapi.yaml"));
    const { impact, changes } = await compare(narrow, wide, read, { "schema-property-added": "major" });
    expect([impact, changes[0]?.waived]).toEqual(["minor", "Read by all."]);
  });
});

describe("a policy", () => {
  const sunset = (date: string): JsonObject => ({ deprecated: true, "x-sunset": date });
  const path = (more: JsonObject): JsonObject => withPaths({ "/a": get(), "/b": get(more) });
  const property = (more: JsonObject): JsonObject =>
    documentWith(inResponse(open({ a: text, b: string(more) })));
  const withoutPath = withPaths({ "/a": get() });
  const withoutProperty = documentWith(inResponse(open({ a: text })));
  const [past, future] = [sunset("2020-01-31"), sunset("9999-01-31")];
  const beta = { "x-stability": "beta" };

  test.each([
    ["an operation after its sunset", "removed-after-sunset", path(past), withoutPath, "minor"],
    ["an operation before its sunset", "removed-after-sunset", path(future), withoutPath, "major"],
    ["an operation of the level that the rule names", "removed-while-beta", path(beta), withoutPath, "minor"],
    ["an operation of another level", "removed-while-alpha", path(beta), withoutPath, "major"],
    ["a property after its sunset", "removed-after-sunset", property(past), withoutProperty, "minor"],
  ])("decides whether %s may be removed (%s)", async (_, rule, old, now, expected) => {
    const { impact, unused } = await comparedWith(`- { rule: ${rule}, reason: As announced. }\n`, old, now);
    expect([impact, unused]).toEqual([expected, []]);
  });

  test("has no effect unless a waiver contains its id", async () => {
    const { impact } = await comparedWith("[]\n", path(past), withoutPath);
    expect(impact).toBe("major");
  });
});
