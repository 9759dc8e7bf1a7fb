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

export function soundnessOf(problems: readonly RequestProblem[]): IsSound {
  const faulty = problems.flatMap((problem) => (problem.in === "body" ? [problem.pointer] : []));
  return (pointer) => !faulty.some((place) => holds(place, pointer) || holds(pointer, place));
}

function holds(around: string, place: string): boolean {
  return place === around || place.startsWith(`${around}/`);
}
