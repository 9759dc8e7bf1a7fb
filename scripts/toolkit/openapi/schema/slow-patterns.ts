/**
 * Finds patterns whose matching time grows exponentially, or with the third or a higher power of the length (OWASP,
 * ReDoS).
 */
import { hash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname } from "node:path";

const require = createRequire(import.meta.url);

/** If the time grows with the second power, the largest request may take about two seconds. */
const worstPower = 2;
/** The slow patterns of a thousand public documents were found within two seconds. */
const longestAnalysisMs = 3000;
/** The time for all patterns of a minute, so that a document with many complex ones does not take minutes. */
const longestInAMinuteMs = 20_000;
const minuteMs = 60_000;
const verdicts = new Map<string, string | undefined>();
const stored = new Map<string, string | null>();
let storedIn: string | undefined;
let minute = { start: Number.NEGATIVE_INFINITY, spentMs: 0 };

/** @returns how the time grows, such as `exponentially`; `unknown`; undefined if the pattern is fast enough */
export function slownessOf(pattern: string): string | undefined {
  if (!verdicts.has(pattern)) verdicts.set(pattern, maybeSlow(pattern) ? remembered(pattern) : undefined);
  return verdicts.get(pattern);
}

/** Analyses a pattern, unless an earlier run has. The file of verdicts is for this library and these limits only. */
function remembered(pattern: string): string | undefined {
  storedIn ??= readStored();
  const known = stored.get(pattern);
  if (known !== undefined) return known ?? undefined;
  const start = performance.now();
  if (start - minute.start > minuteMs) minute = { start, spentMs: 0 };
  if (minute.spentMs >= longestInAMinuteMs) return "unknown";
  const verdict = analysed(pattern);
  minute.spentMs += performance.now() - start;
  stored.set(pattern, verdict ?? null);
  store(storedIn);
  return verdict;
}

/** @returns the path of the file of verdicts, or an empty text if there is no folder for it */
function readStored(): string {
  if (!existsSync("node_modules")) return "";
  const library = hash("sha256", readFileSync(require.resolve("#recheck")));
  const path = `node_modules/.cache/slow-patterns/${library}-${worstPower}-${longestAnalysisMs}.json`;
  try {
    for (const [pattern, verdict] of Object.entries<unknown>(JSON.parse(readFileSync(path, "utf8"))))
      if (verdict === null || typeof verdict === "string") stored.set(pattern, verdict);
  } catch {}
  return path;
}

/** Without the file, the next run needs the time again. */
function store(path: string): void {
  if (path === "") return;
  try {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(`${path}.${process.pid}`, JSON.stringify(Object.fromEntries(stored)));
    renameSync(`${path}.${process.pid}`, path);
  } catch {}
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
