/**
 * In which order the tests are run for a mutant: first those that are known to lead to what it changes, of these what has killed
 * most of its like, then what stands nearest, then what is quickest. Gives each gate the same verdict sooner.
 */
import { posix } from "node:path";
import type { Mutant } from "./mutant.ts";
import type { Reach } from "./reach.ts";

/** The tests of the changes themselves, which miss the text that a change has taken: that proves nothing. */
const isOwn = /^scripts\/lab\/drift\//;

/** More than what is known otherwise of any test. */
const leadingWeight = 1e6;

export class TestOrder {
  readonly #reached: ReadonlyMap<string, ReadonlySet<string>>;
  readonly #seconds: Readonly<Record<string, number>>;
  /** By what mutants have in common, how often each test file has killed one. */
  readonly #kills = new Map<string, Map<string, number>>();

  /** @param seconds that each test file takes on the unchanged tree */
  constructor(seconds: Readonly<Record<string, number>>, reach: Reach) {
    this.#seconds = Object.fromEntries(Object.entries(seconds).filter(([test]) => !isOwn.test(test)));
    this.#reached = new Map(Object.keys(this.#seconds).map((test) => [test, reach.from(test)]));
  }

  /** All tests: what is not known to lead to a file may do so all the same. */
  for(mutant: Mutant, changed: readonly string[]): string[] {
    const leads = (test: string) => changed.some((file) => this.#reached.get(test)?.has(file));
    const tests = Object.keys(this.#seconds).map((test) => ({
      test,
      weight: this.#weight(test, mutant) + (leads(test) ? leadingWeight : 0),
    }));
    return tests.toSorted((left, right) => right.weight - left.weight).map(({ test }) => test);
  }

  killed(mutant: Mutant, test: string): void {
    for (const likeness of likenessesOf(mutant)) {
      const kills = this.#kills.get(likeness) ?? new Map<string, number>();
      kills.set(test, (kills.get(test) ?? 0) + 1);
      this.#kills.set(likeness, kills);
    }
  }

  #weight(test: string, mutant: Mutant): number {
    const killed = likenessesOf(mutant).reduce(
      (sum, likeness) => sum + (this.#kills.get(likeness)?.get(test) ?? 0),
      0,
    );
    const nearness = commonFolders(test, mutant.file) + (besides(test, mutant.file) ? 5 : 0);
    return (1 + killed * 3 + nearness) / (1 + (this.#seconds[test] ?? 0));
  }
}

/** Of one file, and of one sort. */
function likenessesOf({ kind, operator, file }: Mutant): string[] {
  return [`${kind} ${operator}`, file];
}

function besides(test: string, file: string): boolean {
  return test.replace(".test.ts", "") === file.replace(/\.ts$/, "");
}

function commonFolders(test: string, file: string): number {
  const folders = posix.dirname(file).split("/");
  const index = posix
    .dirname(test)
    .split("/")
    .findIndex((folder, at) => folder !== folders[at]);
  return index === -1 ? folders.length : index;
}
