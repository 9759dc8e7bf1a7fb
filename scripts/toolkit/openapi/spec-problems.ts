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

/** If there are more causes, they are grouped by rule. */
const mostCauses = 30;
const mostRules = 8;
const mostOfRule = 3;
/** The number of places that the line of a cause names. */
const mostPlaces = 3;

/**
 * Returns a line for each place if `isVerbose` is set. Otherwise returns a line for each cause, and the cause with the
 * most places first. Problems with the same rule and message have one cause.
 * @param hint says how to get a line for each place
 */
export function listOfProblems(
  problems: readonly SpecProblem[],
  isVerbose = false,
  hint = " --verbose lists all of them.",
): string {
  if (isVerbose) return problems.map(lineOf).join("\n");
  const causes = groupsOf(problems, ({ rule, message }) => `${rule} ${message}`);
  if (causes.length <= mostCauses && causes.every(({ length }) => length <= mostPlaces))
    return causes.map(lineOfCause).join("\n");
  const rules = groupsOf(problems, ({ rule }) => rule ?? "cannot be waived");
  const lines =
    causes.length <= mostCauses ? causes.map(lineOfCause) : rules.slice(0, mostRules).flatMap(linesOfRule);
  const counts = rules.map((members) => `${members.length} ${members[0].rule ?? "cannot be waived"}`);
  return [...lines, `${problems.length} places: ${counts.join(", ")}.${hint}`].join("\n");
}

/** For commands without the option. */
export const hintOfGenerate = " `generate --verbose` lists all of them.";

type Group = readonly [SpecProblem, ...SpecProblem[]];

/** The largest group is first. */
function groupsOf(problems: readonly SpecProblem[], keyOf: (problem: SpecProblem) => string): Group[] {
  const groups = [...Map.groupBy(problems, keyOf).values()] as unknown as Group[];
  return groups.sort((a, b) => b.length - a.length);
}

function lineOfCause([first, ...others]: Group): string {
  if (others.length === 0) return lineOf(first);
  const file = first.location.replace(/:\d+:\d+$/, ":");
  const named = others
    .slice(0, mostPlaces - 1)
    .map(({ location }) => (location.startsWith(file) ? location.slice(file.length) : location));
  const more = others.length - named.length;
  const places = [...named, ...(more > 0 ? [`${more} more`] : [])].join(", ");
  return lineOf({ ...first, message: `${first.message} (also at ${places})` });
}

function linesOfRule(members: Group): string[] {
  const causes = groupsOf(members, ({ message }) => message);
  const more = causes.slice(mostOfRule).reduce((sum, { length }) => sum + length, 0);
  const rest = more > 0 ? [`… ${more} more [${members[0].rule ?? "cannot be waived"}]`] : [];
  return [...causes.slice(0, mostOfRule).map(lineOfCause), ...rest];
}

/** Empty if there is no note. A list of problems that follows has the hint. */
export function listOfNotes(
  notes: readonly SpecProblem[],
  isVerbose: boolean,
  following: readonly SpecProblem[],
): string {
  if (notes.length === 0) return "";
  const places = `${notes.length} place${notes.length === 1 ? "" : "s"}`;
  return `${listOfProblems(notes, isVerbose, following.length > 0 ? "" : undefined)}\nNotes: ${places}, listed above. Notes do not stop generation.\n`;
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
