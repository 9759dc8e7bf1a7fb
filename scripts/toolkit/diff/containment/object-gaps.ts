/** Finds gaps of object keywords. */
import {
  entriesOf,
  isObject,
  type Json,
  localPointer,
  pointerTo,
  referenceTarget,
  tokensOf,
} from "../../openapi/document.ts";
import { defaultMapping31 } from "../../openapi/downgrade.ts";
import { matches } from "../../openapi/schema/keyword-checks.ts";

import {
  admitsAll,
  hidingKeyword,
  isHidden,
  placeAt,
  placeBelow,
  type SchemaPart,
  type SchemaPlace,
} from "../../openapi/schema/schema-view.ts";
import { type AssumedPart, both, type Facts, factsOf, finiteValues, numberOf, textsOf } from "../facts.ts";
import { admits } from "./admits.ts";
import { propertyCount } from "./bounds.ts";
import { type Gap, gapAt, otherTags, type Proof, wholeGaps } from "./gaps.ts";
import {
  declaredIn,
  evaluatedBy,
  otherProperties,
  propertyNames,
  propertyOf,
  requiredNames,
} from "./members.ts";
import { patternsImply } from "./patterns.ts";

export function objectGaps(proof: Proof, facts: Facts, part: SchemaPart, wanted: Facts): Gap[] {
  const { side } = proof;
  const count = propertyCount(facts, side);
  const gaps: Gap[] = [];
  const { minProperties, maxProperties } = part.value;
  if (count.least < (numberOf(minProperties) ?? 0)) gaps.push(gapAt(facts, part, "minProperties"));
  if (count.most > (numberOf(maxProperties) ?? Infinity)) gaps.push(gapAt(facts, part, "maxProperties"));
  gaps.push(
    ...requiredGaps(proof, facts, part, wanted),
    ...propertyGaps(proof, facts, part),
    ...patternPropertyGaps(proof, facts, part),
    ...additionalGaps(proof, facts, part),
    ...nameGaps(proof, facts, part),
    ...dependentGaps(proof, facts, part, wanted),
    ...discriminatorGaps(proof, facts, part),
  );
  return gaps;
}

function requiredGaps(proof: Proof, facts: Facts, part: SchemaPart, wanted: Facts): Gap[] {
  const { side } = proof;
  const known = requiredNames(facts, side);
  return textsOf(part.value.required)
    .filter((name) => !known.has(name) && !isHidden(propertyOf(wanted, name, side).facts, side))
    .map((name) => gapAt(facts, part, "required", { subject: name }));
}

function propertyGaps(proof: Proof, facts: Facts, part: SchemaPart): Gap[] {
  const { side, isForward } = proof;
  return entriesOf(part.value.properties).flatMap(([name]): readonly Gap[] => {
    const wanted = placeBelow(part, "properties", name);
    const own = propertyOf(facts, name, side);
    // The proof assumes that the value does not have this property.
    if (facts.parts.some((each) => "isAssumed" in each && declaredIn(each, name).length > 0)) return [];
    const isNever = own.facts.isNever;
    const isWantedHidden = isHidden(factsOf(wanted), side);
    const isWantedNever = factsOf(wanted).isNever || isWantedHidden;
    const at = { ...wanted, pointer: part.pointer };
    // If a property is no longer declared, callers that read it break, even if it is still allowed.
    const isUnsaid =
      !own.declared && (side === "response" || (own.facts.parts.length === 0 && !isAnything(facts)));
    if (!isForward && !isWantedNever && side === "response" && isHidden(own.facts, side))
      return [
        { ...gapAt(own.facts, at, "writeOnly", { subject: name, kind: "removal" }), inner: own.facts.origin },
      ];
    if (!isForward && !isWantedNever && (isNever || isUnsaid))
      return side === "request" && isNever
        ? []
        : [gapAt(facts, at, "properties", { subject: name, kind: "removal" })];
    if (isNever && isForward && !isWantedNever && isHidden(own.facts, side))
      return [gapAt(own.facts, wanted, hidingKeyword[side], { subject: name, kind: "addition" })];
    if (isNever) return isForward && !isWantedNever ? [addition(facts, at, name)] : [];
    if (isForward && !own.declared && isOpen(facts) && isRecord(facts))
      return [addition(facts, at, name, isAnything(factsOf(wanted)))];
    // If callers could never send the property, it counts as new.
    if (isWantedHidden && !isForward) return [];
    if (isWantedHidden) return [gapAt(own.facts, wanted, hidingKeyword[side], { subject: name })];
    if (isWantedNever) return [gapAt(own.facts, at, "properties", { subject: name })];
    return proof.within(own.facts, wanted);
  });
}

/**
 * A new property counts as compatible, because interfaces grow by new properties. Callers that already sent a property
 * with this name may be rejected, so the report warns of this.
 */
function addition(facts: Facts, at: SchemaPlace, name: string, isCertain = true): Gap {
  return gapAt(facts, at, "properties", { subject: name, kind: "addition", isCertain });
}

function patternPropertyGaps(proof: Proof, facts: Facts, part: SchemaPart): Gap[] {
  const { side } = proof;
  return entriesOf(part.value.patternProperties).flatMap(([pattern]) => {
    const wanted = placeBelow(part, "patternProperties", pattern);
    const known = [...propertyNames(facts)].filter((name) => matches(pattern, name) !== false);
    const gaps = known.flatMap((name) => proof.within(propertyOf(facts, name, side).facts, wanted));
    const patterns = patternsOf(facts.parts);
    for (const { place } of patterns) gaps.push(...proof.within(factsOf(place), wanted));
    if (!isMatchedBy(patterns, pattern))
      gaps.push(...openGaps(proof, facts, part, "patternProperties", wanted, []));
    return gaps;
  });
}

interface PropertyPattern {
  readonly pattern: string;
  readonly place: SchemaPlace;
}

function patternsOf(parts: readonly SchemaPart[]): PropertyPattern[] {
  return parts.flatMap((part) =>
    entriesOf(part.value.patternProperties).map(([pattern]) => ({
      pattern,
      place: placeBelow(part, "patternProperties", pattern),
    })),
  );
}

/** True if one of the patterns matches every name that the given pattern matches. */
function isMatchedBy(patterns: readonly PropertyPattern[], given: string): boolean {
  return patterns.some(({ pattern }) => pattern === given || patternsImply([given], pattern) === true);
}

/** True if `propertyNames` allows no name that the parts do not declare. */
function areNamesDeclared(facts: Facts, declaring: readonly SchemaPart[]): boolean {
  return facts.parts.some((part) => {
    const names = factsOf(placeBelow(part, "propertyNames"));
    const values = finiteValues({ ...names, only: "string" });
    const isDeclared = (name: Json): boolean =>
      declaring.some((each) => declaredIn(each, String(name)).length > 0);
    if (values !== undefined) return values.every(isDeclared);
    return names.parts.some(
      ({ value }) => typeof value.pattern === "string" && isMatchedBy(patternsOf(declaring), value.pattern),
    );
  });
}

function openGaps(
  proof: Proof,
  facts: Facts,
  part: SchemaPart,
  keyword: string,
  wanted: SchemaPlace,
  declaring: readonly SchemaPart[],
): readonly Gap[] {
  const others = otherProperties(facts);
  if (others.isNever || areNamesDeclared(facts, declaring)) return [];
  if (others.parts.length > 0) return proof.within(others, wanted);
  const isRejected = proof.within(others, wanted, 1).length > 0;
  return isRejected ? [gapAt(facts, part, keyword)] : [];
}

function additionalGaps(proof: Proof, facts: Facts, part: SchemaPart): Gap[] {
  const { additionalProperties, unevaluatedProperties } = part.value;
  const gaps =
    additionalProperties === undefined
      ? []
      : undeclaredGaps(proof, facts, placeBelow(part, "additionalProperties"), part, [part]);
  if (unevaluatedProperties === undefined) return gaps;
  const parts = evaluatedBy(part);
  if (parts === undefined) return [...gaps, ...wholeGaps(proof, facts, part, "unevaluatedProperties")];
  if (parts.some(({ value }) => value.additionalProperties !== undefined)) return gaps;
  const wanted = placeBelow(part, "unevaluatedProperties");
  return [...gaps, ...undeclaredGaps(proof, facts, wanted, part, parts)];
}

/** @param declaring the parts that declare properties, to which the keyword does not apply */
function undeclaredGaps(
  proof: Proof,
  facts: Facts,
  wanted: SchemaPlace,
  part: SchemaPart,
  declaring: readonly SchemaPart[],
): Gap[] {
  const { side } = proof;
  const keyword = tokensOf(wanted.pointer).at(-1) ?? "";
  const isForbidding = factsOf(wanted).isNever;
  const gaps: Gap[] = [];
  for (const name of propertyNames(facts)) {
    const own = propertyOf(facts, name, side).facts;
    if (own.isNever || declaring.some((each) => declaredIn(each, name).length > 0)) continue;
    if (isForbidding)
      gaps.push({ ...gapAt(own, part, keyword, { subject: name, kind: "closed" }), inner: own.origin });
    else gaps.push(...proof.within(own, wanted));
  }
  for (const { pattern, place } of patternsOf(facts.parts))
    if (!isMatchedBy(patternsOf(declaring), pattern)) gaps.push(...proof.within(factsOf(place), wanted));
  return [...gaps, ...openGaps(proof, facts, part, keyword, wanted, declaring)];
}

function nameGaps(proof: Proof, facts: Facts, part: SchemaPart): Gap[] {
  if (part.value.propertyNames === undefined) return [];
  const wanted = placeBelow(part, "propertyNames");
  const { side } = proof;
  const patterns = patternsOf(facts.parts).map(({ pattern, place }) => {
    const value = { type: "string", pattern };
    return factsOf({ document: place.document, pointer: `${place.pointer} name`, value });
  });
  const isKnown =
    otherProperties(facts).isNever &&
    [...propertyNames(facts)].every((name) => admits(wanted, name, side) === true) &&
    patterns.every((names) => proof.within(names, wanted, 1).length === 0);
  if (isKnown) return [];
  const places = facts.parts
    .filter(({ value }) => value.propertyNames !== undefined)
    .map((own) => placeBelow(own, "propertyNames"));
  const own = factsOf(...places);
  const place = places.length > 0 ? own : facts;
  const names: Facts = { ...own, origin: place.origin, target: place.target, only: "string" };
  return [...proof.within(names, wanted, 1)];
}

function dependentGaps(proof: Proof, facts: Facts, part: SchemaPart, whole: Facts): Gap[] {
  const { side, isForward } = proof;
  const isNew = (name: string): boolean => {
    const own = propertyOf(facts, name, side);
    const isAdded = isForward && !own.declared && propertyOf(whole, name, side).declared;
    return own.facts.isNever || (isAdded && isOpen(facts) && isRecord(facts));
  };
  const withProperty = (name: string): Facts => {
    const pointer = `${part.pointer} with ${name}`;
    const assumed: AssumedPart = { ...part, pointer, value: { required: [name] }, isAssumed: true };
    const known = facts.parts.flatMap((own) =>
      isObject(own.value.dependentSchemas) && own.value.dependentSchemas[name] !== undefined
        ? [placeBelow(own, "dependentSchemas", name)]
        : [],
    );
    const extra = factsOf(...known);
    return {
      ...both(facts, extra),
      parts: [...facts.parts, ...extra.parts, assumed],
    };
  };
  const required = entriesOf(part.value.dependentRequired).flatMap(([name, entailed]) => {
    if (isNew(name)) return [];
    const known = requiredNames(withProperty(name), side);
    const isKept = (each: string): boolean => {
      const wanted = { ...part, pointer: `${part.pointer} required ${each}`, value: { required: [each] } };
      return (
        known.has(each) || proof.within({ ...withProperty(name), only: "object" }, wanted, 1).length === 0
      );
    };
    return textsOf(entailed)
      .filter((each) => !isKept(each))
      .map((each) => gapAt(facts, part, "dependentRequired", { subject: each }));
  });
  const schemas = entriesOf(part.value.dependentSchemas).flatMap(([name]) => {
    if (isNew(name)) return [];
    const wanted = placeBelow(part, "dependentSchemas", name);
    const gaps = proof.within({ ...withProperty(name), only: "object" }, wanted, 1);
    // If a condition is removed, a request may still contain the properties that only this condition declared.
    return gaps.map((gap) =>
      gap.kind === "removal" && side === "request" ? gapAt(facts, part, "dependentSchemas") : gap,
    );
  });
  return [...required, ...schemas];
}

/** Reports tags (discriminator values) that no longer select the schema that they selected before. */
function discriminatorGaps(proof: Proof, facts: Facts, part: SchemaPart): Gap[] {
  const { discriminator } = part.value;
  if (!isObject(discriminator)) return [];
  if (isSelecting(proof, part, String(discriminator.propertyName))) return [];
  const own = facts.parts.find(({ value }) => isObject(value.discriminator));
  const before = own?.value.discriminator;
  if (own === undefined || !isObject(before) || before.propertyName !== discriminator.propertyName)
    return [gapAt(facts, part, "discriminator", { isCertain: false })];
  // Without a mapping, the names of the components are the tags.
  const tags = discriminator.mapping === undefined ? [] : entriesOf(before.mapping).map(([tag]) => tag);
  const isKept = (was: SchemaPlace | undefined, is: SchemaPlace | undefined): boolean =>
    is !== undefined && was !== undefined && (was.pointer === is.pointer || proof.isSame(was, is));
  const others = [before, discriminator].map((each) => each[defaultMapping31]);
  const [was, is] = [own, part].map(({ document }, index) => selected(document, others[index]));
  return [
    ...tags.filter((tag) => !isKept(taggedBy(own, tag), taggedBy(part, tag))),
    ...(others[0] === undefined || isKept(was, is) ? [] : [otherTags]),
  ].map((tag) => gapAt(facts, part, "discriminator", { subject: tag, isCertain: false }));
}

/** True if each branch requires the tag, and accepts only the tag values that select this branch. */
function isSelecting(proof: Proof, part: SchemaPart, name: string): boolean {
  const { side } = proof;
  const union = factsOf(part).unions.find(({ branches }) =>
    branches.every((branch) => referenceTarget(branch.value) !== undefined),
  );
  if (union === undefined) return false;
  return union.branches.every((branch) => {
    const facts = factsOf(branch);
    const values = finiteValues(propertyOf(facts, name, side).facts);
    return (
      requiredNames(facts, side).has(name) &&
      values?.every((value) => {
        const selected = typeof value === "string" ? taggedBy(part, value) : undefined;
        return selected?.pointer === facts.target;
      })
    );
  });
}

/** Returns the schema that the mapping has for the tag, or else the component with the tag's name. */
function taggedBy({ document, value }: SchemaPart, tag: string): SchemaPlace | undefined {
  const mapping = isObject(value.discriminator) ? value.discriminator.mapping : undefined;
  const said = isObject(mapping) && Object.hasOwn(mapping, tag) ? mapping[tag] : tag;
  return selected(document, said);
}

function selected(document: unknown, said: Json | undefined): SchemaPlace | undefined {
  const pointer = localPointer(String(said)) ?? pointerTo("/components/schemas", String(said));
  const schema = placeAt(document, pointer);
  return schema.value === undefined ? undefined : schema;
}

/** True if the schema says nothing about undeclared properties. */
function isOpen(facts: Facts): boolean {
  const others = otherProperties(facts);
  return !others.isNever && others.parts.every(({ value }) => admitsAll(value));
}

function isRecord(facts: Facts): boolean {
  return propertyNames(facts).size > 0;
}

function isAnything({ isNever, parts, unions }: Facts): boolean {
  return !isNever && unions.length === 0 && parts.every(({ value }) => admitsAll(value));
}
