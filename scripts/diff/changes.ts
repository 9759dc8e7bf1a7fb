/** What a comparison finds, and how findings of many operations become one list that people can read. */
export const impacts = ["major", "minor", "patch"] as const;
export type Impact = (typeof impacts)[number];

export interface Change {
  readonly impact: Impact;
  /** JSON pointer into the newer document, or into the older one where the newer has no such place. */
  readonly pointer: string;
  readonly isGone: boolean;
  /** `file:line:column` of that place, or of the nearest around it in the newer document. */
  readonly location: string;
  readonly side: "request" | "response" | "operation" | "document";
  /** What is different. */
  readonly message: string;
  /** What that is to callers. */
  readonly meaning: string;
  /** False where nobody can be shown to be broken, only not that nobody is. */
  readonly isCertain: boolean;
  /** Whom it concerns: operations as `GET /path`; all where empty. */
  readonly operations: readonly string[];
}

const byLocation = new Intl.Collator("en", { numeric: true });

/** Each change once, with all the operations that it concerns, the worst first and else in the order of the lines. */
export function gathered(changes: readonly Change[]): Change[] {
  const found = new Map<string, Change>();
  for (const change of changes) {
    const key = `${change.pointer} ${change.side} ${change.message}`;
    const known = found.get(key);
    const operations = [...new Set([...(known?.operations ?? []), ...change.operations])];
    const worst = known !== undefined && rank(known.impact) <= rank(change.impact) ? known : change;
    found.set(key, { ...worst, operations });
  }
  return [...found.values()].sort(
    (a, b) =>
      rank(a.impact) - rank(b.impact) ||
      byLocation.compare(a.location, b.location) ||
      byLocation.compare(a.message, b.message),
  );
}

function rank(impact: Impact): number {
  return impacts.indexOf(impact);
}

/** The worst of some impacts. */
export function worstOf(some: readonly Impact[]): Impact | undefined {
  return impacts.find((impact) => some.includes(impact));
}
