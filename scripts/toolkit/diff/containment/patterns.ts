/**
 * Decides whether every string that some patterns match also matches another pattern. It supports ECMAScript's
 * regular expressions except look-around, back-references and word boundaries.
 */

/**
 * A step to another state. `on` is the source of the atom that it reads, such as `a`, `\d` or `[a-z]`. If `on` is
 * empty, `^` or `$`, the step reads nothing. `^` is possible only at the start, `$` only at the end.
 */
interface Edge {
  readonly on: string;
  readonly to: number;
}

interface Automaton {
  /** The edges of each state. */
  readonly states: readonly (readonly Edge[])[];
  readonly start: number;
  readonly end: number;
}

/**
 * A class of characters that every automaton treats alike. The set contains the atoms that match these characters.
 */
type Letter = ReadonlySet<string>;

const maxStates = 4000;
const maxPairs = 20_000;
/** An atom that matches any character. */
const anything = "[^]";
const readsNothing = new Set(["", "^", "$"]);

/** Thrown for expressions that are not supported. */
class NotRegular extends Error {}

/** Returns whether `target` matches every string that all of `patterns` match. Undefined if this is unknown. */
export function patternsImply(patterns: readonly string[], target: string): boolean | undefined {
  const wanted = automatonOf(target);
  const given = patterns.map(automatonOf).filter((automaton) => automaton !== undefined);
  if (wanted === undefined) return undefined;
  const implied = allMatch(given, wanted, lettersOf([...given, wanted], [...patterns, target]));
  // Without the unsupported patterns, `given` matches more strings. So `true` is still correct, but `false` may be wrong.
  return implied === false && given.length < patterns.length ? undefined : implied;
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
  const sources = new Set(automata.flatMap(({ states }) => states.flat().map(({ on }) => on)));
  const atoms = [...sources.difference(readsNothing)].map((on) => [on, new RegExp(on, "u")] as const);
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
  const edges = from.flatMap((index) => automaton.states[index] ?? []);
  const reached = edges.filter(({ on }) => letter.has(on)).map(({ to }) => to);
  return closure(automaton, reached, false, false);
}

function closure({ states }: Automaton, from: readonly number[], atStart: boolean, atEnd: boolean): number[] {
  const reached = new Set(from);
  for (const index of reached) {
    for (const { on, to } of states[index] ?? [])
      if (on === "" || (on === "^" && atStart) || (on === "$" && atEnd)) reached.add(to);
  }
  return [...reached].sort((a, b) => a - b);
}

/** Matches one token: the start of a group, a class, a quantifier, an escape, or a character. */
const tokenPattern =
  /\((?:\?:|\?<(?![=!])[^>]*>)?|\[(?:\\.|[^\]\\])*\]|(?:[*+?]|\{\d+(?:,\d*)?\})\??|\\u\{[\da-f]+\}|\\u[\da-f]{4}|\\x[\da-f]{2}|\\.|./gisu;
/** Matches escapes that are not supported: back-references, properties, control letters and halves of surrogate pairs. */
const irregularEscape = /^\\(?:[cpPk1-9]|u[dD][89a-fA-F])/;

/** A part of an expression. It adds its states before the state `next`, and returns the first of them. */
type Part = (next: number) => number;

/** Undefined if the expression is invalid, not supported or too large. It has the `u` flag, as JSON Schema requires. */
function automatonOf(pattern: string): Automaton | undefined {
  const parser = new Parser(pattern);
  try {
    new RegExp(pattern, "u");
    return parser.parse();
  } catch (error) {
    if (error instanceof NotRegular || error instanceof SyntaxError) return undefined;
    throw error;
  }
}

class Parser {
  readonly #tokens: string[];
  readonly #states: Edge[][] = [];

  constructor(pattern: string) {
    this.#tokens = pattern.match(tokenPattern) ?? [];
  }

  parse(): Automaton {
    // Patterns are not anchored, so any characters may come before and after a match.
    const others = this.#repeated(this.#edge(anything));
    const end = this.#state([]);
    const start = others(this.#alternatives()(others(end)));
    return { states: this.#states, start, end };
  }

  #state(edges: Edge[]): number {
    if (this.#states.length >= maxStates) throw new NotRegular();
    return this.#states.push(edges) - 1;
  }

  #edge(on: string): Part {
    return (to) => this.#state([{ on, to }]);
  }

  #either(parts: readonly Part[]): Part {
    return (next) => this.#state(parts.map((part) => ({ on: "", to: part(next) })));
  }

  /** Any number of times. */
  #repeated(part: Part): Part {
    return (next) => {
      const edges = [{ on: "", to: next }];
      const state = this.#state(edges);
      edges.push({ on: "", to: part(state) });
      return state;
    };
  }

  #alternatives(): Part {
    const branches = [this.#sequence()];
    while (this.#tokens[0] === "|") {
      this.#tokens.shift();
      branches.push(this.#sequence());
    }
    return this.#either(branches);
  }

  #sequence(): Part {
    const parts: Part[] = [];
    while (![undefined, "|", ")"].includes(this.#tokens[0])) parts.push(this.#quantified());
    return (next) => parts.reduceRight((to, part) => part(to), next);
  }

  #quantified(): Part {
    const once = this.#atom();
    const times = timesIn(this.#tokens[0]);
    if (times === undefined) return once;
    this.#tokens.shift();
    const [least, most] = times;
    return (next) => {
      let first = next;
      if (most === Infinity) first = this.#repeated(once)(next);
      else for (let count = least; count < most; count += 1) first = this.#either([once, () => next])(first);
      for (let count = 0; count < least; count += 1) first = once(first);
      return first;
    };
  }

  #atom(): Part {
    const token = this.#tokens.shift();
    const escapes = token?.match(/\\(?:u[\da-f]{4}|.)/gisu) ?? [];
    const isWordBoundary = token === "\\b" || token === "\\B";
    if (token === undefined || timesIn(token) !== undefined || isWordBoundary) throw new NotRegular();
    if (escapes.some((each) => irregularEscape.test(each))) throw new NotRegular();
    if (!token.startsWith("(")) return this.#edge(token);
    const group = this.#alternatives();
    this.#tokens.shift();
    return group;
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
