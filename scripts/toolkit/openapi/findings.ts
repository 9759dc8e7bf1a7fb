/**
 * Collects the problems and the notes of all stages. A problem with a rule stops a run, unless it is waived or the run is lenient.
 * Notes never stop a run. A waived note is not listed.
 */
import { keyOf, locationOf, type Place, type SpecFile } from "./files.ts";
import { inOrder, type SpecProblem, SpecProblemsError } from "./spec-problems.ts";
import { covers, type Waiver } from "./waivers.ts";

interface PendingProblem {
  /** Undefined if the problem cannot be ignored. */
  readonly rule: string | undefined;
  readonly message: string;
  readonly place: Place;
  readonly onKey: boolean;
}

export class Findings {
  readonly #lenient: boolean;
  readonly #waivers: readonly Waiver[];
  readonly #needed = new Set<Waiver>();
  readonly #open: PendingProblem[] = [];
  readonly #notes: PendingProblem[] = [];
  readonly #places = new Set<string>();
  readonly #known = new Set<string>();

  constructor({ lenient = false, waivers = [] }: { lenient?: boolean; waivers?: readonly Waiver[] } = {}) {
    this.#lenient = lenient;
    this.#waivers = waivers;
  }

  report(rule: string | undefined, place: Place, message: string, onKey = true): void {
    this.#add(this.#open, { rule, place, message, onKey });
    this.#places.add(keyOf(place));
  }

  /** Reports something that a user should know but need not fix. */
  note(rule: string, place: Place, message: string): void {
    this.#add(this.#notes, { rule, place, message, onKey: true });
  }

  /** Ignores a finding that was added before. */
  #add(list: PendingProblem[], finding: PendingProblem): void {
    const { rule, place, message } = finding;
    const identity = [keyOf(place), rule, message].join("\n");
    if (this.#known.has(identity)) return;
    this.#known.add(identity);
    const waivers = this.#waivers.filter(
      (waiver) => waiver.rule === rule && covers(waiver, place.file.path, place.pointer),
    );
    for (const waiver of waivers) this.#needed.add(waiver);
    if (waivers.length === 0) list.push(finding);
  }

  places(): ReadonlySet<string> {
    return new Set(this.#places);
  }

  /** The pointers of a rule's findings in a file. */
  placesOf(rule: string, file: SpecFile): string[] {
    return [...this.#open, ...this.#notes].flatMap(({ rule: found, place }) =>
      found === rule && place.file === file ? [place.pointer] : [],
    );
  }

  /** @throws SpecProblemsError if there are problems that are not waived, or that a lenient run cannot ignore */
  stopIfAny(): void {
    const open = this.#lenient ? this.#open.filter(({ rule }) => rule === undefined) : this.#open;
    if (open.length === 0) return;
    // Another problem of an operation often makes it differ from its twin.
    const causes = open.filter(({ rule }) => rule !== "twin-differs");
    throw new SpecProblemsError((causes.length > 0 ? causes : open).map(problemOf));
  }

  /**
   * Returns the problems of a lenient run: those without a waiver, and each waiver without a problem.
   * @throws SpecProblemsError if there are such problems and the run is not lenient
   */
  settle(): SpecProblem[] {
    const unneeded = this.#waivers
      .filter((waiver) => !this.#needed.has(waiver))
      .map(({ place }) => ({
        location: locationOf(place),
        message: "no problem needs this waiver; remove it",
      }));
    const problems = inOrder([...this.#open.map(problemOf), ...unneeded]);
    if (problems.length > 0 && !this.#lenient) throw new SpecProblemsError(problems);
    return problems;
  }

  notes(): SpecProblem[] {
    return inOrder(this.#notes.map(problemOf));
  }
}

function problemOf({ rule, place, message, onKey }: PendingProblem): SpecProblem {
  return { location: locationOf(place, onKey), message, ...(rule !== undefined && { rule }) };
}
