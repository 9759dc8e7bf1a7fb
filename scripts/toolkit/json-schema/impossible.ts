/** Finds schemas that no value can satisfy, and names in `required` that look misspelled. Most of them are mistakes. */
import { nearestWord } from "#specbind/nearest-word";
import { acceptedTypes, declaredNames } from "./analysis.ts";
import { inPlace, type Schema } from "./schema.ts";
import type { SchemaReader } from "./schema-reader.ts";

const sizes = [
  ["minLength", "maxLength", "string"],
  ["minItems", "maxItems", "array"],
  ["minProperties", "maxProperties", "object"],
] as const;

export function reportImpossible(schema: Schema, reader: SchemaReader): void {
  const { pointer } = schema;
  for (const [least, most, kind] of [...sizes, numbersOf(schema)]) {
    const [low = -Infinity, high = Infinity] = [schema[least], schema[most]];
    if (low <= high && (kind !== "number" || leavesNumber(schema, low, high))) continue;
    const message = `\`${least}: ${low}\` and \`${most}: ${high}\` leave no valid ${kind}; correct one of them`;
    reader.report("impossible", `${pointer}/${least}`, message);
  }
  const isPossible = ({ verdict }: Schema) => verdict !== false;
  const accepts = (part: Schema) => acceptedTypes(part).size > 0;
  if (isPossible(schema) && !accepts(schema) && inPlace(schema).every(accepts))
    reader.report("impossible", pointer, typesExcluded(schema));
  for (const name of schema.required ?? []) reportUndeclared(name, schema, reader);
}

/** A required property that is not declared has any value. If no other property is allowed either, no object is valid. */
function reportUndeclared(name: string, schema: Schema, reader: SchemaReader): void {
  const { pointer, properties, additionalProperties, patternProperties } = schema;
  if (properties === undefined || declaredNames(schema).has(name) || properties.has(name)) return;
  const patterns = [...(patternProperties?.keys() ?? [])];
  const isExcluded =
    additionalProperties?.verdict === false && !patterns.some((each) => new RegExp(each, "u").test(name));
  const nearest = nearestWord(name, [...properties.keys()]);
  if (!isExcluded && nearest === undefined) return;
  const effect = isExcluded ? "no object is valid" : "it may have any value";
  const fix = nearest === undefined ? "add it there, or remove it here" : `did you mean \`${nearest}\`?`;
  const message = `\`required\` has \`${name}\`, but \`properties\` does not, so ${effect}; ${fix}`;
  reader.report(
    isExcluded ? "impossible" : "undeclared-required",
    `${pointer}/required`,
    message,
    !isExcluded,
  );
}

function typesExcluded(schema: Schema): string {
  const names = (["type", "const", "enum", "ref", "allOf", "anyOf", "oneOf"] as const)
    .filter((keyword) => schema[keyword] !== undefined)
    .map((keyword) => `\`${keyword === "ref" ? "$ref" : keyword}\``);
  const culprits = names.length === 1 ? `the parts of ${names[0]}` : names.join(" and ");
  return `no value is valid, because ${culprits} exclude each other; correct one of them`;
}

/** The keywords that limit numbers most. */
function numbersOf(schema: Schema) {
  const { minimum = -Infinity, exclusiveMinimum = -Infinity } = schema;
  const { maximum = Infinity, exclusiveMaximum = Infinity } = schema;
  return [
    exclusiveMinimum >= minimum ? "exclusiveMinimum" : "minimum",
    exclusiveMaximum <= maximum ? "exclusiveMaximum" : "maximum",
    "number",
  ] as const;
}

function leavesNumber(schema: Schema, low: number, high: number): boolean {
  const [isAboveLow, isBelowHigh] = [schema.exclusiveMinimum === low, schema.exclusiveMaximum === high];
  const isOfIntegers = schema.type?.includes("integer") === true && !schema.type.includes("number");
  if (!isOfIntegers) return low < high || !(isAboveLow || isBelowHigh);
  const first = isAboveLow ? Math.floor(low) + 1 : Math.ceil(low);
  const last = isBelowHigh ? Math.ceil(high) - 1 : Math.floor(high);
  return first <= last;
}
