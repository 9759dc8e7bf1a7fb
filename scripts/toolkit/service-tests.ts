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
const nothingSent = "no request was sent, because the document has none for this check";
const notAccepted =
  "every valid request got a 401, because the tests' credential is not accepted: pass your functions to `developmentAuthenticators` in server/principal.ts, or give the tests other `credentials`";
const otherErrors =
  "`errorEnvelope` in server/app.ts makes this error, and `x-unmatched-responses` of the document describes it";

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
  let sent = 0;
  const suite = suiteOf(
    {
      document,
      async send(request) {
        sent += 1;
        const response = await sendRequest(server.url, request);
        if (response.status === 501) throw new NotWritten();
        return response;
      },
      // An error envelope of the project may have no list of problems.
      placesIn(response) {
        const places = placesAt(response, "/problems");
        return places.length === 0 ? undefined : places;
      },
      reasonOf: ({ headers }) => failures.get(headerOf(headers, "x-request-id")),
      credentials: credentialsOf(contract),
      maxContentBytes: program.config.MAX_CONTENT_BYTES,
      ...known,
    },
    { seed, validRequests: 20, requestsEach: 2 },
  );
  const progress: Progress = { contract, unwritten: new Set(), unaccepted: new Set() };
  const reached = new Set<string | undefined>();
  return {
    url: server.url,
    tests: suite.checks.map((check) => ({
      name: `${check.operationId ?? "the service"} ${check.name} (seed ${seed})`,
      async run() {
        const before = sent;
        const result = await resultOf(check, progress);
        if (sent > before) reached.add(check.operationId);
        return result ?? (reached.has(check.operationId) ? undefined : nothingSent);
      },
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
    isRestart: false,
    isReady: () => true,
  };
}

interface Progress {
  readonly contract: Contract;
  /** The operations without a handler. */
  readonly unwritten: Set<string | undefined>;
  /** The operations that reject the credential of the tests. */
  readonly unaccepted: Set<string | undefined>;
}

async function resultOf(check: Check, progress: Progress): Promise<string | undefined> {
  const { contract, unwritten, unaccepted } = progress;
  if (unwritten.has(check.operationId)) return notWritten;
  if (unaccepted.has(check.operationId)) return notAccepted;
  let findings: readonly Finding[];
  try {
    findings = await check.run();
  } catch (error) {
    if (!(error instanceof NotWritten)) throw error;
    unwritten.add(check.operationId);
    return notWritten;
  }
  const first = findings[0]?.message;
  if (first === undefined) return undefined;
  const { security = [] } = contract.operations[check.operationId ?? ""] ?? {};
  if (security.length > 0 && /^ \(401 ×\d+\)/.test(first.replace(noSuccess, ""))) {
    unaccepted.add(check.operationId);
    if (unaccepted.size > 1) return notAccepted;
    throw failureOf([notAccepted]);
  }
  // A new handler may find no record.
  if (findings.every(({ message }) => message.startsWith(noSuccess))) return first;
  const isOfService = check.operationId === undefined;
  // The errors of a new project should not fail before it has handlers.
  if (isOfService && unwritten.size > 0) return `${first}: ${otherErrors}`;
  const lines = findings.map(textOf);
  if (isOfService) lines.push(otherErrors);
  if (findings.some(({ message }) => /\b4\d\d is not documented/.test(message)))
    lines.push("`npx specbind add-rejections` adds the responses that are sent before a handler runs");
  throw failureOf(lines);
}

/** The stack would only show this module. */
function failureOf(lines: readonly string[]): Error {
  return Object.assign(new Error(lines.join("\n")), { stack: lines.join("\n") });
}

function textOf({ request, response, message, count }: Finding): string {
  return `${message}${count > 1 ? ` (${count} times)` : ""}\n  ${request}\n  ${response}`;
}

function credentialsOf({ operations }: Contract): ServiceUnderTest["credentials"] {
  const requirements = Object.values(operations).flatMap(({ security }) => security.flat());
  const roles = requirements.flatMap((requirement) => requirement.roles);
  // The tests use no TLS, so they have no certificate.
  const known = requirements.filter(({ credential }) => credential !== "certificate");
  const credentials = known.map((requirement) => [
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
