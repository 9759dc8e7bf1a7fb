/**
 * Decides whether a pattern matches every string that some other patterns match. It supports ECMAScript's regular
 * expressions except look-around, back-references and word boundaries.
 */

interface State {
  /** `on` is the source of an atom such as `a`, `\d` or `[a-z]`. */
  readonly steps: { readonly on: string; readonly to: number }[];
  /** Steps that read no character. */
  readonly free: { readonly at: "anywhere" | "start" | "end"; readonly to: number }[];
}

interface Automaton {
  readonly states: readonly State[];
  readonly start: number;
  readonly end: number;
}

/** A class of characters that every automaton treats alike. It is represented by the atoms that match them. */
type Letter = ReadonlySet<string>;

const maxStates = 4000;
const maxPairs = 20_000;
/** An atom that matches any character. */
const anything = "[^]";

/** Thrown for expressions that are not supported. */
class NotRegular extends Error {}

/** Returns whether `target` matches every string that all of `patterns` match. Undefined if this is unknown. */
export function patternsImply(patterns: readonly string[], target: string): boolean | undefined {
  const wanted = automatonOf(target);
  const given = patterns.map(automatonOf).filter((automaton) => automaton !== undefined);
  if (wanted === undefined) return undefined;
  const implied = allMatch(given, wanted, lettersOf([...given, wanted], [...patterns, target]));
  // If a pattern is ignored, more strings are considered. Then `true` is still correct, but `false` may be wrong.
  return implied === false && given.length < patterns.length ? undefined : implied;
}

function automatonOf(pattern: string): Automaton | undefined {
  try {
    return new Parser(pattern).parse();
  } catch (error) {
    if (error instanceof NotRegular) return undefined;
    throw error;
  }
}

/** The characters at which `\d`, `\s`, `\w` or the dot starts or stops matching, such as `0` for `\d`. */
const borders = [...Array(0x10000).keys()].filter((code) =>
  [/\d/, /\s/, /\w/, /./].some((on) => on.test(characterOf(code)) !== on.test(characterOf(code - 1))),
);
const candidates = [...Array(0x10).keys(), ...borders];

function characterOf(code: number): string {
  return code < 0 ? "" : String.fromCodePoint(Math.min(code, 0x10ffff));
}

function lettersOf(automata: readonly Automaton[], patterns: readonly string[]): Letter[] {
  const steps = automata.flatMap(({ states }) => states.flatMap((state) => state.steps));
  const atoms = [...new Set(steps.map(({ on }) => on))].map((on) => [on, new RegExp(on, "u")] as const);
  const codes = new Set(candidates);
  for (const code of patterns.flatMap(codesIn)) codes.add(code).add(code + 1);
  const letters = [...codes].map((code) =>
    atoms.flatMap(([on, expression]) => (expression.test(characterOf(code)) ? [on] : [])),
  );
  return [...new Map(letters.map((letter) => [letter.join(), new Set(letter)])).values()];
}

/** The code points that a pattern contains literally or as escapes. */
function codesIn(pattern: string): number[] {
  const characters = pattern.matchAll(/\\u\{([\da-f]+)\}|\\u([\da-f]{4})|\\x([\da-f]{2})|(.)/gisu);
  return [...characters].map(([, braced, four, two, literal = ""]) => {
    const digits = braced ?? four ?? two;
    return digits === undefined ? (literal.codePointAt(0) ?? 0) : Number.parseInt(digits, 16);
  });
}

function allMatch(
  given: readonly Automaton[],
  wanted: Automaton,
  letters: readonly Letter[],
): boolean | undefined {
  const automata = [...given, wanted];
  const first = automata.map((automaton) => closure(automaton, [automaton.start], true, false));
  const keyOf = (sets: readonly (readonly number[])[]): string => sets.map((set) => set.join(",")).join("|");
  const isCounterexample = (sets: readonly (readonly number[])[], atStart: boolean): boolean => {
    const accepted = automata.map((automaton, index) =>
      closure(automaton, sets[index] ?? [], atStart, true).includes(automaton.end),
    );
    return accepted.slice(0, -1).every(Boolean) && accepted.at(-1) === false;
  };
  if (isCounterexample(first, true)) return false;
  const seen = new Set([keyOf(first)]);
  const open = [first];
  for (let sets = open.pop(); sets !== undefined; sets = open.pop()) {
    for (const letter of letters) {
      const next = automata.map((automaton, index) => step(automaton, sets?.[index] ?? [], letter));
      if (next.slice(0, -1).some((set) => set.length === 0)) continue;
      const key = keyOf(next);
      if (seen.has(key)) continue;
      if (isCounterexample(next, false)) return false;
      if (seen.size >= maxPairs) return undefined;
      seen.add(key);
      open.push(next);
    }
  }
  return true;
}

function step(automaton: Automaton, from: readonly number[], letter: Letter): number[] {
  const steps = from.flatMap((index) => automaton.states[index]?.steps ?? []);
  const reached = steps.filter(({ on }) => letter.has(on)).map(({ to }) => to);
  return closure(automaton, reached, false, false);
}

function closure({ states }: Automaton, from: readonly number[], atStart: boolean, atEnd: boolean): number[] {
  const reached = new Set(from);
  for (const index of reached) {
    for (const { at, to } of states[index]?.free ?? []) {
      if (at === "anywhere" || (at === "start" && atStart) || (at === "end" && atEnd)) reached.add(to);
    }
  }
  return [...reached].sort((a, b) => a - b);
}

/** A piece of an automaton, given by its first and last state. */
interface Fragment {
  readonly from: number;
  readonly to: number;
}

/** Matches one token: the start of a group, a class, a quantifier, an escape, or a character. */
const tokens =
  /\((?:\?:|\?<(?![=!])[^>]*>)?|\[(?:\\.|[^\]\\])*\]|(?:[*+?]|\{\d+(?:,\d*)?\})\??|\\u\{[\da-f]+\}|\\u[\da-f]{4}|\\x[\da-f]{2}|\\.|./gisu;
/** Matches escapes that are not supported: back-references, properties, control letters and halves of surrogate pairs. */
const irregularEscape = /^\\(?:[cpPk1-9]|u[dD][89a-fA-F])/;

/** Parses an expression into an automaton. It reads the expression with the `u` flag, as JSON Schema requires. */
class Parser {
  readonly #tokens: readonly string[];
  readonly #states: State[] = [];
  #at = 0;

  constructor(pattern: string) {
    try {
      new RegExp(pattern, "u");
    } catch {
      throw new NotRegular(pattern);
    }
    this.#tokens = pattern.match(tokens) ?? [];
  }

  parse(): Automaton {
    const piece = this.#alternatives();
    if (this.#at < this.#tokens.length) throw new NotRegular();
    // Patterns are not anchored, so any characters may come before and after a match.
    this.#state(piece.from).steps.push({ on: anything, to: piece.from });
    this.#state(piece.to).steps.push({ on: anything, to: piece.to });
    return { states: this.#states, start: piece.from, end: piece.to };
  }

  #new(): number {
    if (this.#states.length >= maxStates) throw new NotRegular();
    this.#states.push({ steps: [], free: [] });
    return this.#states.length - 1;
  }

  #state(index: number): State {
    const state = this.#states[index];
    if (state === undefined) throw new NotRegular();
    return state;
  }

  #link(from: number, to: number, at: "anywhere" | "start" | "end" = "anywhere"): void {
    this.#state(from).free.push({ at, to });
  }

  #alternatives(): Fragment {
    const piece = { from: this.#new(), to: this.#new() };
    for (;;) {
      const branch = this.#sequence();
      this.#link(piece.from, branch.from);
      this.#link(branch.to, piece.to);
      if (this.#tokens[this.#at] !== "|") return piece;
      this.#at += 1;
    }
  }

  #sequence(): Fragment {
    const from = this.#new();
    let to = from;
    for (let next = this.#tokens[this.#at]; next !== undefined && next !== "|" && next !== ")"; ) {
      const piece = this.#repeated();
      this.#link(to, piece.from);
      to = piece.to;
      next = this.#tokens[this.#at];
    }
    return { from, to };
  }

  #repeated(): Fragment {
    const begin = this.#at;
    const once = this.#atom();
    const times = timesIn(this.#tokens[this.#at]);
    if (times === undefined) return once;
    const end = this.#at + 1;
    const [least, most] = times;
    const [from, last] = [this.#new(), this.#new()];
    // If there is no upper limit, the last copy repeats.
    const copies = most === Infinity ? Math.max(least, 1) : most;
    let to = from;
    for (let count = 0; count < copies; count += 1) {
      if (count >= least) this.#link(to, last);
      this.#at = begin;
      const piece = count === 0 ? once : this.#atom();
      this.#link(to, piece.from);
      to = piece.to;
      if (most === Infinity && count === copies - 1) this.#link(to, piece.from);
    }
    this.#link(to, last);
    this.#at = end;
    return { from, to: last };
  }

  #atom(): Fragment {
    const token = this.#tokens[this.#at];
    const escapes = token?.match(/\\(?:u[\da-f]{4}|.)/gisu) ?? [];
    const isWordBoundary = token === "\\b" || token === "\\B";
    if (token === undefined || timesIn(token) !== undefined || isWordBoundary) throw new NotRegular();
    if (escapes.some((each) => irregularEscape.test(each))) throw new NotRegular();
    this.#at += 1;
    if (token.startsWith("(")) {
      const piece = this.#alternatives();
      this.#at += 1;
      return piece;
    }
    const piece = { from: this.#new(), to: this.#new() };
    if (token === "^") this.#link(piece.from, piece.to, "start");
    else if (token === "$") this.#link(piece.from, piece.to, "end");
    else this.#state(piece.from).steps.push({ on: token, to: piece.to });
    return piece;
  }
}

/** How often a quantifier repeats. Undefined for any other token. */
function timesIn(token: string | undefined): readonly [least: number, most: number] | undefined {
  const [, sign, least, comma, most] = /^(?:([*+?])|\{(\d+)(,?)(\d*)\})\??$/.exec(token ?? "") ?? [];
  if (sign !== undefined) return [sign === "+" ? 1 : 0, sign === "?" ? 1 : Infinity];
  if (least === undefined) return undefined;
  const exactly = comma === "" ? Number(least) : Infinity;
  return [Number(least), most === "" ? exactly : Number(most)];
}
