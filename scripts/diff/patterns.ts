/**
 * Decides whether every string that some patterns match is also matched by another pattern. It knows the regular part
 * of ECMAScript's
 * regular expressions: no look-around, back-references or word boundaries.
 */
/** Inclusive ranges of code points. */
type Ranges = readonly (readonly [number, number])[];

interface State {
  readonly steps: { readonly on: Ranges; readonly to: number }[];
  /** Steps without a character. */
  readonly free: { readonly at: "anywhere" | "start" | "end"; readonly to: number }[];
}

interface Automaton {
  readonly states: readonly State[];
  readonly start: number;
  readonly end: number;
}

const lastCodePoint = 0x10ffff;
const maxStates = 4000;
const maxPairs = 20_000;
const anything: Ranges = [[0, lastCodePoint]];
const digits: Ranges = [[0x30, 0x39]];
const wordCharacters: Ranges = [
  [0x30, 0x39],
  [0x41, 0x5a],
  [0x5f, 0x5f],
  [0x61, 0x7a],
];
const spaces: Ranges = [
  [0x09, 0x0d],
  [0x20, 0x20],
  [0xa0, 0xa0],
  [0x1680, 0x1680],
  [0x2000, 0x200a],
  [0x2028, 0x2029],
  [0x202f, 0x202f],
  [0x205f, 0x205f],
  [0x3000, 0x3000],
  [0xfeff, 0xfeff],
];
const lineEnds: Ranges = [
  [0x0a, 0x0a],
  [0x0d, 0x0d],
  [0x2028, 0x2029],
];
const classEscapes: { readonly [letter: string]: Ranges } = {
  d: digits,
  D: complement(digits),
  w: wordCharacters,
  W: complement(wordCharacters),
  s: spaces,
  S: complement(spaces),
};
const controlEscapes: { readonly [letter: string]: number } = { t: 9, n: 10, v: 11, f: 12, r: 13, 0: 0 };

function complement(ranges: Ranges): Ranges {
  const rest: [number, number][] = [];
  let next = 0;
  for (const [from, to] of ranges.toSorted(([a], [b]) => a - b)) {
    if (from > next) rest.push([next, from - 1]);
    next = Math.max(next, to + 1);
  }
  if (next <= lastCodePoint) rest.push([next, lastCodePoint]);
  return rest;
}

/** Thrown for expressions outside the regular part. */
class NotRegular extends Error {}

/** Whether `target` matches every string that all of `patterns` match. Undefined if it is unknown. */
export function patternsImply(patterns: readonly string[], target: string): boolean | undefined {
  let wanted: Automaton;
  try {
    wanted = new Reader(target).read();
  } catch (error) {
    if (error instanceof NotRegular) return undefined;
    throw error;
  }
  const given: Automaton[] = [];
  let complete = true;
  for (const pattern of patterns) {
    try {
      given.push(new Reader(pattern).read());
    } catch (error) {
      if (!(error instanceof NotRegular)) throw error;
      // Without this pattern more strings are considered, so "yes" stays correct and "no" does not.
      complete = false;
    }
  }
  const implied = allMatch(given, wanted);
  return implied === false && !complete ? undefined : implied;
}

function allMatch(given: readonly Automaton[], wanted: Automaton): boolean | undefined {
  const automata = [...given, wanted];
  const letters = representatives(automata);
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

/** One code point of each class that no automaton distinguishes. */
function representatives(automata: readonly Automaton[]): number[] {
  const borders = new Set([0]);
  for (const { states } of automata) {
    for (const { steps } of states) {
      for (const { on } of steps) {
        for (const [from, to] of on) {
          borders.add(from);
          if (to < lastCodePoint) borders.add(to + 1);
        }
      }
    }
  }
  return [...borders];
}

function step({ states, ...rest }: Automaton, from: readonly number[], letter: number): number[] {
  const reached = from.flatMap((index) =>
    (states[index]?.steps ?? [])
      .filter(({ on }) => on.some(([low, high]) => low <= letter && letter <= high))
      .map(({ to }) => to),
  );
  return closure({ states, ...rest }, reached, false, false);
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

interface Piece {
  readonly from: number;
  readonly to: number;
}

/** Parses an expression with the `u` flag, as JSON Schema has it, into an automaton. */
class Reader {
  readonly #characters: readonly string[];
  readonly #states: State[] = [];
  #at = 0;

  constructor(pattern: string) {
    try {
      new RegExp(pattern, "u");
    } catch {
      throw new NotRegular(pattern);
    }
    this.#characters = [...pattern];
  }

  read(): Automaton {
    const piece = this.#alternatives();
    if (this.#at < this.#characters.length) throw new NotRegular();
    // Patterns are not anchored.
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

  #peek(): string | undefined {
    return this.#characters[this.#at];
  }

  #take(): string {
    const character = this.#characters[this.#at];
    if (character === undefined) throw new NotRegular();
    this.#at += 1;
    return character;
  }

  #takes(text: string): boolean {
    if (this.#characters.slice(this.#at, this.#at + text.length).join("") !== text) return false;
    this.#at += text.length;
    return true;
  }

  #alternatives(): Piece {
    const piece = { from: this.#new(), to: this.#new() };
    do {
      const branch = this.#sequence();
      this.#link(piece.from, branch.from);
      this.#link(branch.to, piece.to);
    } while (this.#takes("|"));
    return piece;
  }

  #sequence(): Piece {
    const from = this.#new();
    let to = from;
    for (let next = this.#peek(); next !== undefined && next !== "|" && next !== ")"; next = this.#peek()) {
      const piece = this.#repeated();
      this.#link(to, piece.from);
      to = piece.to;
    }
    return { from, to };
  }

  #repeated(): Piece {
    const begin = this.#at;
    const once = this.#atom();
    const times = this.#quantifier();
    if (times === undefined) return once;
    const end = this.#at;
    const again = (): Piece => {
      this.#at = begin;
      const piece = this.#atom();
      this.#at = end;
      return piece;
    };
    const [least, most] = times;
    const from = this.#new();
    let to = from;
    for (let count = 0; count < least; count += 1) {
      const piece = count === 0 ? once : again();
      this.#link(to, piece.from);
      to = piece.to;
    }
    if (most === Infinity) {
      const piece = least === 0 ? once : again();
      const hub = this.#new();
      this.#link(to, hub);
      this.#link(hub, piece.from);
      this.#link(piece.to, hub);
      return { from, to: hub };
    }
    const last = this.#new();
    for (let count = least; count < most; count += 1) {
      const piece = count === 0 ? once : again();
      this.#link(to, last);
      this.#link(to, piece.from);
      to = piece.to;
    }
    this.#link(to, last);
    return { from, to: last };
  }

  #quantifier(): readonly [number, number] | undefined {
    const rest = this.#characters.slice(this.#at).join("");
    const [text, least, comma, most] = /^(?:[*+?]|\{(\d+)(,?)(\d*)\})\??/.exec(rest) ?? [];
    if (text === undefined) return undefined;
    this.#at += text.length;
    if (text.startsWith("*")) return [0, Infinity];
    if (text.startsWith("+")) return [1, Infinity];
    if (text.startsWith("?")) return [0, 1];
    const low = Number(least);
    return [low, comma === "" ? low : most === "" ? Infinity : Number(most)];
  }

  #atom(): Piece {
    const character = this.#take();
    if (character === "^") return this.#anchor("start");
    if (character === "$") return this.#anchor("end");
    if (character === "(") return this.#group();
    if (character === ".") return this.#one(complement(lineEnds));
    if (character === "[") return this.#one(this.#class());
    if (character === "\\") return this.#one(this.#escape());
    return this.#one(single(character));
  }

  #anchor(at: "start" | "end"): Piece {
    const piece = { from: this.#new(), to: this.#new() };
    this.#link(piece.from, piece.to, at);
    return piece;
  }

  #one(on: Ranges): Piece {
    const piece = { from: this.#new(), to: this.#new() };
    this.#state(piece.from).steps.push({ on, to: piece.to });
    return piece;
  }

  #group(): Piece {
    if (this.#peek() === "?" && !this.#takes("?:")) {
      if (!this.#takes("?<") || this.#peek() === "=" || this.#peek() === "!") throw new NotRegular();
      while (this.#take() !== ">");
    }
    const piece = this.#alternatives();
    if (this.#take() !== ")") throw new NotRegular();
    return piece;
  }

  #escape(): Ranges {
    const letter = this.#take();
    const known = Object.hasOwn(classEscapes, letter) ? classEscapes[letter] : undefined;
    if (known !== undefined) return known;
    const control = Object.hasOwn(controlEscapes, letter) ? controlEscapes[letter] : undefined;
    if (control !== undefined) return [[control, control]];
    if (letter === "x") return this.#hexadecimal(2);
    if (letter === "u") {
      if (this.#peek() !== "{") return this.#surrogatesRefused(this.#hexadecimal(4));
      this.#take();
      let text = "";
      for (let next = this.#take(); next !== "}"; next = this.#take()) text += next;
      const code = Number.parseInt(text, 16);
      return [[code, code]];
    }
    if (/[\w]/.test(letter)) throw new NotRegular();
    return single(letter);
  }

  #hexadecimal(length: number): Ranges {
    let text = "";
    while (text.length < length) text += this.#take();
    const code = Number.parseInt(text, 16);
    return [[code, code]];
  }

  /** Rejects surrogate pairs that are written as two escapes. */
  #surrogatesRefused(ranges: Ranges): Ranges {
    if (ranges.some(([code]) => code >= 0xd800 && code <= 0xdfff)) throw new NotRegular();
    return ranges;
  }

  #class(): Ranges {
    const negated = this.#takes("^");
    const ranges: (readonly [number, number])[] = [];
    while (!this.#takes("]")) {
      const low = this.#classMember();
      const from = low[0]?.[0];
      if (this.#peek() === "-" && this.#characters[this.#at + 1] !== "]" && from !== undefined) {
        this.#take();
        const to = this.#classMember()[0]?.[0];
        if (to === undefined) throw new NotRegular();
        ranges.push([from, to]);
      } else ranges.push(...low);
    }
    return negated ? complement(ranges) : ranges;
  }

  #classMember(): Ranges {
    const character = this.#take();
    if (character !== "\\") return single(character);
    return this.#takes("b") ? [[8, 8]] : this.#escape();
  }
}

function single(character: string): Ranges {
  const code = character.codePointAt(0) ?? 0;
  return [[code, code]];
}
