/**
 * Finds patterns whose matching time grows exponentially, or with the third or a higher power of the length (OWASP,
 * ReDoS).
 */
import { createRequire } from "node:module";

const require = createRequire(import.meta.url);

/** If the time grows with the second power, the largest request may take about two seconds. */
const worstPower = 2;
/** The slow patterns of a thousand public documents were found within two seconds. */
const longestAnalysisMs = 3000;
const verdicts = new Map<string, string | undefined>();

/** @returns how the time grows, such as `exponentially`; `unknown`; undefined if the pattern is fast enough */
export function slownessOf(pattern: string): string | undefined {
  if (!verdicts.has(pattern)) verdicts.set(pattern, maybeSlow(pattern) ? analysed(pattern) : undefined);
  return verdicts.get(pattern);
}

function analysed(pattern: string): string | undefined {
  // Loaded here because few documents need it. This file of the package works without Java and native programs.
  const { checkSync }: typeof import("recheck") = require("#recheck");
  const found = checkSync(pattern, "u", { timeout: longestAnalysisMs });
  if (found.status === "unknown") return "unknown";
  if (found.status !== "vulnerable") return undefined;
  const { complexity } = found;
  if (complexity.type === "exponential") return "exponentially";
  if (complexity.degree <= worstPower) return undefined;
  return `with the length to the power of ${complexity.degree}`;
}

/** The analysis may take seconds. A pattern with few repetitions and no repeated groups does not need it. */
function maybeSlow(pattern: string): boolean {
  const bare = pattern
    .replaceAll(/\\./gsu, "x")
    .replaceAll(/\[[^\]]*\]/gu, "x")
    .replaceAll("(?", "(");
  const unbounded = bare.match(/[*+]|\{\d+,\}/gu)?.length ?? 0;
  const variable = bare.match(/\?|,\d+\}/gu)?.length ?? 0;
  if (unbounded > worstPower || variable > 20) return true;
  return /\)[*+{]/u.test(bare) && (unbounded > 0 || (variable > 0 && /\)\{(?:\d+,)?\d{2}/u.test(bare)));
}
