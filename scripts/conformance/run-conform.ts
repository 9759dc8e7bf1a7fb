/** Checks a running service against an OpenAPI document. */
import type { Contract } from "../../generated/contract.ts";
import { lineOf, SpecProblemsError } from "../openapi/spec-problems.ts";
import { type CheckResult, jsonOf, NothingCheckedError, textOf } from "./conform-report.ts";
import { contractOfDocument } from "./contract-of-document.ts";
import { type LiveChoices, liveChecks } from "./live-checks.ts";

export interface ConformOptions extends LiveChoices {
  readonly spec: string;
  readonly lenient: boolean;
  readonly json: boolean;
}

interface Stream {
  write(text: string): unknown;
}

export interface ConformOutput {
  readonly stdout: Stream;
  readonly stderr: Stream;
  readonly isColoured: boolean;
}

/** @returns the exit status: 0 conforms, 1 does not, 2 nothing was checked */
export async function conform(options: ConformOptions, output: ConformOutput): Promise<0 | 1 | 2> {
  const { spec, url, generate, seed, json } = options;
  const { stdout, stderr, isColoured } = output;
  try {
    const made = await contractOfDocument(spec, options.lenient);
    for (const problem of made.passed) stderr.write(`${lineOf(problem)}\n`);
    const writers = writersOf(made.contract);
    if (!isLoopback(new URL(url)) && writers !== "")
      stderr.write(`These operations of ${url} may write:\n${writers}`);
    const { checks, omissions } = liveChecks(made, options);
    const results: CheckResult[] = [];
    for (const check of checks) {
      const result = await check();
      results.push(result);
      if (!json) stdout.write(textOf(result, isColoured));
    }
    const unsent = (generate ? omissions() : []).map(
      ({ operationId, place, why }) => `${operationId}: ${place} ${why}`,
    );
    const notes = [...notesOn(results, spec, url), ...unsent];
    const failed = results.filter(({ findings }) => findings.length > 0).length;
    if (json) stdout.write(jsonOf({ spec, url, ...(generate && { seed }) }, results, notes));
    else {
      for (const note of notes) stdout.write(`note  ${note}\n`);
      const verdict = failed === 0 ? "no difference found" : `${failed} failed`;
      const repeat = generate ? `; --seed ${seed} repeats these requests` : "";
      const count = `${results.length} ${results.length === 1 ? "check" : "checks"}`;
      stdout.write(`${count} of ${url}: ${verdict}${repeat}\n`);
    }
    return failed === 0 ? 0 : 1;
  } catch (error) {
    if (!(error instanceof NothingCheckedError || error instanceof SpecProblemsError)) throw error;
    stderr.write(`${error.message}\n`);
    return 2;
  }
}

/** @throws NothingCheckedError if the service rejected every credential */
function notesOn(results: readonly CheckResult[], spec: string, url: string): string[] {
  const notes: string[] = [];
  const received = new Set<number>();
  for (const [id, own] of Map.groupBy(results, ({ operationId }) => operationId)) {
    if (id === undefined || own.some(({ findings }) => findings.length > 0)) continue;
    const statuses = [...new Set(own.flatMap((each) => [...each.statuses.keys()]))];
    for (const status of statuses) received.add(status);
    if (statuses.length === 0)
      notes.push(`${id}: no example to send; add one to the document, or use --generate`);
    else if (statuses.every((status) => status >= 400))
      notes.push(
        `${id}: no request succeeded (${statuses.join(", ")}), so no success was checked; give its examples values that exist, and --header a credential that may call it`,
      );
  }
  if (results.some(({ findings }) => findings.length > 0)) return notes;
  if (received.size === 0)
    throw new NothingCheckedError(`${spec} has no example to send; add examples to it, or use --generate`);
  if ([...received].every((status) => status === 401 || status === 403))
    throw new NothingCheckedError(
      `${url} rejected every request with 401 or 403; send a valid credential, such as --header 'Authorization: Bearer KEY'`,
    );
  return notes;
}

function isLoopback({ hostname }: URL): boolean {
  return /^(?:(?:.+\.)?localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);
}

/** Safe methods do not write (RFC 9110, section 9.2.1). A required body is unusual for a read. */
function writersOf({ operations }: Contract): string {
  const safe = ["GET", "HEAD", "OPTIONS", "TRACE"];
  return Object.entries(operations)
    .filter(([, { method, content }]) => !safe.includes(method) || content?.required)
    .map(([id, { method, path }]) => `  ${method} ${path} (${id})\n`)
    .join("");
}
