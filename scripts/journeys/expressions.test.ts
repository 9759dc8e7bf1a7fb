/** Arazzo's runtime expressions and conditions, each against what it stands for. */
import { describe, expect, it } from "vitest";
import { filled, holds, parseCondition, parseExpression, resolve, type Scope } from "./expressions.ts";

const scope: Scope = {
  inputs: { id: 7, name: "Asha", none: null },
  outputs: new Map([["first", { id: 3 }]]),
  answer: {
    status: 401,
    header: (name) => (name.toLowerCase() === "retry-after" ? "30" : undefined),
    body: { error: { code: "gone", "a/b": [1, { c: true }] } },
  },
};

describe("an expression", () => {
  it.each([
    ["$statusCode", 401],
    ["$response.header.Retry-After", "30"],
    ["$response.header.Absent", undefined],
    ["$response.body", scope.answer?.body],
    ["$response.body#/error/code", "gone"],
    ["$response.body#/error/a~1b/1/c", true],
    ["$response.body#/error/absent", undefined],
    ["$inputs.id", 7],
    ["$steps.first.outputs.id", 3],
    ["$steps.second.outputs.id", undefined],
  ])("%s stands for %j", (text, value) => {
    const expression = parseExpression(text);
    expect(expression && { value: resolve(expression, scope) }).toEqual({ value });
  });

  it.each([
    "$statuscode",
    "$statusCode.x",
    "$response.body.error",
    "$response.bodyguard",
    "$inputs",
    "$inputs.a.b",
    "$steps.first.id",
    "$workflows.a.outputs.b",
    "statusCode",
  ])("is not %s", (text) => {
    expect(parseExpression(text)).toBeUndefined();
  });
});

describe("a value", () => {
  it("keeps the type of an expression that stands alone, and holds others as text", () => {
    const value = { id: "$inputs.id", list: ["Bearer {$inputs.name}-{$inputs.id}", 1, null, "{id}"] };
    expect(filled(value, scope)).toEqual({ id: 7, list: ["Bearer Asha-7", 1, null, "{id}"] });
  });
});

describe("a condition", () => {
  it.each([
    "$statusCode == 401",
    "$statusCode != 200",
    "$statusCode >= 401",
    "$statusCode < 500",
    "$response.body#/error/code == 'gone'",
    "$response.body#/error/code == 'Gone'",
    "$response.body#/error/a~1b/1/c == true",
    "$inputs.none == null",
    "$steps.first.outputs.id == 3",
    "$inputs.name != $steps.first.outputs.id",
  ])("holds: %s", (text) => {
    const condition = parseCondition(text);
    expect(condition && holds(condition, scope)).toBe(true);
  });

  it.each([
    "$statusCode == 200",
    "$statusCode > 401",
    "$statusCode == '401'",
    "$response.body#/error/code == 'go'",
    "$response.header.Absent == null",
    "$inputs.name < 'b'",
  ])("does not hold: %s", (text) => {
    const condition = parseCondition(text);
    expect(condition && holds(condition, scope)).toBe(false);
  });

  it.each([
    "$statusCode",
    "$statusCode = 200",
    "$statusCode == gone",
    "$status == 1",
    "$statusCode == 1 && true",
  ])("is not %s", (text) => {
    expect(parseCondition(text)).toBeUndefined();
  });
});
