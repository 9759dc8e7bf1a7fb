/** What a schema says about the properties and items of a value. */
import { entriesOf, isObject } from "../../openapi/document.ts";
import { matches } from "../../openapi/schema/keyword-checks.ts";
import {
  type Direction,
  isHidden,
  itemPlaces,
  placeBelow,
  type SchemaPart,
  type SchemaPlace,
  viewOfAll,
} from "../../openapi/schema/schema-view.ts";
import { type Facts, factsOf, textsOf } from "../facts.ts";

interface PropertyFacts {
  readonly facts: Facts;
  /** True if `properties` lists the property or `patternProperties` matches it. */
  readonly declared: boolean;
}

export function propertyOf(facts: Facts, name: string, side: Direction): PropertyFacts {
  const places: SchemaPlace[] = [];
  let declared = false;
  for (const part of facts.parts) {
    const here = declaredIn(part, name);
    declared ||= here.length > 0;
    if (here.length > 0) places.push(...here);
    else places.push(...undeclaredIn(part, name));
  }
  // Reports use the first place, so a place in `properties` comes first.
  const named = places.filter(({ pointer }) => pointer.includes("/properties/"));
  const found = factsAt([...named, ...places.filter((each) => !named.includes(each))], facts);
  return { facts: { ...found, isNever: found.isNever || isHidden(found, side) }, declared };
}

export function declaredIn(part: SchemaPart, name: string): SchemaPlace[] {
  const { properties } = part.value;
  const named =
    isObject(properties) && Object.hasOwn(properties, name) ? [placeBelow(part, "properties", name)] : [];
  const matched = entriesOf(part.value.patternProperties)
    .filter(([pattern]) => matches(pattern, name) === true)
    .map(([pattern]) => placeBelow(part, "patternProperties", pattern));
  return [...named, ...matched];
}

const conditions = ["if", "dependentSchemas"];

/** The parts that evaluate a value's properties and items. Undefined if this depends on a union or a condition. */
export function evaluatedBy(part: SchemaPart): readonly SchemaPart[] | undefined {
  const { parts, unions } = viewOfAll(part);
  const isOpen =
    unions.length > 0 ||
    parts.some(({ value }) => conditions.some((keyword) => value[keyword] !== undefined));
  return isOpen ? undefined : parts;
}

/** The facts about properties that neither `properties` nor `patternProperties` declares. */
export function otherProperties(facts: Facts): Facts {
  return factsAt(
    facts.parts.flatMap((part) => undeclaredIn(part)),
    facts,
  );
}

/**
 * The schemas of properties that the part does not declare.
 *
 * @param name of one property. If it is undefined, the result is for all properties that no part declares
 */
function undeclaredIn(part: SchemaPart, name?: string): SchemaPlace[] {
  const { additionalProperties, unevaluatedProperties } = part.value;
  if (additionalProperties !== undefined) return [placeBelow(part, "additionalProperties")];
  if (unevaluatedProperties === undefined) return [];
  const isLeft = evaluatedBy(part)?.every(
    (each) =>
      each.value.additionalProperties === undefined &&
      (name === undefined || declaredIn(each, name).length === 0),
  );
  return isLeft ? [placeBelow(part, "unevaluatedProperties")] : [];
}

export function propertyNames(facts: Facts): Set<string> {
  return new Set(facts.parts.flatMap(({ value }) => entriesOf(value.properties).map(([name]) => name)));
}

/** All names that properties can have. Undefined if the schema does not limit them. */
export function onlyNames(facts: Facts, side: Direction): string[] | undefined {
  const hasPatterns = facts.parts.some(({ value }) => value.patternProperties !== undefined);
  if (hasPatterns || !otherProperties(facts).isNever) return undefined;
  return [...propertyNames(facts)].filter((name) => !propertyOf(facts, name, side).facts.isNever);
}

/** Includes names that `dependentRequired` adds. Excludes properties that this side never writes. */
export function requiredNames(facts: Facts, side: Direction): Set<string> {
  const names = new Set(facts.parts.flatMap(({ value }) => textsOf(value.required)));
  for (const name of names) {
    for (const { value } of facts.parts) {
      const dependent = isObject(value.dependentRequired) ? value.dependentRequired[name] : undefined;
      for (const entailed of textsOf(dependent)) names.add(entailed);
    }
  }
  return new Set([...names].filter((name) => !isHidden(propertyOf(facts, name, side).facts, side)));
}

/** An index beyond all `prefixItems` stands for all remaining items. */
export function elementOf(facts: Facts, index: number): Facts {
  const places = facts.parts.flatMap((part) => {
    const prefix = itemPlaces(part, "prefixItems");
    const own = prefix[index];
    if (own !== undefined) return [own];
    if (part.value.items !== undefined) return [placeBelow(part, "items")];
    if (part.value.unevaluatedItems === undefined) return [];
    const isLeft = evaluatedBy(part)?.every(
      (each) =>
        each.value.contains === undefined &&
        each.value.items === undefined &&
        itemPlaces(each, "prefixItems").length <= index,
    );
    return isLeft ? [placeBelow(part, "unevaluatedItems")] : [];
  });
  return factsAt(places, facts);
}

export function prefixLength({ parts }: Pick<Facts, "parts">): number {
  return Math.max(0, ...parts.map((part) => itemPlaces(part, "prefixItems").length));
}

/** If no place applies, the value may be anything. */
function factsAt(places: readonly SchemaPlace[], owner: Facts): Facts {
  const facts = factsOf(...places);
  return places.length > 0 ? facts : { ...facts, origin: owner.origin, target: owner.origin };
}
