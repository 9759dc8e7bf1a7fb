/** Checks a service when only its document, its URL and some headers are known. */
import querystring from "node:querystring";
import type { SecurityRequirement } from "#specbind/contract";
import type { LoadedSpec } from "../openapi/load.ts";
import { codeOf, messageOf } from "../openapi/spec-problems.ts";
import { invalidForms } from "./checks/credentials.ts";
import { operationChecks } from "./checks/operation-checks.ts";
import { type Headers, type HttpRequest, headerOf } from "./exchange.ts";
import { modelOf } from "./operation-model.ts";
import { EndlessResponseError, type ResponseLimits, sendRequest } from "./send.ts";
import { shellCommand } from "./shell-command.ts";
import { type Finding, type Suite, serviceChecks, shown, suiteOf } from "./suite.ts";

export interface LiveChoices {
  readonly url: string;
  /** Sent with every request. Credentials are sent only if the operation requires them. */
  readonly headers: Headers;
  /** Whether to send generated requests in addition to the examples of the document. */
  readonly generate: boolean;
  readonly seed: number;
  /** Whether more random requests are sent. */
  readonly thorough: boolean;
  /** The operations to check. If empty, all are checked. */
  readonly only: readonly string[];
  /** Whether the service may reject values that its schemas allow. */
  readonly mayReject: boolean;
  readonly limits?: ResponseLimits;
  /** The time for making the requests of a document, and the time for checking the responses. */
  readonly limitMs?: number;
}

export interface CheckResult {
  /** Undefined for requests that match no operation. */
  readonly operationId: string | undefined;
  readonly check: string;
  /** The name of the check in one word. */
  readonly label: string;
  /** The number of responses with each status. */
  readonly statuses: ReadonlyMap<number, number>;
  readonly findings: readonly ReportedFinding[];
}

/** `response` is undefined if there was none. */
type ReportedFinding = Pick<Finding, "request" | "message" | "count"> & {
  readonly response: string | undefined;
  /** The command that repeats the request, without the values of secret headers. */
  readonly curl: string;
};

/** Thrown if nothing could be checked. The message has the cause and what to do. */
export class NothingCheckedError extends Error {}

/** Ends a check. */
class NoResponse extends Error {
  readonly request: HttpRequest;

  constructor(message: string, request: HttpRequest) {
    super(message);
    this.request = request;
  }
}

const amounts = {
  usual: { validRequests: 20, requestsEach: 12, requestsForValues: 1000 },
  thorough: { validRequests: 200, requestsEach: 60 },
};

/** Each check throws a NothingCheckedError if the service has not responded to any request yet. */
export function liveChecks(
  { document, locate }: Pick<LoadedSpec, "document" | "locate">,
  { url, headers, generate, seed, thorough, only, mayReject, limits, limitMs = 60_000 }: LiveChoices,
): { checks: (() => Promise<CheckResult>)[]; omissions: Suite["omissions"]; requests: Suite["requests"] } {
  const { operations, unmatched } = modelOf(document);
  const unknown = only.find((id) => !operations.some((operation) => operation.id === id));
  if (unknown !== undefined)
    throw new NothingCheckedError(
      `the document has no operation ${unknown}; --only takes one of ${operations.map(({ id }) => id).join(", ")}`,
    );
  const requirements = operations.flatMap(({ security }) => security.flat());
  const credentials = Object.fromEntries(
    requirements.map(({ scheme, credential }) => {
      const text = credentialIn(credential, headers);
      const roles = requirements.flatMap((each) => (each.scheme === scheme ? each.roles : []));
      return [
        scheme,
        {
          valid: text ? [{ text, roles }] : [],
          invalid: invalidForms(credential, text ?? "unknown:unknown"),
        },
      ];
    }),
  );
  const taken = requirements.flatMap(({ scheme, credential }) =>
    credentials[scheme]?.valid.length ? [headerFor(credential)] : [],
  );
  const others = headers.filter(([name]) => !taken.includes(name.toLowerCase()));
  const secrets = Object.values(credentials).flatMap(({ valid, invalid }) =>
    // Invalid credentials may have parts of the valid one.
    valid.length === 0 ? [] : [...valid.map(({ text }) => text), ...Object.values(invalid)],
  );
  const hide = hiding([
    ...headers.map(([, value]) => value),
    ...secrets.map((secret) => (typeof secret === "string" ? secret : secret.authorization)),
  ]);
  const curlOf = (request: HttpRequest): string => {
    const isSecret = (name: string) =>
      taken.includes(name.toLowerCase()) || headerOf(headers, name) !== undefined;
    const sent = [...request.headers.filter(([name]) => headerOf(others, name) === undefined), ...others];
    const shown = sent.map(([name, value]) => [name, isSecret(name) ? "[redacted]" : value] as const);
    return hide(shellCommand(url, { ...request, headers: shown }));
  };

  let isReached = false;
  let statuses = new Map<number, number>();
  let ended: NoResponse | undefined;
  const send = async (request: HttpRequest) => {
    // After a failure, a generated request is made smaller many times. Each attempt could take the whole time limit.
    if (ended !== undefined) throw ended;
    const own = request.headers.filter(([name]) => headerOf(others, name) === undefined);
    try {
      const response = await sendRequest(url, { ...request, headers: [...own, ...others] }, limits);
      isReached = true;
      statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1);
      return response;
    } catch (error) {
      const reason = codeOf(error) ?? messageOf(error);
      const isEndless = error instanceof EndlessResponseError;
      if (!isReached && !isEndless)
        throw new NothingCheckedError(`cannot reach ${url} (${reason}); ${remedyFor(reason)}`);
      isReached = true;
      const problem = isEndless ? reason : `no response (${reason})`;
      ended = new NoResponse(`${problem}, so this check ends here`, request);
      throw ended;
    }
  };
  const suite = suiteOf(
    { document, locate, send, credentials, addedHeaders: others.map(([name]) => name) },
    {
      seed,
      ...(thorough ? amounts.thorough : amounts.usual),
      mustSucceed: false,
      mayReject,
      createsRecords: generate,
      limitMs,
    },
  );
  const ofService: readonly string[] = Object.values(serviceChecks);
  const chosen = suite.checks.filter(({ operationId, name }) => {
    if (only.length > 0 && !only.includes(operationId ?? "")) return false;
    if (!generate) return name === operationChecks.examples.name;
    // Most documents do not say what a request to an unknown path returns.
    return !ofService.includes(name) || unmatched.length > 0;
  });
  const checks = chosen.map(({ operationId, name, label, run }) => async (): Promise<CheckResult> => {
    statuses = new Map();
    ended = undefined;
    const found = await run().catch((error: unknown) => {
      if (!(error instanceof NoResponse)) throw error;
      const { message, request } = error;
      return [{ message, count: 1, request: shown(request), response: undefined, source: request }];
    });
    const findings = found.map(({ request, response, message, count, source }) => ({
      message: hide(message),
      count,
      request: hide(request),
      response: response && hide(response),
      curl: curlOf(source),
    }));
    return { operationId, check: name, label, statuses, findings };
  });
  return {
    checks,
    omissions: () => [...(generate ? suite.omissions() : []), ...suite.unchecked()],
    requests: suite.requests,
  };
}

/** Shorter strings occur in many words, so a report without them would be unreadable. */
const minSecretLength = 4;

/** Returns a function that replaces every secret in a string. */
function hiding(secrets: readonly string[]): (text: string) => string {
  const known = secrets
    .filter((secret) => secret.length >= minSecretLength)
    .flatMap((secret) => [secret, encodeURIComponent(secret.toWellFormed())])
    .toSorted((left, right) => right.length - left.length);
  return (text) => known.reduce((hidden, secret) => hidden.replaceAll(secret, "[redacted]"), text);
}

function remedyFor(reason: string): string {
  if (/CERT|SIGNATURE/.test(reason))
    return "set NODE_EXTRA_CA_CERTS to a file with its certificate authority";
  return "start the service, or correct --url";
}

/** The header of a credential, in lower case. */
function headerFor(credential: SecurityRequirement["credential"]): string {
  if (typeof credential !== "object") return "authorization";
  return credential.in === "cookie" ? "cookie" : credential.name.toLowerCase();
}

function credentialIn(credential: SecurityRequirement["credential"], headers: Headers): string | undefined {
  if (credential === "unknown") return undefined;
  // Each scheme has its own header `Authorization`.
  const given = headers.filter(([name]) => name.toLowerCase() === headerFor(credential));
  const found = (form: RegExp) => given.flatMap(([, value]) => form.exec(value)?.[1] ?? [])[0];
  if (credential === undefined) return found(/^bearer +(.+)$/i);
  if (credential === "basic") {
    const encoded = found(/^basic +(.+)$/i);
    return encoded && Buffer.from(encoded, "base64").toString("utf8");
  }
  if (credential.in !== "cookie") return credential.in === "header" ? given[0]?.[1] : undefined;
  const pairs = given.flatMap(([, value]) => value.split(/;\s*/));
  const pair = pairs.find((each) => each.startsWith(`${credential.name}=`));
  return pair && querystring.unescape(pair.slice(credential.name.length + 1));
}
