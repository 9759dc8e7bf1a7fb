/** What is wrong with a spec, each with the place to mend. */
export interface SpecProblem {
  /** Clickable: `file:line:column`, or only the file where no line is to blame. */
  readonly location: string;
  /** What is wrong, and the remedy. */
  readonly message: string;
}

const byLocation = new Intl.Collator("en", { numeric: true });

/** Stops generation with every problem that a stage found, each once, in the order of the spec's lines. */
export class SpecProblemsError extends Error {
  readonly problems: readonly SpecProblem[];

  constructor(problems: readonly SpecProblem[]) {
    // What several operations share is looked at once for each of them.
    const distinct = new Map(problems.map((problem) => [`${problem.location}  ${problem.message}`, problem]));
    const ordered = [...distinct].sort(([, a], [, b]) => byLocation.compare(a.location, b.location));
    super(ordered.map(([line]) => line).join("\n"));
    this.name = "SpecProblemsError";
    this.problems = ordered.map(([, problem]) => problem);
  }
}

/** The message of anything that was thrown, on one line. */
export function messageOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message.split("\n", 1)[0] ?? "";
}
