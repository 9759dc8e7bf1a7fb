/** The regular expressions of the formats, and how their time grows. The analysis is exact and measures no time. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const require = createRequire(import.meta.url);
/** The analysis needs up to ten seconds for one pattern, and more on a busy machine. */
const longestAnalysisMs = 300_000;

/** The starts of the patterns of durations and URI templates. The analysis of each takes seconds. */
const costly = ["^P(?:", '^(?:[^\\s"<>'];
/** The starts of the patterns of host names and labels, which the analysis cannot decide. The names are short. */
const undecidable = ["^[\\dA-Za-z](?:[\\dA-Za-z-]{0,61}", "^(?!\\p{M})"];

const startsWith = (starts: readonly string[], { source }: RegExp): boolean =>
  starts.some((start) => source.startsWith(start));
const decidable = ["addresses.js", "formats.js", "hosts.js"]
  .flatMap((file) => literalsIn(readFileSync(new URL(`../runtime/${file}`, import.meta.url), "utf8")))
  .filter((pattern) => !startsWith(undecidable, pattern));

/** The regular expressions in the code of the formats. */
export const formatPatterns = decidable.filter((pattern) => !startsWith(costly, pattern));
export const costlyFormatPatterns = decidable.filter((pattern) => startsWith(costly, pattern));

function literalsIn(code: string): RegExp[] {
  const bare = code.replaceAll(/\/\*\*?[\s\S]*?\*\//g, "").replaceAll(/^\s*\/\/.*$/gm, "");
  const literal = /(?<=[=(?!&|]\s*|^\s*|return\s+)\/((?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+)\/([a-z]*)/gm;
  return [...bare.matchAll(literal)].map(([, source = "", flags]) => new RegExp(source, flags));
}

/** Returns `safe`, `linear`, `polynomial` or `exponential`. @throws Error if the analysis cannot decide */
export function timeOf({ source, flags }: RegExp): string {
  const { checkSync }: typeof import("recheck") = require("recheck/lib/browser.js");
  const found = checkSync(source, flags.replace("g", ""), {
    checker: "automaton",
    timeout: longestAnalysisMs,
  });
  if (found.status === "unknown") throw new Error(`/${source}/ cannot be analysed: ${found.error.kind}`);
  return found.complexity.type;
}
