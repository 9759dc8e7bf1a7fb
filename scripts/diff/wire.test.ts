import { describe, expect, test } from "vitest";
import type { JsonObject } from "../openapi/document.ts";
import { worstOf } from "./changes.ts";
import { cases } from "./testing/cases.ts";
import { documentWith, get, inRequest, ofPath, open, text, withPaths } from "./testing/notation.ts";
import { specOf } from "./testing/spec.ts";
import { wireChanges } from "./wire.ts";

describe("the wire verdict", () => {
  test.each(cases)("$title: $expected", ({ old, now, expected }) => {
    const changes = wireChanges(specOf(old, "old.json"), specOf(now, "new.json"));
    expect(worstOf(changes.map(({ impact }) => impact)), JSON.stringify(changes, null, 1)).toBe(expected);
  });

  const meaningsOf = (old: JsonObject, now: JsonObject): string[] =>
    wireChanges(specOf(old, "old.json"), specOf(now, "new.json")).map(({ meaning }) => meaning);

  test.each([
    [text, "callers may send it; those that sent it before as they liked may be refused"],
    [{ description: "Anything." }, "callers may send it"],
  ])("warns of a property that is new in an open request: %j", (schema, expected) => {
    const old = documentWith(inRequest(open({ a: text })));
    const now = documentWith(inRequest(open({ a: text, b: schema })));
    expect(meaningsOf(old, now)).toEqual([expected]);
  });

  test.each([
    ["/a/me", "callers may call it; those that called it as /a/{id} get another operation"],
    ["/a/me/b", "callers may call it"],
    ["/b/me", "callers may call it"],
  ])("warns of a new path %s that takes calls from one with a parameter", (path, expected) => {
    const one = { "/a/{id}": get(ofPath("id")) };
    expect(meaningsOf(withPaths(one), withPaths({ ...one, [path]: get({}) }))).toEqual([expected]);
  });
});
