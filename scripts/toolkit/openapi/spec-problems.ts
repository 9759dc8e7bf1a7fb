export interface SpecProblem {
  /** `file:line:column`, or only the file. */
  readonly location: string;
  /** The problem and its fix. */
  readonly message: string;
  /** The problem's name in waivers. Absent if the problem cannot be waived. */
  readonly rule?: string;
}

const byLocation = new Intl.Collator("en", { numeric: true });

/**
 * Sorts problems by line and removes duplicates. A shared part is read for each operation, so its problems may
 * repeat.
 */
export function inOrder(problems: readonly SpecProblem[]): SpecProblem[] {
  const distinct = new Map(problems.map((problem) => [lineOf(problem), problem]));
  return [...distinct.values()].sort((a, b) => byLocation.compare(a.location, b.location));
}

export function lineOf({ location, message, rule }: SpecProblem): string {
  return `${location}  ${message}${rule === undefined ? "" : ` [${rule}]`}`;
}

/** Longer lists are grouped by rule. */
const mostLines = 30;
const mostGroups = 8;
const mostOfGroup = 3;

/**
 * Returns all problems if they are few or `isVerbose` is set. Otherwise returns each rule with its first places and
 * its number of places.
 */
export function listOfProblems(problems: readonly SpecProblem[], isVerbose = false): string {
  if (isVerbose || problems.length <= mostLines) return problems.map(lineOf).join("\n");
  const groups = [...Map.groupBy(problems, ({ rule }) => rule ?? "cannot be waived")].sort(
    ([, a], [, b]) => b.length - a.length,
  );
  const lines = groups.slice(0, mostGroups).flatMap(([rule, members]) => {
    const more = members.length - mostOfGroup;
    return [...members.slice(0, mostOfGroup).map(lineOf), ...(more > 0 ? [`… ${more} more [${rule}]`] : [])];
  });
  const counts = groups.map(([rule, members]) => `${members.length} ${rule}`).join(", ");
  return [...lines, `${problems.length} places: ${counts}. --verbose lists all of them.`].join("\n");
}

/** Empty if there is no note. */
export function listOfNotes(notes: readonly SpecProblem[], isVerbose = false): string {
  if (notes.length === 0) return "";
  const places = `${notes.length} place${notes.length === 1 ? "" : "s"}`;
  return `${listOfProblems(notes, isVerbose)}\nNotes: ${places}, listed above. Notes do not stop generation.\n`;
}

/** Escapes control characters, so that a text cannot move the cursor or change colours. */
export function visible(text: string): string {
  const escaped = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
  return text.replaceAll(/\p{Cc}/gu, escaped);
}

export class SpecProblemsError extends Error {
  readonly problems: readonly SpecProblem[];

  constructor(problems: readonly SpecProblem[]) {
    const ordered = inOrder(problems);
    super(ordered.map(lineOf).join("\n"));
    this.name = "SpecProblemsError";
    this.problems = ordered;
  }
}

/** A file that the user gave cannot be read. Every command then exits with the status of a usage error. */
export class MissingFileError extends SpecProblemsError {}

export function messageOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message.split("\n", 1)[0] ?? "";
}

/** The code of a system error, such as `ENOENT`. */
export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}
