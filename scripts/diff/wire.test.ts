/** The wire verdict, on a table of changes whose verdict is known. */
import { describe, expect, test } from "vitest";
import { worstOf } from "./changes.ts";
import { adverseCases } from "./testing/adverse-cases.ts";
import { cases as plainCases } from "./testing/cases.ts";
import { specOf } from "./testing/spec.ts";
import { wireChanges } from "./wire.ts";

const cases = [...plainCases, ...adverseCases];

describe("the wire verdict", () => {
  test.each(cases)("$title: $expected", ({ old, now, expected }) => {
    const changes = wireChanges(specOf(old, "old.json"), specOf(now, "new.json"));
    expect(worstOf(changes.map(({ impact }) => impact)), JSON.stringify(changes, null, 1)).toBe(expected);
  });

  test("knows the verdict of many changes of both kinds, each under a title of its own", () => {
    expect(cases.filter(({ expected }) => expected === "major").length).toBeGreaterThan(80);
    expect(cases.filter(({ expected }) => expected !== "major").length).toBeGreaterThan(80);
    expect(new Set(cases.map(({ title }) => title)).size).toBe(cases.length);
  });
});
