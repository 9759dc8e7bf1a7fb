/** A mutant is the tree with one change in one file. A gate of `npm test` should fail because of it. */
export type Target = "spec" | "server" | "client";
export const targets: readonly Target[] = ["spec", "server", "client"];

export interface Mutant {
  /** Does not change between runs. */
  readonly id: string;
  readonly target: Target;
  /** The kind of change, such as `drop-required`. */
  readonly operator: string;
  readonly title: string;
  readonly file: string;
  readonly text: () => string;
}

/** Thrown if nothing can be measured. The message is for the user. */
export class DriftError extends Error {}

/** Returns `count` of the values, evenly distributed over the list. */
export function sampled<Value>(values: readonly Value[], count: number): Value[] {
  const step = Math.max(1, values.length / count);
  return values.filter((_, index) => Math.floor(index / step) !== Math.floor((index - 1) / step));
}
