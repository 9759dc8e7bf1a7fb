/** Parses JSON (RFC 8259), and finds what JavaScript or a database cannot represent. */
import type { Problem } from "#specbind/contract";
import { pointerTo } from "../shared/pointer.ts";

export type Read = { readonly value: unknown } | { readonly problem: string };

const jsonProblems = { syntax: "must be JSON", text: "must be Unicode text" };

export function readJson(text: string): Read {
  const parsed = parseJson(text);
  if ("problem" in parsed) return { problem: jsonProblems[parsed.problem] };
  const [problem] = parsed.problems ?? [];
  return problem ? { problem: `${problem.pointer} ${problem.message}`.trim() } : parsed;
}

export interface Parsed {
  readonly value: unknown;
  readonly problems?: readonly Problem[];
}

/** `text` means that a string has half of a surrogate pair. No database can store it (RFC 7493, section 2.1). */
export function parseJson(text: string): Parsed | { readonly problem: "syntax" | "text" } {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { problem: "syntax" };
  }
  // Decoded UTF-8 has no lone surrogates. Only an escape can make one.
  if (/\\u[dD][89a-fA-F]/.test(text) && !isWellFormed(value)) return { problem: "text" };
  return mayHaveOtherNumbers.test(text) ? { value, problems: otherNumbers(text) } : { value };
}

/** Recursion could exhaust the stack, because the caller chooses the depth. */
function isWellFormed(root: unknown): boolean {
  const pending: unknown[] = [root];
  while (pending.length > 0) {
    const value = pending.pop();
    if (typeof value === "string") {
      if (!value.isWellFormed()) return false;
    } else if (Array.isArray(value)) {
      for (const item of value) pending.push(item);
    } else if (typeof value === "object" && value !== null) {
      for (const [key, item] of Object.entries(value)) pending.push(key, item);
    }
  }
  return true;
}

/**
 * Finds all numbers whose value may change in JavaScript: those with 16 digits or an exponent. The class
 * is repeated because `{16}` is five times slower in V8.
 */
const mayHaveOtherNumbers = new RegExp(`${"\\d".repeat(16)}|\\d[eE]\\+?\\d`);

const numberAt = /-?\d[\d.eE+-]*/y;

/** The greatest total length of all pointers. A caller can send long names, and each problem repeats them. */
const mostPointerText = 65_536;

function otherNumbers(text: string): Problem[] {
  const problems: Problem[] = [];
  let pointerText = 0;
  /** The index or name in each open array and object. A name is undefined until it has been read. */
  const path: (number | string | undefined)[] = [];
  for (let at = 0; at < text.length; at += 1) {
    const last = path.length - 1;
    const first = text.charAt(at);
    if (first === "{") path.push(undefined);
    else if (first === "[") path.push(0);
    else if (first === "}" || first === "]") path.pop();
    else if (first === ",") path[last] = typeof path[last] === "number" ? path[last] + 1 : undefined;
    else if (first === '"') {
      const start = at;
      for (at += 1; text.charAt(at) !== '"'; at += 1) if (text.charAt(at) === "\\") at += 1;
      if (last >= 0 && path[last] === undefined) path[last] = JSON.parse(text.slice(start, at + 1));
    } else {
      numberAt.lastIndex = at;
      const [literal = ""] = numberAt.exec(text) ?? [];
      const message = literal && numberProblem(literal);
      at += Math.max(literal.length - 1, 0);
      if (!message) continue;
      const pointer = pointerTo("", ...path.map(String));
      pointerText += pointer.length;
      if (pointerText > mostPointerText && problems.length > 0) break;
      problems.push({ pointer, message });
    }
  }
  return problems;
}

/** Fractions may be rounded, as in every JSON parser. */
function numberProblem(literal: string): string | undefined {
  const value = Number(literal);
  if (!Number.isFinite(value)) return "is out of range";
  if (Math.abs(value) <= Number.MAX_SAFE_INTEGER) return undefined;
  const [, whole = "", fraction = "", exponent = "0"] = /(\d+)(?:\.(\d+))?(?:[eE](.+))?/.exec(literal) ?? [];
  const digits = whole + fraction;
  let end = digits.length;
  while (digits[end - 1] === "0") end -= 1;
  const zeros = Number(exponent) + whole.length - end;
  if (zeros < 0) return undefined;
  // 5^23 has more than the 53 bits of a double.
  const isExact = zeros < 23 && BigInt(digits.slice(0, end) + "0".repeat(zeros)) === BigInt(Math.abs(value));
  return isExact ? undefined : "cannot be represented exactly";
}
