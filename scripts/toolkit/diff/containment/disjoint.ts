/** Detects that two schemas are disjoint: no value is valid for both. */
import type { Direction } from "../../openapi/schema/schema-view.ts";
import { type Facts, finiteValues, kindsOf, splitOf } from "../facts.ts";
import { admits } from "./admits.ts";
import { itemCount, lengthOf, numberRange } from "./bounds.ts";
import { propertyOf, requiredNames } from "./members.ts";

const maxDepth = 5;

/** Returns true only if this is certain. @param depth of nested properties and union cases */
export function areDisjoint(side: Direction, a: Facts, b: Facts, depth = maxDepth): boolean {
  if (a.isNever || b.isNever) return true;
  if (depth === 0) return false;
  const kinds = kindsOf(a).filter((kind) => kindsOf(b).includes(kind));
  return kinds.every((kind) => {
    const left = { ...a, only: kind };
    const right = { ...b, only: kind };
    return (
      valuesApart(side, left, right) ||
      valuesApart(side, right, left) ||
      rangesApart(left, right) ||
      (kind === "object" && propertiesApart(side, left, right, depth - 1)) ||
      casesApart(side, left, right, depth - 1) ||
      casesApart(side, right, left, depth - 1)
    );
  });
}

function valuesApart(side: Direction, a: Facts, b: Facts): boolean {
  const values = finiteValues(a);
  return values?.every((value) => b.parts.some((part) => admits(part, value, side) === false)) === true;
}

function rangesApart(a: Facts, b: Facts): boolean {
  const scalar = a.only === "number" ? numberRange : a.only === "string" ? lengthOf : undefined;
  const range = a.only === "array" ? itemCount : scalar;
  if (range === undefined) return false;
  const [left, right] = [range(a), range(b)];
  return left.most < right.least || right.most < left.least;
}

function propertiesApart(side: Direction, a: Facts, b: Facts, depth: number): boolean {
  const names = [...requiredNames(a, side), ...requiredNames(b, side)];
  return names.some((name) =>
    areDisjoint(side, propertyOf(a, name, side).facts, propertyOf(b, name, side).facts, depth),
  );
}

function casesApart(side: Direction, a: Facts, b: Facts, depth: number): boolean {
  const [union] = a.unions;
  return union !== undefined && splitOf(a, union).every((each) => areDisjoint(side, each, b, depth));
}
