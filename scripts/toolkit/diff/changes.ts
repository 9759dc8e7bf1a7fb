/** The differences between two documents, and the list that joins those of all operations. */
export const impacts = ["major", "minor", "patch"] as const;
export type Impact = (typeof impacts)[number];

/** The impacts that the configuration gives to all findings of a rule. */
export type Impacts = Readonly<Record<string, Impact>>;

export interface Change {
  /** The id of the rule that reports the change. */
  readonly rule: string;
  readonly impact: Impact;
  /** Points into the newer document, or into the older one if `isGone`. */
  readonly pointer: string;
  readonly isGone: boolean;
  /** `file:line:column` of the place. A place that was removed is in the older document. */
  readonly location: string;
  /** The place in the newer document, or the nearest one around it. */
  readonly near: string;
  /** The statuses of the responses with the change. */
  readonly statuses: readonly string[];
  readonly side: "request" | "response" | "operation" | "document";
  readonly message: string;
  /** What the change means for callers. */
  readonly meaning: string;
  /** False if a break is possible, because compatibility is not proven. */
  readonly isCertain: boolean;
  /** The reason of the waiver that allows the break and makes its impact minor. */
  readonly waived?: string;
  /** True if the configuration changed the impact. */
  readonly isConfigured?: boolean;
  /** Such as `GET /path`. Empty if the change affects all operations. */
  readonly operations: readonly string[];
}

const byLocation = new Intl.Collator("en", { numeric: true });

/** Each change once, with all its operations. Sorted by impact, the worst first, then by line. */
export function gathered(changes: readonly Change[]): Change[] {
  const found = new Map<string, Change>();
  for (const change of changes) {
    const key = `${change.pointer} ${change.side} ${change.message}`;
    const known = found.get(key);
    const joined = (list: "operations" | "statuses"): string[] => [
      ...new Set([...(known?.[list] ?? []), ...change[list]]),
    ];
    const worst = known !== undefined && rank(known.impact) <= rank(change.impact) ? known : change;
    found.set(key, { ...worst, operations: joined("operations"), statuses: joined("statuses") });
  }
  return worstFirst([...found.values()]);
}

export function worstFirst(changes: readonly Change[]): Change[] {
  return changes.toSorted(
    (a, b) =>
      rank(a.impact) - rank(b.impact) ||
      byLocation.compare(a.location, b.location) ||
      byLocation.compare(a.message, b.message),
  );
}

function rank(impact: Impact): number {
  return impacts.indexOf(impact);
}

export function worstOf(some: readonly Impact[]): Impact | undefined {
  return impacts.find((impact) => some.includes(impact));
}
