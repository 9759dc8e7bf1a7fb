/** Reads the parameters of an operation from a request and validates them. */
import type { Context } from "hono";
import { getCookie } from "hono/cookie";
import type { ParameterContract, Problem } from "../../generated/contract.ts";
import type { RequestProblem } from "./refusal.ts";

export interface ParameterValues {
  readonly path: Record<string, unknown>;
  readonly query: Record<string, unknown>;
  readonly header: Record<string, unknown>;
  readonly cookie: Record<string, unknown>;
}

/** JSON's grammar of numbers (RFC 8259, section 6), so that `0x10`, `1_000` and `` are not read as numbers. */
const numberText = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const integerText = /^-?(?:0|[1-9]\d*)$/;

/** @param problems gets every fault, in the order of the contract */
export function readParameters(
  c: Context,
  contracts: readonly ParameterContract[],
  problems: RequestProblem[],
): ParameterValues {
  const values: ParameterValues = { path: {}, query: {}, header: {}, cookie: {} };
  for (const contract of contracts) {
    const { name } = contract;
    const texts = textsOf(c, contract);
    const report = (pointer: string, message: string): void => {
      problems.push({ in: contract.in, pointer: `/${escapePointer(name)}${pointer}`, message });
    };
    const [text] = texts;
    if (texts.length > 1) report("", "must be given once");
    else if (text === undefined) {
      if (contract.required) report("", "is required");
      else if (contract.complete) values[contract.in][name] = contract.complete(undefined);
    } else {
      const value = typedValue(text, contract.type);
      const faults: Problem[] = [];
      if (contract.validate(value, faults)) values[contract.in][name] = value;
      else for (const fault of faults) report(fault.pointer, fault.message);
    }
  }
  return values;
}

function textsOf(c: Context, { in: place, name }: ParameterContract): readonly string[] {
  switch (place) {
    case "path":
      return presentOnly(c.req.param(name));
    case "query":
      return c.req.queries(name) ?? [];
    case "header":
      return presentOnly(c.req.header(name));
    case "cookie":
      return presentOnly(getCookie(c, name));
  }
}

function presentOnly(text: string | undefined): readonly string[] {
  return text === undefined ? [] : [text];
}

/** A text that is not of the type stays as it is, for the validator to refuse. */
function typedValue(text: string, type: ParameterContract["type"]): unknown {
  if (type === "integer" && integerText.test(text)) return Number(text);
  if (type === "number" && numberText.test(text)) return Number(text);
  if (type === "boolean" && (text === "true" || text === "false")) return text === "true";
  return text;
}

function escapePointer(name: string): string {
  return name.replaceAll("~", "~0").replaceAll("/", "~1");
}
