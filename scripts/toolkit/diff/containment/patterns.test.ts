import { describe, expect, test } from "vitest";
import { patternsImply } from "./patterns.ts";

describe("the comparison of patterns", () => {
  test.each([
    [["^a$"], "^a", true],
    [["^a"], "^a$", false],
    [["^[a-z]{3}$"], "^[a-z]{2,4}$", true],
    [["^(foo|bar)$"], "^[a-z]+$", true],
    [["^[^a]$"], "^[^ab]$", false],
    [["^a*$"], "^(a{2})*$", false],
    [["^(aa)*$", "^(aaa)*$"], "^(a{6})*$", true],
    [["^.$"], "^[\\s\\S]$", true],
    [["ab"], "a", true],
    [["^a|b$"], "^(a|b)$", false],
    [["^(?:a|b)$"], "^(?<letter>[ab])$", true],
    [["^a+?$"], "^a+$", true],
    [["^\\u0041$"], "^A$", true],
    [["^\\u{1F600}$"], "^😀$", true],
    [["^\\x41\\.\\/$"], "^A\\./$", true],
    [["^(^a)$"], "^a$", true],
    [["$a"], "^b$", true],
    [[], "^", true],
    [[], "^[\\s\\S]*$", true],
    [["^[\\d-]+$"], "^[0-9-]+$", true],
    [["^[\\b]$"], "^\\x08$", true],
    [["^a{0}$"], "^$", true],
    [["^(a|)$"], "^a?$", true],
  ])("decides whether all of %j together imply %j: %s", (patterns, target, expected) => {
    expect(patternsImply(patterns, target)).toBe(expected);
  });

  test.each([
    [["^a$"], "^(?=a)"],
    [["(?<!a)b"], "^c"],
    [["^(a)\\1$"], "^a$"],
    [["^\\p{L}$"], "^a$"],
    [["\\bword"], "^word"],
    [["^[a"], "^a"],
    [["^a"], "(["],
    [["^a$"], "^(a{1000}){1000}$"],
  ])("is undecided if %j or %j is invalid, not supported or too large", (patterns, target) => {
    expect(patternsImply(patterns, target)).toBeUndefined();
  });

  test("ignores a pattern that it cannot read if another one implies the target", () => {
    expect(patternsImply(["(?=a)", "^ab$"], "^a")).toBe(true);
  });

  test("gives up if there are too many states", () => {
    expect(patternsImply(["^(a|b)*a(a|b){14}$"], "^(a|b)*b(a|b){16}$")).not.toBe(true);
  });
});
