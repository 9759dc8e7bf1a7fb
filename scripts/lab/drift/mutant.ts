/** A mutant: the tree with one change in one file, of which the gates of `npm test` should take notice. */
import { hash } from "node:crypto";

/** What is changed: the spec, the server, the client, or what is generated from the spec. */
export type Kind = "spec" | "server" | "client" | "generated";

export const kinds: readonly Kind[] = ["spec", "server", "client", "generated"];

export interface Mutant {
  /** `kind:operator:place`, the same in every run for as long as the place is there. */
  readonly id: string;
  readonly kind: Kind;
  /** How it is changed, such as `drop-required`. */
  readonly operator: string;
  /** The change in words. */
  readonly title: string;
  /** The file that is changed, from the root of the tree, with slashes. */
  readonly file: string;
  /** What the file holds then; undefined where the change is that it is gone. */
  readonly text: string | undefined;
}

/** The files that a tree's mutants are made from, by path from its root. */
export interface Sources {
  /** @throws where there is no such file */
  read(file: string): string;
  /** Paths that match a glob, in order. */
  list(pattern: string): readonly string[];
}

/** Mutants that are alike, and how many of them tell what all would; each of them where nothing is said. */
export interface Group {
  readonly mutants: readonly Mutant[];
  readonly most?: number | undefined;
}

/**
 * Of a group, no more than it takes. Which ones is decided by their ids alone, so that a place more or less in the tree
 * changes hardly anything of the choice.
 */
export function chosen({ mutants, most = Number.POSITIVE_INFINITY }: Group): Mutant[] {
  if (mutants.length <= most) return [...mutants];
  const rank = (mutant: Mutant): string => hash("sha256", mutant.id);
  const taken = new Set(
    mutants.toSorted((left, right) => (rank(left) < rank(right) ? -1 : 1)).slice(0, most),
  );
  return mutants.filter((mutant) => taken.has(mutant));
}
