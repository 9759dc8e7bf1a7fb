/** A mutant: the tree with one change in one file. A gate of `npm test` should fail for it. */
import { hash } from "node:crypto";

export type Target = "spec" | "server" | "client";
export const targets: readonly Target[] = ["spec", "server", "client"];

export interface Mutant {
  /** The same in every run. */
  readonly id: string;
  readonly target: Target;
  /** The kind of change, such as `drop-required`. */
  readonly operator: string;
  readonly title: string;
  readonly file: string;
  readonly text: () => string;
}

/** The run cannot measure anything. The message is for the user. */
export class DriftError extends Error {}

/** Keeps all written mutants, and at most `count` of each operator of the spec, chosen by their ids. */
export function chosen(mutants: readonly Mutant[], count: number): Mutant[] {
  const rank = ({ id }: Mutant): string => hash("sha256", id);
  const taken = new Set(
    [...Map.groupBy(mutants, ({ target, operator }) => `${target} ${operator}`).values()].flatMap((group) =>
      group[0]?.target === "spec"
        ? group.toSorted((left, right) => (rank(left) < rank(right) ? -1 : 1)).slice(0, count)
        : group,
    ),
  );
  return mutants.filter((mutant) => taken.has(mutant));
}

/** `count` mutants, spread evenly. */
export function sampled(mutants: readonly Mutant[], count: number): Mutant[] {
  const step = Math.max(1, mutants.length / count);
  return mutants.filter((_, index) => Math.floor(index / step) !== Math.floor((index - 1) / step));
}
