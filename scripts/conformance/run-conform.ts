/** Checks a running service against an OpenAPI document. */
import type { JsonObject } from "../openapi/document.ts";
import { SpecFiles } from "../openapi/files.ts";
import { Findings } from "../openapi/findings.ts";
import { loadSpec } from "../openapi/load.ts";
import { lineOf, type SpecProblem, SpecProblemsError } from "../openapi/spec-problems.ts";
import { readWaivers } from "../openapi/waivers.ts";
import { type CheckResult, jsonOf, NothingCheckedError, textOf } from "./conform-report.ts";
import { type LiveChoices, liveChecks } from "./live-checks.ts";
import { modelOf } from "./operation-model.ts";
import { Progress, type Terminal } from "./progress.ts";

export interface ConformOptions extends LiveChoices {
  readonly spec: string;
  readonly lenient: boolean;
  readonly json: boolean;
}

export interface ConformOutput {
  readonly stdout: Pick<Terminal, "write">;
  readonly stderr: Terminal;
  readonly isColoured: boolean;
}

type Add = (result: CheckResult) => void;

/** @returns the exit status: 0 conforms, 1 does not, 2 nothing was checked */
export async function conform(options: ConformOptions, output: ConformOutput): Promise<0 | 1 | 2> {
  const { spec, url, generate, seed, json } = options;
  const { stdout, stderr, isColoured } = output;
  const progress = new Progress(stderr);
  const results: CheckResult[] = [];
  const add = (result: CheckResult): void => {
    results.push(result);
    progress.end();
    if (!json) stdout.write(textOf(result, isColoured));
  };
  try {
    progress.stage(`reading ${spec}`);
    const { document, ignored } = await readDocument(spec, options.lenient);
    progress.end();
    for (const problem of ignored) stderr.write(`${lineOf(problem)}\n`);
    const notes = await checkService(document, options, add, stderr, progress);
    progress.end();
    const failed = results.filter(({ findings }) => findings.length > 0).length;
    if (json) stdout.write(jsonOf({ spec, url, ...(generate && { seed }) }, results, notes));
    else {
      for (const note of notes) stdout.write(`note  ${note}\n`);
      const verdict = failed === 0 ? "no difference found" : `${failed} failed`;
      const repeat = generate ? `; --seed ${seed} repeats these requests` : "";
      const checks = results.length === 1 ? "check" : "checks";
      stdout.write(`${results.length} ${checks} of ${url}: ${verdict}${repeat}\n`);
    }
    return failed === 0 ? 0 : 1;
  } catch (error) {
    progress.end();
    if (!(error instanceof NothingCheckedError || error instanceof SpecProblemsError)) throw error;
    stderr.write(`${error.message}\n`);
    return 2;
  }
}

/** @throws SpecProblemsError with each place of the document that must be fixed */
async function readDocument(
  spec: string,
  lenient: boolean,
): Promise<{ document: JsonObject; ignored: readonly SpecProblem[] }> {
  const files = new SpecFiles();
  // A waiver may be for a problem that only the generator reports.
  const findings = new Findings({
    lenient,
    waivers: lenient ? [] : await readWaivers(spec, undefined, files),
  });
  const { document } = await loadSpec(spec, findings, files);
  findings.stopIfAny();
  return { document, ignored: lenient ? findings.settle() : [] };
}

async function checkService(
  document: JsonObject,
  { spec, url, generate, ...choices }: ConformOptions,
  add: Add,
  stderr: Terminal,
  progress: Progress,
): Promise<string[]> {
  const writers = writersOf(document);
  if (!isLoopback(new URL(url)) && writers !== "")
    stderr.write(`These operations of ${url} may write:\n${writers}`);
  const { checks, omissions } = liveChecks(document, { ...choices, url, generate });
  const results: CheckResult[] = [];
  for (const { operationId, name, run } of checks) {
    progress.stage([operationId, name].filter(Boolean).join(" "));
    const result = await run();
    results.push(result);
    add(result);
  }
  const notes = notesOn(results, spec, url);
  const unsent = generate ? omissions() : [];
  return [...notes, ...unsent.map(({ operationId, place, why }) => `${operationId}: ${place} ${why}`)];
}

/** @throws NothingCheckedError if no request was sent, or if the service rejected every request with 401 or 403 */
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
function writersOf(document: JsonObject): string {
  const safe = ["GET", "HEAD", "OPTIONS", "TRACE"];
  return modelOf(document)
    .operations.filter(({ method, body }) => !safe.includes(method) || body?.required)
    .map(({ id, method, path }) => `  ${method} ${path} (${id})\n`)
    .join("");
}
