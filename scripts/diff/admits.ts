import { entriesOf, isObject, type Json, type JsonObject, valueTypeOf } from "../openapi/document.ts";
import { keywordChecks, matches, violates } from "../openapi/keyword-checks.ts";
import {
  type Direction,
  isHidden,
  itemPlaces,
  placeBelow,
  type SchemaPart,
  type SchemaPlace,
} from "../openapi/schema-view.ts";
import { formatRange } from "./bounds.ts";
import { factsOf, numberOf, onlyIntegers, textsOf, typesOf } from "./facts.ts";

/** Undefined if it is unknown. */
type Verdict = boolean | undefined;

function all(verdicts: readonly Verdict[]): Verdict {
  if (verdicts.includes(false)) return false;
  return verdicts.includes(undefined) ? undefined : true;
}

/** Formats that accept every string in JSON. */
export const looseFormats = new Set(["", "password", "double", "float"]);

export function admits(schema: SchemaPlace, value: Json, side: Direction): Verdict {
  const facts = factsOf(schema);
  if (facts.isNever) return false;
  return all([
    ...facts.parts.map((part) => partAdmits(part, value, side)),
    ...facts.unions.map(({ keyword, branches }) => {
      const verdicts = branches.map((branch) => admits(branch, value, side));
      if (keyword === "anyOf") {
        return verdicts.includes(true) ? true : verdicts.includes(undefined) ? undefined : false;
      }
      const fitting = verdicts.filter((verdict) => verdict === true).length;
      if (fitting > 1) return false;
      return verdicts.includes(undefined) ? undefined : fitting === 1;
    }),
  ]);
}

function partAdmits(part: SchemaPart, value: Json, side: Direction): Verdict {
  const schema = part.value;
  if (typesOf(schema)?.includes(valueTypeOf(value)) === false) return false;
  if (Object.keys(keywordChecks).some((keyword) => violates(schema, keyword, value))) return false;
  const verdicts = [applied(part, value, side)];
  if (typeof value === "number") verdicts.push(numberAdmitted(schema, value));
  if (typeof value === "string") verdicts.push(textAdmitted(schema, value));
  if (Array.isArray(value)) verdicts.push(listAdmitted(part, value, side));
  if (isObject(value)) verdicts.push(objectAdmitted(part, value, side));
  if (schema.$dynamicRef !== undefined) verdicts.push(undefined);
  return all(verdicts);
}

function applied(part: SchemaPart, value: Json, side: Direction): Verdict {
  const verdicts: Verdict[] = [];
  if (part.value.not !== undefined) {
    const verdict = admits(placeBelow(part, "not"), value, side);
    verdicts.push(verdict === undefined ? undefined : !verdict);
  }
  if (part.value.if !== undefined) {
    const condition = admits(placeBelow(part, "if"), value, side);
    if (condition === undefined) verdicts.push(undefined);
    else {
      const branch = condition ? "then" : "else";
      if (part.value[branch] !== undefined) verdicts.push(admits(placeBelow(part, branch), value, side));
    }
  }
  return all(verdicts);
}

function numberAdmitted(schema: JsonObject, value: number): boolean {
  const { least, most } = formatRange(schema.format) ?? { least: -Infinity, most: Infinity };
  return least <= value && value <= most && (!onlyIntegers(schema) || Number.isInteger(value));
}

function textAdmitted(schema: JsonObject, value: string): Verdict {
  const { pattern, format } = schema;
  // Invalid patterns have no verdict.
  const fits = typeof pattern === "string" ? matches(pattern, value) : true;
  const isOpen =
    (typeof format === "string" && !looseFormats.has(format) && formatRange(format) === undefined) ||
    schema.contentEncoding !== undefined ||
    schema.contentMediaType !== undefined;
  return all([fits, isOpen ? undefined : true]);
}

function listAdmitted(part: SchemaPart, value: readonly Json[], side: Direction): Verdict {
  const schema = part.value;
  const prefix = itemPlaces(part, "prefixItems");
  const verdicts = value.map((item, index) => {
    const own = prefix[index] ?? (schema.items === undefined ? undefined : placeBelow(part, "items"));
    return own === undefined ? true : admits(own, item, side);
  });
  if (schema.contains !== undefined) {
    const contained = value.map((item) => admits(placeBelow(part, "contains"), item, side));
    const sure = contained.filter((verdict) => verdict === true).length;
    const possible = sure + contained.filter((verdict) => verdict === undefined).length;
    const least = numberOf(schema.minContains) ?? 1;
    const most = numberOf(schema.maxContains) ?? Infinity;
    if (possible < least || sure > most) return false;
    verdicts.push(sure >= least && possible <= most ? true : undefined);
  }
  if (schema.unevaluatedItems !== undefined) verdicts.push(undefined);
  return all(verdicts);
}

function objectAdmitted(part: SchemaPart, value: JsonObject, side: Direction): Verdict {
  const schema = part.value;
  const properties = isObject(schema.properties) ? schema.properties : {};
  const missing = textsOf(schema.required).filter((name) => !Object.hasOwn(value, name));
  const verdicts: Verdict[] = missing.map(
    (name) =>
      Object.hasOwn(properties, name) && isHidden(factsOf(placeBelow(part, "properties", name)), side),
  );
  for (const [name, item] of Object.entries(value)) {
    const own = Object.hasOwn(properties, name) ? [placeBelow(part, "properties", name)] : [];
    for (const [pattern] of entriesOf(schema.patternProperties)) {
      const fits = matches(pattern, name);
      if (fits === undefined) verdicts.push(undefined);
      if (fits === true) own.push(placeBelow(part, "patternProperties", pattern));
    }
    if (own.length === 0 && schema.additionalProperties !== undefined)
      own.push(placeBelow(part, "additionalProperties"));
    verdicts.push(...own.map((each) => admits(each, item, side)));
    if (schema.propertyNames !== undefined)
      verdicts.push(admits(placeBelow(part, "propertyNames"), name, side));
    const entailed = isObject(schema.dependentRequired) ? schema.dependentRequired[name] : undefined;
    verdicts.push(...textsOf(entailed).map((each) => Object.hasOwn(value, each)));
    if (isObject(schema.dependentSchemas) && schema.dependentSchemas[name] !== undefined)
      verdicts.push(admits(placeBelow(part, "dependentSchemas", name), value, side));
  }
  if (schema.unevaluatedProperties !== undefined) verdicts.push(undefined);
  return all(verdicts);
}
