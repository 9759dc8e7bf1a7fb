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
import { ContentRequest } from "../content-request.ts";
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
import type { AnyResult, OperationResult } from "../result.ts";
import { createTransport } from "../transport/node.ts";
import type { Transport } from "../transport/transport.ts";
import { AddressNotAllowedError, assertHostAllowed, checkedLookup, isPublicAddress } from "./addresses.ts";
import { type CallbackSource, callbackUrl } from "./callbacks.ts";

export { isPublicAddress } from "./addresses.ts";
/** @internal */
export { type CallbackSource, callbackUrl } from "./callbacks.ts";

/** What is sent, exactly as it is sent. */
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

/** Where a webhook is sent, and how it is signed. */
export interface Delivery extends CallOptions {
  readonly url: string | URL;
  /** The receiver's secret, `whsec_…`. Default: that of the sender. */
  readonly secret?: string;
  /** Default: a new id. A webhook that is sent again later needs the same id. */
  readonly id?: string;
}

export interface SenderOptions<Schemes extends AnySchemes>
  extends Omit<CommonOptions, "baseUrl" | "fetch" | "dangerouslyAllowBrowser">,
    CredentialOptions<CredentialsOf<Schemes>> {
  /** Returns true if the application allows to send to this URL. URLs often come from a request or a database. */
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

/** @throws ConfigurationError */
export function senderOf<Sender>(
  contract: Contract,
  operations: Readonly<Record<string, OperationDescription>>,
  schemes: AnySchemes,
  options: SenderOptions<AnySchemes>,
): Sender {
  const { allowUrl, allowAddress = isPublicAddress, secret, sign, ...common } = options;
  const credentials: CredentialPart =
    Object.keys(schemes).length > 0
      ? schemeCredentials([], schemes)
      : options.apiKey === undefined
        ? noCredentials
        : bearerKey([]);
  const clientOptions: AnyOptions = { ...common, baseUrl: "http://localhost" };
  const partsFor = (id: string): Parts => [
    styledParameters,
    anyBodies,
    streamedResponses,
    credentials,
    // The receiver recognises a repetition by its id.
    () => [{ [webhookHeaders.id]: id }, () => true],
  ];
  assertOptions(options, () => createClientOf({}, partsFor(""), clientOptions));
  const isAllowed = (address: string): boolean => allowAddress(address) === true;
  const transport = createTransport(common, checkedLookup(isAllowed));

  const sendOf = (name: string, operation: OperationDescription, checks: OperationContract): AnySend => {
    const problemsOf = requestCheck(checks);
    return async (delivery) => {
      const given = Object(delivery) as Parameters<AnySend>[0];
      const { url, secret: own = secret, id = `msg_${crypto.randomUUID()}`, ...init } = given;
      const target = targetOf(name, url);
      if (!/^[\x21-\x7e]+$/.test(id)) throw invalid(name, "/id", "must be visible ASCII");
      const signature = sign ?? standardSign(name, own);
      if ((await allowUrl(new URL(target), name)) !== true)
        throw invalid(name, "/url", "is not allowed by `allowUrl`");
      const ending = new AbortController();
      const signal = init.signal ? AbortSignal.any([init.signal, ending.signal]) : ending.signal;
      const prepare = attemptOf(name, target, id, problemsOf, signature, isAllowed);
      const exchange: Transport["exchange"] = async (request, maxBytes, receive) => {
        try {
          return await transport.exchange(await prepare(request), maxBytes, receive);
        } catch (error) {
          // Only an error of the connection is a reason for another attempt.
          const isAddress = error instanceof AddressNotAllowedError;
          if (isAddress || error instanceof NotSentError)
            ending.abort(isAddress ? invalid(name, "/url", error.message) : error.cause);
          throw error;
        }
      };
      const { unseenRequest: _, ...others } = transport;
      const client = createClientOf<Record<string, (init: object) => Promise<AnyResult>>>(
        { [name]: { ...operation, path: target.pathname } },
        partsFor(id),
        { ...clientOptions, baseUrl: target.origin },
        () => ({ ...others, exchange }),
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
  isAllowed: (address: string) => boolean,
): (request: Request) => Promise<Request> {
  const assertNone = (problems: readonly CallProblem[]): void => {
    if (problems.length > 0) throw new InvalidCallError(name, problems);
  };
  const prepare = async (request: Request): Promise<Request> => {
    const body = new Uint8Array(await request.arrayBuffer());
    assertNone(await problemsOf(request, body));
    const url = new URL(request.url);
    const queries = [target.search, url.search].map((query) => query.slice(1));
    url.search = queries.filter(Boolean).join("&");
    const signed = await signature({ id, timestamp: String(Math.floor(Date.now() / 1000)), body, url });
    const problems: CallProblem[] = [];
    checkHeaders(headerRecord(signed), reportTo(problems, "header"));
    assertNone(problems);
    const headers = new Headers(request.headers);
    for (const [header, value] of Object.entries(signed)) headers.set(header, value);
    // The signature is that of this id.
    headers.set(webhookHeaders.id, id);
    await assertHostAllowed(target, isAllowed);
    return requestTo(url, request, headers, body);
  };
  return (request) =>
    prepare(request).catch((cause: unknown) => {
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

function assertOptions(
  { allowUrl, allowAddress, secret, sign }: SenderOptions<AnySchemes>,
  createClient: () => void,
): void {
  const problems: CallProblem[] = [];
  const report = reportTo(problems, "options");
  for (const [name, value] of Object.entries({ allowUrl, allowAddress, sign }))
    if (typeof value !== "function" && (value !== undefined || name === "allowUrl"))
      report(`/${name}`, "must be a function");
  const problem = secret === undefined ? undefined : problemOfWebhookSecret(secret);
  if (problem !== undefined) report("/secret", problem);
  try {
    createClient();
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    problems.push(...error.problems);
  }
  if (problems.length > 0) throw new ConfigurationError(problems, "sender");
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
  { method, signal }: Request,
  headers: Headers,
  body: Uint8Array<ArrayBuffer>,
): Request {
  const content = /^(?:GET|HEAD)$/.test(method) ? new TextDecoder().decode(body) : body;
  return new ContentRequest(url, { method, headers, signal, body: body.byteLength > 0 ? content : null });
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
  const readBody = bodyReader(operation.content);
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
