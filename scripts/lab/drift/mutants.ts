/** The mutants of a tree, from all that make some. */
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { generatedMutants } from "./generated-mutants.ts";
import { type Group, kinds, type Mutant, type Sources } from "./mutant.ts";
import { sourceMutants } from "./source-mutants.ts";
import { specMutants } from "./spec-mutants.ts";
import { writtenMutants } from "./written-mutants.ts";

export function sourcesOf(root: string): Sources {
  return {
    read: (file) => readFileSync(join(root, file), "utf8"),
    list: (pattern) =>
      globSync(pattern, { cwd: root })
        .map((path) => path.replaceAll("\\", "/"))
        .toSorted(),
  };
}

/** @throws Error where a change that is written by hand no longer applies, or a file is missing */
export function groupsOf(sources: Sources): Group[] {
  return [
    ...specMutants(sources),
    ...sourceMutants(sources),
    writtenMutants(sources),
    ...generatedMutants(sources),
  ];
}

/** So many of each kind, of each of its operators in turn. */
export function sampled(mutants: readonly Mutant[], ofEachKind: number): Mutant[] {
  return kinds.flatMap((kind) => {
    const own = mutants.filter((mutant) => mutant.kind === kind);
    const byOperator = Map.groupBy(own, ({ operator }) => operator);
    const queues = [...byOperator.values()].map((each) => [...each]);
    const taken: Mutant[] = [];
    while (taken.length < Math.min(ofEachKind, own.length))
      for (const queue of queues) {
        const [next] = queue.splice(Math.floor(queue.length / 2), 1);
        if (next !== undefined && taken.length < ofEachKind) taken.push(next);
      }
    return taken;
  });
}
