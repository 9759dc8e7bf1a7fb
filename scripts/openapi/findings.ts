/**
 * Collects the problems of all stages. Waived problems and notes do not stop a run, nor does any problem in a lenient run.
 */
import { keyOf, locationOf, type Place } from "./files.ts";
import { inOrder, type SpecProblem, SpecProblemsError } from "./spec-problems.ts";
import { covers, type Waiver } from "./waivers.ts";

/** Places of these rules work, but are not enforced. */
const notes: ReadonlySet<string> = new Set(["item-schema"]);

interface PendingProblem {
  readonly rule: string;
  readonly message: string;
  readonly place: Place;
  readonly onKey: boolean;
}

export class Findings {
  readonly #lenient: boolean;
  readonly #waivers: readonly Waiver[];
  readonly #needed = new Set<Waiver>();
  readonly #open: PendingProblem[] = [];
  readonly #places = new Set<string>();
  readonly #known = new Set<string>();

  constructor({ lenient = false, waivers = [] }: { lenient?: boolean; waivers?: readonly Waiver[] } = {}) {
    this.#lenient = lenient;
    this.#waivers = waivers;
  }

  /** What was reported before is not reported again. */
  report(rule: string, place: Place, message: string, onKey = true): void {
    const finding = [keyOf(place), rule, message].join("\n");
    if (this.#known.has(finding)) return;
    this.#known.add(finding);
    this.#places.add(keyOf(place));
    const waivers = this.#waivers.filter(
      (waiver) => waiver.rule === rule && covers(waiver, place.file.path, place.pointer),
    );
    for (const waiver of waivers) this.#needed.add(waiver);
    if (waivers.length === 0) this.#open.push({ rule, place, message, onKey });
  }

  places(): ReadonlySet<string> {
    return new Set(this.#places);
  }

  /** @throws SpecProblemsError if there are problems, unless the run is lenient */
  stopIfAny(): void {
    this.#stopFor(this.#problems());
  }

  #stopFor(problems: readonly SpecProblem[]): void {
    const hasProblem = problems.some(({ rule }) => rule === undefined || !notes.has(rule));
    if (hasProblem && !this.#lenient) throw new SpecProblemsError(problems);
  }

  /**
   * Returns the notes, and the problems that a lenient run ignored.
   * @throws SpecProblemsError for problems that are not waived, and for waivers without a problem
   */
  settle(): SpecProblem[] {
    const unneeded = this.#waivers
      .filter((waiver) => !this.#needed.has(waiver))
      .map(({ place }) => ({ location: locationOf(place), message: "nothing needs this waiver; remove it" }));
    const problems = inOrder([...this.#problems(), ...unneeded]);
    this.#stopFor(problems);
    return problems;
  }

  #problems(): SpecProblem[] {
    return this.#open.map(({ rule, place, message, onKey }) => ({
      location: locationOf(place, onKey),
      message,
      rule,
    }));
  }
}
