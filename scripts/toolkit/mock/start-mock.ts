/** Starts a mock and prints a command for each operation. */

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Contract } from "#specbind/contract";
import { authenticateKey, credentialFor } from "../../../client/mock/keys.ts";
import { examplesOf } from "../../../client/runtime/mock/examples.ts";
import { contract as ownContract } from "../../../generated/contract.ts";
import ownDocument from "../../../generated/openapi.json" with { type: "json" };
import type { Authenticate } from "../../../server/runtime/contract/pipeline.ts";
import { type Listening, listen } from "../../../server/runtime/http/listen.ts";
import { basePathOf } from "../../../server/runtime/http/published-document.ts";
import { writeFiles } from "../generate/output.ts";
import { run } from "../generate/pipeline.ts";
import type { SpecProblem } from "../openapi/spec-problems.ts";
import { generatedValues } from "./generated-values.ts";
import { createMockApp } from "./mock-app.ts";
import { shellCommand } from "./shell-command.ts";

export interface Mocked {
  readonly contract: Contract;
  readonly document: object;
  readonly authenticate: Authenticate<string>;
  readonly credentialFor: typeof credentialFor;
  /** Problems of the document that were ignored. */
  readonly passed: readonly SpecProblem[];
}

export const ownInterface: Mocked = {
  contract: ownContract,
  document: ownDocument,
  authenticate: authenticateKey,
  credentialFor,
  passed: [],
};

/** The interface of another document, for which every credential is accepted. @throws SpecProblemsError */
export async function readInterface(spec: string, allowOutside: readonly string[] = []): Promise<Mocked> {
  const { files, passed } = await run({ spec, lenient: true, allowOutside });
  const folder = await mkdtemp(join(tmpdir(), "mock-"));
  try {
    await writeFiles(folder, new Map([...files, ["package.json", '{"type":"module"}']]));
    const { contract }: { contract: Contract } = await import(join(folder, "contract.ts"));
    const requirements = Object.values(contract.operations).flatMap(({ security }) => security.flat());
    const roles = requirements.flatMap((requirement) => requirement.roles);
    return {
      contract,
      document: JSON.parse(files.get("openapi.json") ?? ""),
      authenticate: (principal) => ({ principal, roles }),
      credentialFor: (security) => (security.length > 0 ? "mock" : undefined),
      passed,
    };
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** @param print is called with the URL, the commands, and a line for each response */
export async function startMock(
  { contract, document, ...mocked }: Mocked,
  address: { readonly host: string; readonly port: number },
  seed: number,
  print: (text: string) => void,
): Promise<Listening> {
  const examples = examplesOf(document, contract.operations);
  const log = (line: string): void => print(`${line}\n`);
  const values = generatedValues(document, contract, seed, log);
  const { authenticate } = mocked;
  const basePath = basePathOf(document);
  const app = createMockApp({ contract, examples, authenticate, generate: values.response, log, basePath });
  const server = await listen(app, {
    ...address,
    onMalformed: ({ reply }) => log(`malformed HTTP → ${reply.status}`),
  });
  const commands = [...values.requests(mocked.credentialFor)].map(([{ id, twinOf = id }, request]) => {
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
