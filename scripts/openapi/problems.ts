/** What is wrong with a spec, each with the place to mend. */
export interface SpecProblem {
  /** Clickable: `file:line:column`, or only the file where no line is to blame. */
  readonly location: string;
  /** What is wrong, and the remedy. */
  readonly message: string;
  /** The name by which it can be waived. Absent where nothing could be generated all the same. */
  readonly rule?: string;
}

const byLocation = new Intl.Collator("en", { numeric: true });

/** Each problem once, in the order of the spec's lines: what several operations share is looked at once for each of them. */
export function inOrder(problems: readonly SpecProblem[]): SpecProblem[] {
  const distinct = new Map(problems.map((problem) => [lineOf(problem), problem]));
  return [...distinct.values()].sort((a, b) => byLocation.compare(a.location, b.location));
}

/** A problem as people read it. */
export function lineOf({ location, message, rule }: SpecProblem): string {
  return `${location}  ${message}${rule === undefined ? "" : ` [${rule}]`}`;
}

/** Stops generation with every problem that a stage found. */
export class SpecProblemsError extends Error {
  readonly problems: readonly SpecProblem[];

  constructor(problems: readonly SpecProblem[]) {
    const ordered = inOrder(problems);
    super(ordered.map(lineOf).join("\n"));
    this.name = "SpecProblemsError";
    this.problems = ordered;
  }
}

/** The message of anything that was thrown, on one line. */
export function messageOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message.split("\n", 1)[0] ?? "";
}

/** The code of a system error, such as `ENOENT`. */
export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}
