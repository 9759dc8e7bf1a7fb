/**
 * Rules of a body that JSON Schema cannot state, told together with the faults that it can, so that a caller learns of
 * every fault at once.
 */
import type { Problem } from "../../generated/contract.ts";
import type { RequestProblem } from "./refusal.ts";

/**
 * Tells the faults of a body that the operation's own rules find. The body may have other faults: what a place holds is
 * as the schema says only where `isSound` answers true for it.
 */
export type BodyCheck = (body: unknown, isSound: IsSound) => readonly Problem[];

/** True for the JSON pointer of a place in the body that has no fault, neither in itself nor in what is around it. */
export type IsSound = (pointer: string) => boolean;

/** A caller can send as many faults as places to ask about, so no question may cost a look at every fault. */
export function soundnessOf(problems: readonly RequestProblem[]): IsSound {
  const faulty = new Set<string>();
  const aroundFaults = new Set<string>();
  for (const problem of problems) {
    if (problem.in !== "body") continue;
    faulty.add(problem.pointer);
    for (const place of placesAround(problem.pointer)) {
      // What is around a place that is known is known too.
      if (aroundFaults.has(place)) break;
      aroundFaults.add(place);
    }
  }
  return (pointer) => {
    if (faulty.has(pointer) || aroundFaults.has(pointer)) return false;
    for (const place of placesAround(pointer)) if (faulty.has(place)) return false;
    return true;
  };
}

/** The pointers of what holds a place, from the inside out. */
function* placesAround(pointer: string): Generator<string, undefined> {
  for (let end = pointer.lastIndexOf("/"); end >= 0; end = end > 0 ? pointer.lastIndexOf("/", end - 1) : -1)
    yield pointer.slice(0, end);
}
