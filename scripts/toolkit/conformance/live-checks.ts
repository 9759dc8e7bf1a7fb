/** Checks a service when only its document, its URL and some headers are known. */
import { Agent } from "node:http";
import { Agent as HttpsAgent } from "node:https";
import type { LoadedSpec } from "../openapi/load.ts";
import { codeOf, messageOf } from "../openapi/spec-problems.ts";
import { operationChecks } from "./checks/operation-checks.ts";
import { isSuccess } from "./checks/trials.ts";
import { type Headers, type HttpRequest, type HttpResponse, headerOf } from "./exchange.ts";
import { givenHeaders } from "./given-headers.ts";
import { modelOf } from "./operation-model.ts";
import { type ClientTls, EndlessResponseError, type ResponseLimits, sendRequest } from "./send.ts";
import { shellCommand } from "./shell-command.ts";
import { check, type Finding, type Suite, serviceChecks, shown, suiteOf } from "./suite.ts";
import { signatureCheck, signatureViolations, signed, withoutRejection } from "./webhooks/receiver.ts";

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
  /** Whether the service must reject what HTTP and OpenAPI permit to accept. */
  readonly strict: boolean;
  /** If it is set, the service is a receiver: the URL is that of the webhook with this path. */
  readonly webhook?: { readonly path: string; readonly secret: string | undefined };
  /** Changes each request before it is sent, so that the service sends its callbacks to a listener. */
  readonly redirect?: (request: HttpRequest) => HttpRequest;
  readonly limits?: ResponseLimits;
  readonly tls?: ClientTls;
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
  /** The command that repeats the request, with variables in place of secrets. */
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

/** Sends the requests of one check at a time, and counts the responses. */
type SentTo = Pick<LiveChoices, "url" | "limits" | "tls">;

class Sender {
  readonly #service: SentTo;
  readonly #headers: Headers;
  readonly #skipped: number;
  #isReached = false;
  #ended: NoResponse | undefined;
  statuses = new Map<number, number>();

  /**
   * @param headers sent with every request
   * @param base a path that is already part of the URL
   */
  constructor(service: SentTo, headers: Headers, base = "") {
    this.#service = service;
    this.#headers = headers;
    this.#skipped = base.length;
  }

  begin(): void {
    this.statuses = new Map();
    this.#ended = undefined;
  }

  whole({ headers, target, ...request }: HttpRequest): HttpRequest {
    const own = headers.filter(([name]) => headerOf(this.#headers, name) === undefined);
    return { ...request, target: target.slice(this.#skipped), headers: [...own, ...this.#headers] };
  }

  async sendInTurn(requests: readonly HttpRequest[]): Promise<HttpResponse[]> {
    const { url, tls } = this.#service;
    const options = { ...tls, keepAlive: true, maxSockets: 1 };
    const agent = url.startsWith("https:") ? new HttpsAgent(options) : new Agent(options);
    try {
      const responses: HttpResponse[] = [];
      for (const request of requests) responses.push(await this.send(request, agent));
      return responses;
    } finally {
      agent.destroy();
    }
  }

  async send(request: HttpRequest, agent?: Agent): Promise<HttpResponse> {
    // After a failure, a generated request is made smaller many times. Each attempt could take the whole time limit.
    if (this.#ended !== undefined) throw this.#ended;
    try {
      const { url, limits, tls } = this.#service;
      const response = await sendRequest(url, this.whole(request), limits, tls, agent);
      this.#isReached = true;
      this.statuses.set(response.status, (this.statuses.get(response.status) ?? 0) + 1);
      return response;
    } catch (error) {
      const reason = codeOf(error) ?? messageOf(error);
      const isEndless = error instanceof EndlessResponseError;
      if (!this.#isReached && !isEndless)
        throw new NothingCheckedError(`cannot reach ${this.#service.url} (${reason}); ${remedyFor(reason)}`);
      this.#isReached = true;
      const problem = isEndless ? reason : `no response (${reason})`;
      this.#ended = new NoResponse(`${problem}, so this check ends here`, request);
      throw this.#ended;
    }
  }
}

const amounts = {
  usual: { validRequests: 20, requestsEach: 12, requestsForValues: 1000 },
  thorough: { validRequests: 200, requestsEach: 60 },
};

export interface LiveChecks extends Pick<Suite, "omissions" | "requests"> {
  readonly checks: readonly (() => Promise<CheckResult>)[];
  /** For each variable of the commands, what it must contain. */
  readonly variables: ReadonlyMap<string, string>;
}

/** Each check throws a NothingCheckedError if the service has not responded to any request yet. */
export function liveChecks(
  { document, locate }: Pick<LoadedSpec, "document" | "locate">,
  choices: LiveChoices,
): LiveChecks {
  const { url, headers, generate, seed, thorough, only, mayReject, strict, limitMs = 60_000 } = choices;
  const { webhook, redirect = (request) => request } = choices;
  const { operations, unmatched } = modelOf(document);
  const unknown = only.find((id) => !operations.some((operation) => operation.id === id));
  if (unknown !== undefined)
    throw new NothingCheckedError(
      `the document has no operation ${unknown}; --only takes one of ${operations.map(({ id }) => id).join(", ")}`,
    );
  const given = givenHeaders(operations, headers, choices.tls?.cert !== undefined);
  const { credentials, others, variables, hide } = given;
  const sender = new Sender(choices, others, webhook?.path);
  let accepted: HttpRequest | undefined;
  const send = async (request: HttpRequest): Promise<HttpResponse> => {
    if (webhook === undefined) return sender.send(redirect(request));
    const response = await sender.send(await signed(request, webhook.secret));
    if (isSuccess(response.status)) accepted ??= request;
    return withoutRejection(response);
  };
  const suite = suiteOf(
    {
      document,
      locate,
      send,
      ...(webhook === undefined && {
        url,
        sendInTurn: (requests) => sender.sendInTurn(requests.map(redirect)),
      }),
      credentials,
      addedHeaders: others.map(([name]) => name),
    },
    {
      seed,
      ...(thorough ? amounts.thorough : amounts.usual),
      mustSucceed: false,
      mayReject,
      strict,
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
  const { secret } = webhook ?? {};
  if (secret !== undefined)
    chosen.push(
      check(operations[0]?.id, signatureCheck.name, signatureCheck.label, async () =>
        accepted === undefined
          ? []
          : signatureViolations(accepted, secret, (request) => sender.send(request)),
      ),
    );
  const checks = chosen.map(({ operationId, name, label, run }) => async (): Promise<CheckResult> => {
    sender.begin();
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
      curl: shellCommand(url, sender.whole(source), given.quote),
    }));
    return { operationId, check: name, label, statuses: sender.statuses, findings };
  });
  return {
    checks,
    omissions: () => [...(generate ? suite.omissions() : []), ...suite.unchecked()],
    requests: suite.requests,
    variables,
  };
}

function remedyFor(reason: string): string {
  if (/CERT|SIGNATURE/.test(reason))
    return "set NODE_EXTRA_CA_CERTS to a file with its certificate authority";
  return "start the service, or correct --url";
}
