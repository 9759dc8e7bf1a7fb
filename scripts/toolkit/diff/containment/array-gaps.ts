/** Finds gaps of array keywords. */
import {
  admitsAll,
  itemPlaces,
  placeBelow,
  type SchemaPart,
  type SchemaPlace,
} from "../../openapi/schema/schema-view.ts";
import { type Facts, factsOf, numberOf } from "../facts.ts";
import { itemCount } from "./bounds.ts";
import { type Gap, gapAt, type Proof, wholeGaps } from "./gaps.ts";
import { elementOf, evaluatedBy, prefixLength } from "./members.ts";

export function listGaps(proof: Proof, facts: Facts, part: SchemaPart): Gap[] {
  const gaps: Gap[] = [];
  const { minItems, maxItems, uniqueItems, contains, items } = part.value;
  const count = itemCount(facts);
  if (count.least < (numberOf(minItems) ?? 0)) gaps.push(gapAt(facts, part, "minItems"));
  if (count.most > (numberOf(maxItems) ?? Infinity)) gaps.push(gapAt(facts, part, "maxItems"));
  const isUnique = count.most <= 1 || facts.parts.some(({ value }) => value.uniqueItems === true);
  if (uniqueItems === true && !isUnique) gaps.push(gapAt(facts, part, "uniqueItems"));
  const prefix = itemPlaces(part, "prefixItems");
  for (const [index, wanted] of prefix.entries()) {
    if (index < count.most) gaps.push(...proof.within(elementOf(facts, index), wanted));
  }
  if (items !== undefined)
    gaps.push(...restGaps(proof, facts, prefix.length, placeBelow(part, "items"), count.most));
  if (part.value.unevaluatedItems !== undefined)
    gaps.push(...unevaluatedItemGaps(proof, facts, part, count.most));
  if (contains !== undefined) gaps.push(...containsGaps(proof, facts, part));
  return gaps;
}

function restGaps(proof: Proof, facts: Facts, from: number, wanted: SchemaPlace, end: number): Gap[] {
  const last = Math.max(from, prefixLength(facts));
  const gaps: Gap[] = [];
  for (let index = from; index <= last && index < end; index += 1)
    gaps.push(...proof.within(elementOf(facts, index), wanted));
  return gaps;
}

function unevaluatedItemGaps(proof: Proof, facts: Facts, part: SchemaPart, end: number): Gap[] {
  const parts = evaluatedBy(part);
  if (parts === undefined || parts.some(({ value }) => value.contains !== undefined))
    return wholeGaps(proof, facts, part, "unevaluatedItems");
  if (parts.some(({ value }) => value.items !== undefined)) return [];
  return restGaps(proof, facts, prefixLength({ parts }), placeBelow(part, "unevaluatedItems"), end);
}

function containsGaps(proof: Proof, facts: Facts, part: SchemaPart): Gap[] {
  const wanted = placeBelow(part, "contains");
  const least = numberOf(part.value.minContains) ?? 1;
  const most = numberOf(part.value.maxContains);
  const count = itemCount(facts);
  const gaps: Gap[] = [];
  const own = facts.parts.filter(({ value }) => value.contains !== undefined);
  const isKept =
    least === 0 ||
    (admitsAll(wanted.value) && count.least >= least) ||
    own.some(
      (each) =>
        (numberOf(each.value.minContains) ?? 1) >= least &&
        proof.within(factsOf(placeBelow(each, "contains")), wanted).length === 0,
    );
  if (!isKept) {
    const keyword = part.value.minContains === undefined ? "contains" : "minContains";
    gaps.push(gapAt(facts, part, keyword));
  }
  if (most === undefined || count.most <= most) return gaps;
  const isCapped = own.some(
    (each) =>
      (numberOf(each.value.maxContains) ?? Infinity) <= most &&
      proof.isWithinReversed(wanted, placeBelow(each, "contains")),
  );
  if (!isCapped) gaps.push(gapAt(facts, part, "maxContains"));
  return gaps;
}
