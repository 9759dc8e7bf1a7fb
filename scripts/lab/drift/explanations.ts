/** Why mutants that no gate refuses may stay: by hand, in explanations.yaml, and never of a mutant that is refused. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import type { Mutant } from "./mutant.ts";
import type { Verdict } from "./trial.ts";

const file = "scripts/lab/drift/explanations.yaml";

export interface Explanation {
  readonly why: string;
  /** Ids. */
  readonly mutants: readonly string[];
}

export function explanationsIn(root: string): Explanation[] {
  return parse(readFileSync(join(root, file), "utf8")) ?? [];
}

/**
 * What is wrong with the explanations: one of a mutant that there is not, of one that is refused, or a second one.
 *
 * @param mutants all that there are
 * @param verdicts as far as there are any
 */
export function faultsOf(
  explanations: readonly Explanation[],
  mutants: readonly Mutant[],
  verdicts: readonly Verdict[],
): string[] {
  const ids = new Set(mutants.map(({ id }) => id));
  const killed = new Map(
    verdicts.flatMap(({ id, kill }) => (kill === null ? [] : [[id, kill.gate] as const])),
  );
  const seen = new Set<string>();
  return explanations
    .flatMap((explanation) => explanation.mutants)
    .flatMap((id) => {
      const gate = killed.get(id);
      const isRepeated = seen.has(id);
      seen.add(id);
      if (!ids.has(id)) return [`${file}: there is no mutant ${id}; take it out`];
      if (isRepeated) return [`${file}: ${id} is explained twice; keep one`];
      return gate === undefined ? [] : [`${file}: ${id} is refused by ${gate}; take its explanation out`];
    });
}
