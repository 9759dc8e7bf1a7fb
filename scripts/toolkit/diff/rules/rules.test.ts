import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { cases } from "../testing/cases.ts";
import { specOf } from "../testing/spec.ts";
import { wireChanges } from "../wire.ts";
import { allRules } from "./index.ts";
import { typeRules, unreadableRule } from "./other-rules.ts";
import { isPolicy } from "./policy-rules.ts";

test("docs/diff.md lists every rule with its description and its remedy", () => {
  const [, table = ""] = readFileSync("docs/diff.md", "utf8").split("|---|---|---|\n");
  expect(table.trimEnd().split("\n")).toEqual(
    allRules.map(({ id, description, remedy }) => `| \`${id}\` | ${description} | ${remedy} |`),
  );
});

test("every rule has its own id", () => {
  expect(new Set(allRules.map(({ id }) => id)).size).toBe(allRules.length);
});

test("every rule about the wire reports at least one change of the table", () => {
  const reported = cases.flatMap(([, old, now]) =>
    wireChanges(specOf(old, "old.json"), specOf(now, "new.json")).map(({ rule }) => rule),
  );
  const types = [unreadableRule, ...Object.values(typeRules)].map(({ id }) => id);
  const others = allRules.map(({ id }) => id).filter((id) => !types.includes(id) && !isPolicy(id));
  expect(others.filter((id) => !reported.includes(id))).toEqual([]);
});
