/** Checks a running service against an OpenAPI document. */
import type { JsonObject } from "../openapi/document.ts";
import { readSpec } from "../openapi/read-spec.ts";
import { messageOf, SpecProblemsError } from "../openapi/spec-problems.ts";
import { type CheckResult, type LiveChoices, liveChecks, NothingCheckedError } from "./live-checks.ts";
import { modelOf } from "./operation-model.ts";
import { type Format, summaryOf, textOf } from "./report.ts";
import { listenForCallbacks } from "./webhooks/callback-listener.ts";
import { documentOfWebhook, NoWebhookError } from "./webhooks/receiver.ts";

export interface ConformOptions extends LiveChoices {
  readonly spec: string;
  readonly lenient: boolean;
  readonly allowOutside?: readonly string[];
  readonly format: Format;
  /** The webhook whose receiver is checked. Default: the service itself is checked. */
  readonly webhookName?: string | undefined;
  /** The secret of the receiver. */
  readonly secret?: string | undefined;
}

interface Writable {
  write(text: string): unknown;
}

/** @returns the exit status: 0 conforms, 1 does not, 2 nothing was checked */
export async function conform(
  options: ConformOptions,
  { stdout, stderr, isColoured }: { stdout: Writable; stderr: Writable; isColoured: boolean },
): Promise<0 | 1 | 2> {
  const { spec, url, generate, seed, format, lenient, allowOutside } = options;
  try {
    const onIgnored = lenient ? (line: string) => stderr.write(`${line}\n`) : undefined;
    const { locate, ...read } = await readSpec(spec, onIgnored, allowOutside);
    const { webhookName, secret } = options;
    const receiver = webhookName === undefined ? undefined : documentOfWebhook(read.document, webhookName);
    const loaded = { locate, document: receiver?.document ?? read.document };
    // A service on another machine cannot reach this one.
    await using listener =
      receiver === undefined && isLoopback(new URL(url))
        ? await listenForCallbacks(loaded.document)
        : undefined;
    const writers = writersOf(loaded.document);
    if (!isLoopback(new URL(url)) && writers !== "")
      stderr.write(`These operations of ${url} may change data:\n${writers}`);
    const { checks, omissions, requests, variables } = liveChecks(loaded, {
      ...options,
      ...(receiver && { webhook: { path: receiver.path, secret } }),
      ...(listener && { redirect: listener.redirect }),
    });
    const isText = format === "text";
    if (isText && generate) stdout.write(`about ${requests()} requests to ${url}; seed ${seed}\n`);
    const results: CheckResult[] = [];
    // If the service cannot be reached, only this is printed.
    let held = "";
    for (const check of checks) {
      const result = await check();
      results.push(result);
      held += textOf(result, isColoured);
      if (!isText || results.every(({ statuses }) => statuses.size === 0)) continue;
      stdout.write(held);
      held = "";
    }
    if (isText) stdout.write(held);
    const ofCallbacks = (await listener?.results()) ?? [];
    for (const result of isText ? ofCallbacks : []) stdout.write(textOf(result, isColoured));
    const notes = [
      ...variablesIn(results, variables),
      ...notesOn(results, spec, url, webhookName),
      ...(secret !== undefined && results.some(({ findings }) => findings.length > 0)
        ? ["the commands have no signature, which would be valid for some minutes only"]
        : []),
      ...ofCallbacks
        .filter(({ statuses }) => statuses.size === 0)
        .map(({ operationId }) => `${operationId}: no callback arrived`),
      ...omissions().map(({ operationId, place, why }) => `${operationId}: ${place} ${why}`),
    ];
    results.push(...ofCallbacks);
    const failed = results.filter(({ findings }) => findings.length > 0).length;
    const run = { spec, url, seed: generate ? seed : undefined, results, notes };
    stdout.write(summaryOf(run, format));
    return failed === 0 ? 0 : 1;
  } catch (error) {
    const expected = [NothingCheckedError, NoWebhookError, SpecProblemsError];
    if (!expected.some((each) => error instanceof each)) throw error;
    stderr.write(`${messageOf(error)}\n`);
    return 2;
  }
}

/** What a user must know to run the commands of the findings. */
function variablesIn(results: readonly CheckResult[], variables: ReadonlyMap<string, string>): string[] {
  const commands = results.flatMap(({ findings }) => findings.map(({ curl }) => curl)).join("\n");
  const used = [...variables].filter(([name]) => new RegExp(`\\$\\{?${name}\\b`).test(commands));
  const set = used.map(([name, meaning]) => `${name} (${meaning})`).join(", ");
  return set === "" ? [] : [`to run the commands in bash or zsh, first set ${set}`];
}

/** @throws NothingCheckedError if no request was sent, or if the service rejected every request with 401 or 403 */
function notesOn(
  results: readonly CheckResult[],
  spec: string,
  url: string,
  webhookName: string | undefined,
): string[] {
  const notes: string[] = [];
  const secret = webhookName === undefined ? "" : "the receiver's secret in --secret, or ";
  const received = new Set<number>();
  for (const [id, own] of Map.groupBy(results, ({ operationId }) => operationId)) {
    if (id === undefined || own.some(({ findings }) => findings.length > 0)) continue;
    const statuses = [...new Set(own.flatMap((each) => [...each.statuses.keys()]))];
    for (const status of statuses) received.add(status);
    if (statuses.length === 0)
      notes.push(`${id}: no example to send; add one to the document, or use --generate`);
    else if (statuses.every((status) => status >= 400))
      notes.push(
        `${id}: no request succeeded (${statuses.join(", ")}), so no success was checked; use values that exist in its examples, and ${secret}a credential that may call it in --header, or a certificate in --cert and --key`,
      );
  }
  if (results.some(({ findings }) => findings.length > 0)) return notes;
  if (received.size === 0)
    throw new NothingCheckedError(`${spec} has no example to send; add examples to it, or use --generate`);
  if ([...received].every((status) => status === 401 || status === 403))
    throw new NothingCheckedError(
      `${url} rejected every request with 401 or 403; send ${secret}a valid credential, such as --header 'Authorization: Bearer KEY'`,
    );
  return notes;
}

function isLoopback({ hostname }: URL): boolean {
  return /^(?:(?:.+\.)?localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);
}

/**
 * Lists operations that may change data. QUERY and other safe methods do not (RFC 10008; RFC 9110, section 9.2.1), but a
 * GET with a required body may break this rule.
 */
function writersOf(document: JsonObject): string {
  const safe = ["GET", "HEAD", "OPTIONS", "TRACE"];
  return modelOf(document)
    .operations.filter(({ method, body }) => method !== "QUERY" && (!safe.includes(method) || body?.required))
    .map(({ id, method, path }) => `  ${method} ${path} (${id})\n`)
    .join("");
}
