/** Reads texts as values of a shape. */
import type { Scalar, Shape } from "#specbind/contract";

/** JSON's grammar of numbers (RFC 8259, section 6), so that `0x10`, `1_000` and the empty string are not numbers. */
const numberText = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const integerText = /^-?(?:0|[1-9]\d*)$/;

/** Reads text as a scalar that the schema allows. Other text stays a string, and the validator rejects it. */
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

type ArrayShape = Extract<Shape, { items: Shape }>;
type ObjectShape = Extract<Shape, { properties: unknown }>;

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

export function propertyOf(object: ObjectShape | undefined, name: string): Shape {
  if (object === undefined) return "string";
  return (Object.hasOwn(object.properties, name) ? object.properties[name] : object.others) ?? "string";
}

/** `Object.fromEntries` defines own properties, even if a name is `__proto__`. */
export function objectOf(entries: readonly (readonly [string, unknown])[]): Record<string, unknown> {
  return entries.length === 0 ? {} : Object.fromEntries(entries);
}
