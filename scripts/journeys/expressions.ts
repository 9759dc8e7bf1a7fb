/** The runtime expressions and simple conditions of Arazzo (1.0.1, sections 4.7 and 4.6.12) that journeys are written in. */
import { isObject, type Json, pointerTo, valueAt } from "../generate/document.ts";

export type Expression =
  | { readonly of: "status" }
  | { readonly of: "header"; readonly name: string }
  | { readonly of: "body"; readonly pointer: string }
  | { readonly of: "input"; readonly name: string }
  | { readonly of: "output"; readonly step: string; readonly name: string };

/** What expressions are resolved in. */
export interface Scope {
  readonly inputs: { readonly [name: string]: Json };
  /** Of the steps so far, by step. */
  readonly outputs: ReadonlyMap<string, { readonly [name: string]: Json | undefined }>;
  readonly answer?: Answer;
}

export interface Answer {
  readonly status: number;
  readonly header: (name: string) => string | undefined;
  readonly body: Json | undefined;
}

/** Undefined for what is no expression, or none that journeys are written in. */
export function parseExpression(text: string): Expression | undefined {
  const [, name, rest = ""] =
    /^\$(statusCode|response\.header|response\.body|inputs|steps)([.#].*)?$/s.exec(text) ?? [];
  const property = /^\.([\w!#$%&'*+^`|~-]+)$/.exec(rest)?.[1];
  switch (name) {
    case "statusCode":
      return rest === "" ? { of: "status" } : undefined;
    case "response.header":
      return property === undefined ? undefined : { of: "header", name: property };
    case "response.body":
      return /^(#(\/.*)?)?$/s.test(rest) ? { of: "body", pointer: rest.slice(1) } : undefined;
    case "inputs":
      return property === undefined ? undefined : { of: "input", name: property };
    default: {
      const [, step, output] = /^\.([\w-]+)\.outputs\.([\w-]+)$/.exec(rest) ?? [];
      return step === undefined || output === undefined ? undefined : { of: "output", step, name: output };
    }
  }
}

export function resolve(expression: Expression, { inputs, outputs, answer }: Scope): Json | undefined {
  switch (expression.of) {
    case "status":
      return answer?.status;
    case "header":
      return answer?.header(expression.name);
    case "body":
      return valueAt(answer?.body, expression.pointer);
    case "input":
      return inputs[expression.name];
    case "output":
      return outputs.get(expression.step)?.[expression.name];
  }
}

/** An expression in the midst of text. */
const embedded = /\{(\$[^{}]+)\}/g;

/** Every text in a value that stands for something else, with its place in it. */
export function expressionTexts(
  value: Json,
  pointer = "",
): { readonly pointer: string; readonly text: string }[] {
  if (typeof value === "string") {
    if (value.startsWith("$")) return [{ pointer, text: value }];
    return [...value.matchAll(embedded)].map(([, text = ""]) => ({ pointer, text }));
  }
  if (Array.isArray(value))
    return value.flatMap((item, index) => expressionTexts(item, pointerTo(pointer, index)));
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([name, item]) => expressionTexts(item, pointerTo(pointer, name)));
}

/** The value with every expression in it resolved: alone it keeps its type, in the midst of text it is text. */
export function filled(value: Json, scope: Scope): Json {
  if (typeof value === "string") {
    if (value.startsWith("$")) return resolved(value, scope) ?? null;
    return value.replaceAll(embedded, (_, text: string) => String(resolved(text, scope)));
  }
  if (Array.isArray(value)) return value.map((item) => filled(item, scope));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, filled(item, scope)]));
}

function resolved(text: string, scope: Scope): Json | undefined {
  const expression = parseExpression(text);
  return expression && resolve(expression, scope);
}

export interface Condition {
  readonly left: Operand;
  readonly operator: keyof typeof operators;
  readonly right: Operand;
}

type Operand = { readonly expression: Expression } | { readonly literal: Json };

const operators = {
  "==": (left: Json | undefined, right: Json | undefined) => isSame(left, right),
  "!=": (left: Json | undefined, right: Json | undefined) => !isSame(left, right),
  "<=": ordered((left, right) => left <= right),
  ">=": ordered((left, right) => left >= right),
  "<": ordered((left, right) => left < right),
  ">": ordered((left, right) => left > right),
};

/** Undefined for what is no condition of two operands. */
export function parseCondition(text: string): Condition | undefined {
  const [, left = "", operator = "", right = ""] =
    /^\s*(\S+)\s+(==|!=|<=|>=|<|>)\s+(.+?)\s*$/.exec(text) ?? [];
  const operands = [left, right].map(parseOperand);
  const [first, second] = operands;
  if (first === undefined || second === undefined || !isOperator(operator)) return undefined;
  return { left: first, operator, right: second };
}

export function holds({ left, operator, right }: Condition, scope: Scope): boolean {
  const value = (operand: Operand) =>
    "literal" in operand ? operand.literal : resolve(operand.expression, scope);
  return operators[operator](value(left), value(right));
}

/** The expressions of a condition. */
export function expressionsOf({ left, right }: Condition): Expression[] {
  return [left, right].flatMap((operand) => ("expression" in operand ? [operand.expression] : []));
}

function isOperator(text: string): text is keyof typeof operators {
  return Object.hasOwn(operators, text);
}

function parseOperand(text: string): Operand | undefined {
  if (text.startsWith("$")) {
    const expression = parseExpression(text);
    return expression && { expression };
  }
  // A quote within is written twice.
  const [, quoted] = /^'((?:[^']|'')*)'$/.exec(text) ?? [];
  if (quoted !== undefined) return { literal: quoted.replaceAll("''", "'") };
  if (/^(?:true|false|null|-?\d+(?:\.\d+)?)$/.test(text)) return { literal: JSON.parse(text) };
  return undefined;
}

/** Text is compared without regard to case (Arazzo 1.0.1, section 4.6.12.3). */
function isSame(left: Json | undefined, right: Json | undefined): boolean {
  if (typeof left === "string" && typeof right === "string")
    return left.toLowerCase() === right.toLowerCase();
  return left === right;
}

function ordered(compare: (left: number, right: number) => boolean) {
  return (left: Json | undefined, right: Json | undefined) =>
    typeof left === "number" && typeof right === "number" && compare(left, right);
}
