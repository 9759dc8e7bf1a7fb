/** A mutant is the tree with one change in one file. A gate of `npm test` should fail because of it. */
import { parse } from "yaml";

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

const list = "scripts/lab/drift/code-changes.yaml";

interface WrittenChange {
  readonly name: string;
  readonly title: string;
  readonly file: string;
  readonly find: string;
  readonly replacement: string;
}

/** @throws DriftError with a list of the changes that do not apply */
export function codeMutants(read: (file: string) => string): Mutant[] {
  const changes: readonly WrittenChange[] = parse(read(list));
  const errors: string[] = [];
  const mutants = changes.map(({ name, title, file, find, replacement }): Mutant => {
    const source = read(file);
    const count = source.split(find).length - 1;
    if (count !== 1) errors.push(`${name}: ${file} contains ${JSON.stringify(find)} ${count} times`);
    const target = targets.find((each) => file.startsWith(`${each}/`)) ?? "server";
    const text = (): string => source.replace(find, () => replacement);
    return { id: `${target}:${name}`, target, operator: "written", title, file, text };
  });
  if (errors.length > 0) throw new DriftError(`${list}: correct these changes\n${errors.join("\n")}`);
  return mutants;
}
