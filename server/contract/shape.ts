/** Reads text as the types that a schema leaves room for. Text that fits none stays text, for the validator to refuse. */
import type { Scalar, Shape } from "../../generated/contract.ts";

type ArrayShape = Extract<Shape, { items: Shape }>;
type ObjectShape = Extract<Shape, { properties: unknown }>;

/** JSON's grammar of numbers (RFC 8259, section 6), so that `0x10`, `1_000` and `` are not read as numbers. */
const numberText = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const integerText = /^-?(?:0|[1-9]\d*)$/;

function alternatives(shape: Shape): readonly Shape[] {
  return Array.isArray(shape) ? shape : [shape];
}

export function arrayIn(shape: Shape): ArrayShape | undefined {
  return alternatives(shape).find((each): each is ArrayShape => typeof each === "object" && "items" in each);
}

export function objectIn(shape: Shape): ObjectShape | undefined {
  return alternatives(shape).find(
    (each): each is ObjectShape => typeof each === "object" && "properties" in each,
  );
}

export function scalarsIn(shape: Shape): readonly Scalar[] {
  return alternatives(shape).filter((each): each is Scalar => typeof each === "string");
}

export function readText(text: string, shape: Shape): unknown {
  if (shape === "string") return text;
  const scalars = scalarsIn(shape);
  if (scalars.includes("integer") && integerText.test(text)) return Number(text);
  if (scalars.includes("number") && numberText.test(text)) return Number(text);
  if (scalars.includes("boolean") && (text === "true" || text === "false")) return text === "true";
  if (scalars.includes("null") && !scalars.includes("string") && (text === "" || text === "null"))
    return null;
  return text;
}
