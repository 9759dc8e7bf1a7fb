/** Sends webhooks and callbacks as the client sends calls. The receiver's checks run before anything is sent. */
import type {
  Contract,
  CredentialDescription,
  OperationContract,
  OperationDescription,
} from "#specbind/contract";
import { parameterReader } from "../../../server/runtime/contract/parameters.ts";
import { Rejection, viewOfRequest } from "../../../server/runtime/contract/request.ts";
import { bodyReader } from "../../../server/runtime/contract/request-body.ts";
import { type RequestProblem, rejectionText } from "../../../server/runtime/shared/rejection-reasons.ts";
import {
  problemOfWebhookSecret,
  webhookHeaders,
  webhookSignature,
} from "../../../server/runtime/shared/standard-webhooks.ts";
import { bearerKey } from "../api-key.ts";
import type { InitArguments, OperationInit } from "../call-types.ts";
import { callOptions, check, clientOptions, type Kinds, problemsOfClient } from "../check-options.ts";
import { createClientOf } from "../create-client.ts";
import { ConfigurationError, InvalidCallError } from "../errors.ts";
import { checkHeaders, headerRecord } from "../headers.ts";
import type { AnyOptions, CallOptions, CommonOptions, CredentialOptions, CredentialsOf } from "../options.ts";
import { anyBodies } from "../parts/bodies.ts";
import { schemeCredentials } from "../parts/credentials.ts";
import { styledParameters } from "../parts/parameters.ts";
import { streamedResponses } from "../parts/streams.ts";
import { type CredentialPart, noCredentials, type Parts } from "../parts.ts";
import { type CallProblem, reportTo } from "../problems.ts";
import { RequestWithBody } from "../request-with-body.ts";
import type { AnyResult, OperationResult } from "../result.ts";
import { createTransport } from "../transport/node.ts";
import type { Transport } from "../transport/transport.ts";
import { AddressNotAllowedError, assertHostAllowed, checkedLookup, isPublicAddress } from "./addresses.ts";
import { type CallbackSource, callbackUrl } from "./callbacks.ts";

export { isPublicAddress } from "./addresses.ts";
/** @internal */
export { type CallbackSource, callbackUrl } from "./callbacks.ts";

/** The message that is sent, unchanged. */
export interface WebhookMessage {
  /** The same for each attempt, so that the receiver recognises a repetition. */
  readonly id: string;
  /** When this attempt is sent, in seconds since 1970. */
  readonly timestamp: string;
  readonly body: Uint8Array;
  readonly url: URL;
}

/** Returns the headers of a signature. */
type Sign = (
  message: WebhookMessage,
) => Readonly<Record<string, string>> | Promise<Readonly<Record<string, string>>>;

interface AttemptOptions {
  /**
   * The longest time of one attempt in milliseconds. A longer attempt is ended, and repeated if `timeoutMs` and
   * `maxRetries` allow it. Default: 10 000; `Infinity` for no limit.
   */
  readonly attemptTimeoutMs?: number;
}

/** Where a webhook is sent, and how it is signed. */
export interface Delivery extends CallOptions, AttemptOptions {
  readonly url: string | URL;
  /** The receiver's secret, `whsec_…`. Default: that of the sender. */
  readonly secret?: string;
  /** Default: a new id. A webhook that is sent again later needs the same id. */
  readonly id?: string;
}

export interface SenderOptions<Schemes extends AnySchemes>
  extends Omit<CommonOptions, "baseUrl" | "fetch" | "dangerouslyAllowBrowser">,
    AttemptOptions,
    CredentialOptions<CredentialsOf<Schemes>> {
  /**
   * Returns true if the application allows this URL, which may come from a request or a database. It is called for each
   * attempt. Its time counts towards `timeoutMs`.
   */
  readonly allowUrl: (url: URL, webhook: string) => boolean | Promise<boolean>;
  /** Returns true for addresses to which a connection may be opened. Default: `isPublicAddress`. */
  readonly allowAddress?: (address: string) => boolean;
  /** The secret of all receivers, `whsec_…`. */
  readonly secret?: string;
  /** Replaces the signature of Standard Webhooks. */
  readonly sign?: Sign;
}

type WebhookInit<Webhook> = Omit<OperationInit<Webhook>, "middleware">;

export type SenderOf<Webhooks extends object> = {
  readonly [Name in keyof Webhooks]: (
    init: Delivery & WebhookInit<Webhooks[Name]>,
  ) => Promise<OperationResult<Extract<Webhooks[Name], { responses: unknown }>>>;
};

type CallbackInit<Webhook> = Omit<Delivery, "url"> & WebhookInit<Webhook>;

export type CallbacksOf<Table, Webhooks> = {
  readonly [Operation in keyof Table]: {
    readonly [Name in keyof Table[Operation]]: Table[Operation][Name] extends {
      readonly id: infer Id extends keyof Webhooks;
    }
      ? (
          ...init: InitArguments<CallbackInit<Webhooks[Id]>>
        ) => Promise<OperationResult<Extract<Webhooks[Id], { responses: unknown }>>>
      : never;
  };
};

type AnySchemes = { readonly [scheme: string]: CredentialDescription };

type AnySend = (init: Delivery & { readonly signal?: AbortSignal | null }) => Promise<AnyResult>;

type Table = {
  readonly [operationId: string]: {
    readonly [name: string]: { readonly id: string; readonly expression: string; readonly path: string };
  };
};

const { fetch: _fetch, dangerouslyAllowBrowser: _browser, ...commonOptions } = clientOptions;
const { middleware: _middleware, ...sendOptions } = callOptions;
const attemptOptions: Kinds<keyof AttemptOptions> = { attemptTimeoutMs: "a number above 0" };
const senderOptions: Kinds = {
  allowUrl: "a function",
  allowAddress: "a function",
  secret: "any",
  sign: "a function",
  ...attemptOptions,
  ...commonOptions,
  apiKey: "any",
};
const deliveryOptions: Kinds = { url: "any", secret: "any", id: "any", ...attemptOptions, ...sendOptions };

/** @throws ConfigurationError */
export function senderOf<Sender>(
  contract: Contract,
  operations: Readonly<Record<string, OperationDescription>>,
  schemes: AnySchemes,
  options: SenderOptions<AnySchemes>,
): Sender {
  const given: typeof options = Object(options);
  const { allowUrl, allowAddress = isPublicAddress, secret, sign, attemptTimeoutMs, ...common } = given;
  const credentials: CredentialPart =
    Object.keys(schemes).length > 0
      ? schemeCredentials([], schemes)
      : common.apiKey === undefined
        ? noCredentials
        : bearerKey([]);
  assertOptions(options, common, credentials);
  const partsFor = (id: string): Parts => [
    styledParameters,
    anyBodies,
    streamedResponses,
    credentials,
    // The receiver recognises a repetition by its id.
    () => [{ [webhookHeaders.id]: id }, () => true],
  ];
  const isAllowed = (address: string): boolean => allowAddress(address) === true;
  const transport = createTransport(common, checkedLookup(isAllowed));

  const sendOf = (name: string, operation: OperationDescription, checks: OperationContract): AnySend => {
    const problemsOf = requestCheck(checks);
    return async (delivery) => {
      assertNone(name, check(delivery, deliveryOptions));
      const { url, secret: own = secret, id = `msg_${crypto.randomUUID()}`, ...others } = delivery;
      const { attemptTimeoutMs: limitMs = attemptTimeoutMs ?? 10_000, ...init } = others;
      const target = targetOf(name, url);
      if (!/^[\x21-\x7e]+$/.test(id)) throw invalid(name, "/id", "must be visible ASCII");
      const signature = sign ?? standardSign(name, own);
      const ending = new AbortController();
      const signal = init.signal ? AbortSignal.any([init.signal, ending.signal]) : ending.signal;
      const isUrlAllowed = async () => (await allowUrl(new URL(target), name)) === true;
      const prepare = attemptOf(name, target, id, problemsOf, signature, isUrlAllowed, isAllowed);
      const exchange: Transport["exchange"] = async (request, maxBytes, receive) => {
        const limit = new AbortController();
        const expire = () => limit.abort(new Error(`the attempt took longer than ${limitMs} ms`));
        // A JavaScript timer of 2^31 ms or more fires immediately.
        const timer = limitMs < 2 ** 31 ? setTimeout(expire, limitMs) : undefined;
        try {
          return await transport.exchange(await prepare(request, limit.signal), maxBytes, receive);
        } catch (error) {
          // Only an error of the connection is a reason for another attempt.
          const isAddress = error instanceof AddressNotAllowedError;
          if (isAddress || error instanceof NotSentError)
            ending.abort(isAddress ? invalid(name, "/url", error.message) : error.cause);
          throw error;
        } finally {
          clearTimeout(timer);
        }
      };
      const { unseenRequest: _, ...parts } = transport;
      const client = createClientOf<Record<string, (init: object) => Promise<AnyResult>>>(
        { [name]: { ...operation, path: target.pathname } },
        partsFor(id),
        { ...common, baseUrl: target.origin },
        () => ({ ...parts, exchange }),
      );
      return (client[name] as AnySend)({ ...init, signal } as never);
    };
  };
  return Object.fromEntries(
    Object.entries(operations).flatMap(([name, operation]) => {
      const checks = contract.operations[name];
      return checks === undefined ? [] : [[name, sendOf(name, operation, checks)]];
    }),
  ) as Sender;
}

/** Nothing was sent, because of `cause`. */
class NotSentError extends Error {}

/** Returns a function that checks a request and makes the signed request of one attempt, which goes to the target. */
function attemptOf(
  name: string,
  target: URL,
  id: string,
  problemsOf: ReturnType<typeof requestCheck>,
  signature: Sign,
  isUrlAllowed: () => Promise<boolean>,
  isAllowed: (address: string) => boolean,
): (request: Request, limit: AbortSignal) => Promise<Request> {
  const prepare = async (request: Request, limit: AbortSignal): Promise<Request> => {
    if (!(await isUrlAllowed())) throw invalid(name, "/url", "is not allowed by `allowUrl`");
    const body = new Uint8Array(await request.arrayBuffer());
    assertNone(name, await problemsOf(request, body));
    const url = new URL(request.url);
    const queries = [target.search, url.search].map((query) => query.slice(1));
    url.search = queries.filter(Boolean).join("&");
    const signed = await signature({ id, timestamp: String(Math.floor(Date.now() / 1000)), body, url });
    const problems: CallProblem[] = [];
    checkHeaders(headerRecord(signed), reportTo(problems, "header"));
    assertNone(name, problems);
    const headers = new Headers(request.headers);
    for (const [header, value] of Object.entries(signed)) headers.set(header, value);
    // The signature is that of this id.
    headers.set(webhookHeaders.id, id);
    await assertHostAllowed(target, isAllowed);
    return requestTo(url, request, headers, body, AbortSignal.any([request.signal, limit]));
  };
  return (request, limit) =>
    prepare(request, limit).catch((cause: unknown) => {
      throw cause instanceof AddressNotAllowedError ? cause : new NotSentError("", { cause });
    });
}

/** Sends the callbacks of an operation to the URLs that its request contains. */
export function callbacksOf(
  table: Table,
  sender: object,
): (operationId: string, source: CallbackSource) => unknown {
  return (operationId, source) =>
    Object.fromEntries(
      Object.entries(table[operationId] ?? {}).map(([name, callback]) => [
        name,
        async (init: object = {}) => {
          const send = (sender as Readonly<Record<string, AnySend>>)[callback.id];
          return send?.({ ...init, url: callbackUrl(callback.id, callback, source) });
        },
      ]),
    );
}

/** @throws ConfigurationError */
function assertOptions(
  options: SenderOptions<AnySchemes>,
  common: Omit<AnyOptions, "baseUrl">,
  credentials: CredentialPart,
): void {
  const { allowUrl, secret } = Object(options);
  const problems = check(options, { ...senderOptions, ...credentials[0] });
  const report = reportTo(problems, "options");
  if (allowUrl == null) report("/allowUrl", "must be a function");
  const problem = secret == null ? undefined : problemOfWebhookSecret(secret);
  if (problem !== undefined) report("/secret", problem);
  const more = problemsOfClient({ ...common, baseUrl: "http://localhost" }, credentials);
  problems.push(...more.filter(({ pointer }) => !problems.some((each) => each.pointer === pointer)));
  if (problems.length > 0) throw new ConfigurationError(problems, "sender");
}

/** @throws InvalidCallError */
function assertNone(name: string, problems: readonly CallProblem[]): void {
  if (problems.length > 0) throw new InvalidCallError(name, problems);
}

function invalid(name: string, pointer: string, message: string): InvalidCallError {
  return new InvalidCallError(name, [{ in: "options", pointer, message }]);
}

/** @throws InvalidCallError */
function targetOf(name: string, given: string | URL): URL {
  const url = URL.canParse(String(given)) ? new URL(given) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.username || url.password)
    throw invalid(name, "/url", "must begin with http:// or https://, without user and password");
  url.hash = "";
  return url;
}

function requestTo(
  url: URL,
  { method }: Request,
  headers: Headers,
  body: Uint8Array<ArrayBuffer>,
  signal: AbortSignal,
): Request {
  const sent = /^(?:GET|HEAD)$/.test(method) ? new TextDecoder().decode(body) : body;
  return new RequestWithBody(url, { method, headers, signal, body: body.byteLength > 0 ? sent : null });
}

/** Standard Webhooks. @throws InvalidCallError */
function standardSign(name: string, secret: string | undefined): Sign {
  const problem =
    secret === undefined ? "is missing; give a secret, or `sign`" : problemOfWebhookSecret(secret);
  if (secret === undefined || problem !== undefined) throw invalid(name, "/secret", String(problem));
  return async ({ id, timestamp, body }) => ({
    [webhookHeaders.timestamp]: timestamp,
    [webhookHeaders.signature]: await webhookSignature(secret, id, timestamp, body),
  });
}

/** Checks a request as its receiver does. Later attempts send the same request. */
function requestCheck(
  operation: OperationContract,
): (request: Request, body: Uint8Array) => Promise<CallProblem[]> {
  const readParameters = parameterReader(operation);
  const readBody = bodyReader(operation.requestBody);
  return async (request, body) => {
    const view = viewOfRequest(request, body);
    const problems: RequestProblem[] = [];
    readParameters(view, problems);
    try {
      await readBody(view, body, problems);
    } catch (error) {
      if (!(error instanceof Rejection)) throw error;
      problems.push({ in: "body", pointer: "", message: rejectionText(error.detail) ?? error.message });
    }
    return problems;
  };
}
