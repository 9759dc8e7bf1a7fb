/** Starts a mock and prints a command for each operation. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { MockDependencies } from "#specbind/client/mock";
import type { Contract } from "#specbind/contract";
import { basePathOf } from "#specbind/server";
import { type Listening, listen } from "#specbind/server/node";
import { shellCommand } from "../conformance/shell-command.ts";
import { writeFiles } from "../generate/output.ts";
import { run } from "../generate/pipeline.ts";
import { webhookDocumentOf } from "../generate/webhooks/webhook-spec.ts";
import type { JsonObject } from "../openapi/document.ts";
import type { SpecProblem } from "../openapi/spec-problems.ts";
import { documentedErrors } from "./documented-errors.ts";
import { type CredentialFor, generatedValues } from "./generated-values.ts";
import { createMockApp } from "./mock-app.ts";
import { type MockedWebhooks, outgoingWebhooks } from "./outgoing-webhooks.ts";

export interface Mocked extends Pick<MockDependencies, "contract" | "document" | "authenticate"> {
  /** Default: the same credential for every operation that needs one. */
  readonly credentialFor?: CredentialFor | undefined;
  /** Problems of the document that were ignored. */
  readonly passed: readonly SpecProblem[];
  /** Undefined if the document has no webhooks and no callbacks. */
  readonly webhooks?: MockedWebhooks | undefined;
}

/** The interface of another document, for which every credential is accepted. @throws SpecProblemsError */
export async function readInterface(
  spec: string,
  allowOutside: readonly string[] = [],
): Promise<Mocked & { readonly document: JsonObject }> {
  const { files, passed } = await run({ spec, lenient: true, allowOutside });
  const folder = await mkdtemp(join(tmpdir(), "mock-"));
  try {
    await writeFiles(folder, new Map([...files, ["package.json", '{"type":"module"}']]));
    const contractIn = async (name: string): Promise<Contract> =>
      (await import(pathToFileURL(join(folder, name)).href)).contract;
    const document: JsonObject = JSON.parse(files.get("openapi.json") ?? "");
    const webhooks = webhookDocumentOf(document);
    return {
      contract: await contractIn("contract.ts"),
      document,
      passed,
      webhooks: webhooks && { ...webhooks, contract: await contractIn("webhook-contract.ts") },
    };
  } finally {
    await rm(folder, { recursive: true });
  }
}

/**
 * @param reject default: as the document describes errors
 * @param print is called with the URL, the commands, and a line for each response
 */
export async function startMock(
  { credentialFor = anyCredentialFor, ...mocked }: Mocked & Partial<Pick<MockDependencies, "reject">>,
  address: { readonly host: string; readonly port: number },
  seed: number,
  print: (text: string) => void,
): Promise<Listening> {
  const { contract, document } = mocked;
  const log = (line: string): void => print(`${line}\n`);
  const values = generatedValues(document, contract, seed, log);
  const basePath = basePathOf(document);
  const reject = mocked.reject ?? documentedErrors(mocked, values, log);
  const outgoing = mocked.webhooks && outgoingWebhooks(mocked.webhooks, seed, log);
  const app = createMockApp({
    ...mocked,
    reject,
    generate: values.response,
    log,
    basePath,
    onSettled: (exchange) => outgoing?.follow(exchange),
  });
  const server = await listen(app, {
    ...address,
    reject: (detail, requestId) => reject(detail, requestId, contract.unmatched),
    onMalformed: ({ reply }) => log(`malformed HTTP → ${reply.status}`),
  });
  const commands = [...values.requests(credentialFor)].map(([{ id, twinOf = id }, request]) => {
    if (!Object.hasOwn(contract.operations, twinOf))
      return `# ${id}: not served, because its path has no route\n`;
    return request
      ? `# ${id}\n${shellCommand(server.url, request)}\n`
      : `# ${id}: no valid request was found\n`;
  });
  const below = basePath === "" ? "" : `, also below ${basePath}`;
  print(`listening on ${server.url}${below}, seed ${seed}\n\n${commands.join("")}\n`);
  return server;
}

const anyCredentialFor: CredentialFor = (security) => (security.length > 0 ? "mock" : undefined);
