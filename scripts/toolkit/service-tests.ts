/** Conformance tests of a service for any test runner. The service runs on a real socket. */
import type { Contract, SecurityRequirement } from "#specbind/contract";
import { errorResponses } from "#specbind/server";
import { listen } from "#specbind/server/node";
import type { Program } from "#specbind/server/serve";
import { defaultSettings, readServerConfig } from "#specbind/server/settings";
import { noSuccess } from "./conformance/checks/operation-checks.ts";
import { headerOf } from "./conformance/exchange.ts";
import { sendRequest } from "./conformance/send.ts";
import { placesAt, type ServiceUnderTest } from "./conformance/service-under-test.ts";
import { type Check, type Finding, suiteOf } from "./conformance/suite.ts";

export interface TestedService
  extends Partial<Pick<ServiceUnderTest, "setUp" | "known" | "settle" | "credentials" | "placesIn">> {
  readonly contract: Contract;
  /** `generated/openapi.json`. */
  readonly document: object;
  readonly createApp: (program: Program) => Parameters<typeof listen>[0];
}

export interface StartedService {
  readonly url: string;
  readonly tests: readonly ServiceTest[];
  readonly stop: () => Promise<void>;
}

export interface ServiceTest {
  readonly name: string;
  /** Returns why the test was skipped, or undefined. @throws Error that lists the responses that violate the document */
  readonly run: () => Promise<string | undefined>;
}

/** Stops the requests to an operation that has no handler. */
class NotWritten extends Error {}

const developmentKey = "development-key";
const notWritten = "the handler is not written yet";

/** CONFORMANCE_SEED=2 makes other requests. */
export async function startService({
  contract,
  document,
  createApp,
  ...known
}: TestedService): Promise<StartedService> {
  const seed = Number(process.env.CONFORMANCE_SEED ?? 1);
  /** What the log says about failed requests, by their ids. */
  const failures = new Map<unknown, string>();
  const program = programOf((fields) => {
    const { request_id, ...reason } = fields as { readonly request_id?: unknown };
    failures.set(request_id, JSON.stringify(reason));
  });
  const server = await listen(createApp(program), {
    host: "127.0.0.1",
    port: 0,
    reject: errorResponses(contract),
    onMalformed: () => {},
  });
  const suite = suiteOf(
    {
      document,
      async send(request) {
        const response = await sendRequest(server.url, request);
        if (response.status === 501) throw new NotWritten();
        return response;
      },
      placesIn: (response) => placesAt(response, "/problems"),
      reasonOf: ({ headers }) => failures.get(headerOf(headers, "x-request-id")),
      credentials: credentialsOf(contract),
      maxContentBytes: program.config.MAX_CONTENT_BYTES,
      ...known,
    },
    { seed, validRequests: 20, requestsEach: 2 },
  );
  const unwritten = new Set<string | undefined>();
  return {
    url: server.url,
    tests: suite.checks.map((check) => ({
      name: `${check.operationId ?? "the service"} ${check.name} (seed ${seed})`,
      run: () => resultOf(check, unwritten),
    })),
    stop: () => server.stop(1000).then(() => {}),
  };
}

/** @param onError gets the fields of each error that is logged */
function programOf(onError: (fields: object | string) => void): Program {
  const ignore = (): void => {};
  return {
    config: readServerConfig(defaultSettings, { DEVELOPMENT_KEY: developmentKey }),
    log: { isLevelEnabled: () => false, info: ignore, warn: ignore, error: onError, fatal: onError },
    write: ignore,
    metrics: undefined,
    tracing: undefined,
    findScript: () => Promise.resolve(undefined),
    isProduction: false,
    isReady: () => true,
  };
}

async function resultOf(check: Check, unwritten: Set<string | undefined>): Promise<string | undefined> {
  if (unwritten.has(check.operationId)) return notWritten;
  let findings: readonly Finding[];
  try {
    findings = await check.run();
  } catch (error) {
    if (!(error instanceof NotWritten)) throw error;
    unwritten.add(check.operationId);
    return notWritten;
  }
  if (findings.length === 0) return undefined;
  // A new handler may find no record.
  if (findings.every(({ message }) => message.startsWith(noSuccess))) return findings[0]?.message;
  const lines = findings.map(textOf);
  if (findings.some(({ message }) => /\b4\d\d is not documented/.test(message)))
    lines.push("`npx specbind add-rejections` adds the responses that are sent before a handler runs");
  // The stack would only show this module.
  throw Object.assign(new Error(lines.join("\n")), { stack: lines.join("\n") });
}

function textOf({ request, response, message, count }: Finding): string {
  return `${message}${count > 1 ? ` (${count} times)` : ""}\n  ${request}\n  ${response}`;
}

function credentialsOf({ operations }: Contract): ServiceUnderTest["credentials"] {
  const requirements = Object.values(operations).flatMap(({ security }) => security.flat());
  const roles = requirements.flatMap((requirement) => requirement.roles);
  const credentials = requirements.map((requirement) => [
    requirement.scheme,
    {
      valid: [{ text: credentialFor(requirement, developmentKey), roles }],
      invalid: { unknown: credentialFor(requirement, "unknown-key") },
    },
  ]);
  return Object.fromEntries(credentials);
}

function credentialFor({ credential }: SecurityRequirement, key: string): string {
  return credential === "basic" ? `developer:${key}` : key;
}
