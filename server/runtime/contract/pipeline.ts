/**
 * The steps of a request: authorise, read, validate, handle, respond. Everything that depends only on the
 * contract is prepared at binding. A request that does not have to wait creates no promise.
 */
import type { Contract, OperationContract, ResponseContracts } from "#specbind/contract";
import { nearestWord } from "../shared/nearest-word.ts";
import type { RejectionReason, RequestProblem } from "../shared/rejection-reasons.ts";
import { type Awaitable, andThen, attempt } from "./awaitable.ts";
import { admitPages, type CrossOrigin } from "./cross-origin.ts";
import { parameterReader } from "./parameters.ts";
import { BodyAbortedError, Rejection, type RejectionName, type RequestView } from "./request.ts";
import { type BodyCheck, bodyReader, validityOf } from "./request-body.ts";
import {
  type PlainResponse,
  type Reply,
  type ResponsePolicy,
  type ResponseViolation,
  responseWriter,
  writeAsItIs,
} from "./response.ts";
import { secretReader } from "./secrets.ts";
import { type Authenticators, authoriser } from "./security.ts";
import { discardStream } from "./streams.ts";

export type AnyHandlers<Principal, C = unknown> = {
  readonly [operationId: string]: (
    request: never,
    context: HandlerContext<Principal> & { readonly c: C; readonly callbacks: never },
  ) => Awaitable<PlainResponse>;
};

export interface HandlerContext<Principal> {
  /** The authenticated caller, whose roles have been checked. Absent if the operation needs no credential. */
  readonly principal: Principal;
  readonly requestId: string;
  /** The caller's address, if it is known. */
  readonly address: string | undefined;
  readonly signal: AbortSignal;
}

export interface Binding<Principal> {
  readonly contract: Contract;
  readonly handlers: AnyHandlers<Principal, never>;
  /** Checks of the body that the schema cannot express, keyed by operation. */
  readonly checks?: { readonly [operationId: string]: BodyCheck };
  readonly authenticate: Authenticators<Principal, never>;
  /** Returns functions that send the callbacks of an operation. Generated code makes it of a sender. */
  readonly callbacks?: (operationId: string, exchange: Pick<Exchange, "request" | "body">) => unknown;
  readonly requestIdOf: (request: RequestView) => string;
  readonly addressOf?: (request: RequestView) => string | undefined;
  /** Default: the certificate of the connection. */
  readonly certificateOf?: (request: RequestView) => string | undefined;
  /** @param documented the responses of the operation, or those for unknown routes */
  readonly reject: (
    detail: RejectionReason,
    requestId: string,
    documented: ResponseContracts,
  ) => PlainResponse;
  /** Makes the response for an unexpected error and logs the error, but never the request's secrets. */
  readonly fail: (
    error: unknown,
    requestId: string,
    secrets: readonly string[],
    request: RequestView,
  ) => PlainResponse;
  /** Makes the response for an error that the application expects. It is checked like the response of a handler. */
  readonly responseTo?: (error: unknown, requestId: string) => Awaitable<PlainResponse> | undefined;
  readonly crossOrigin?: CrossOrigin | undefined;
  /** Is called once for every exchange, before the response is sent. */
  readonly onSettled?: (exchange: SettledExchange) => void;
  /** Rejections that violate the contract are reported once for each operation. */
  readonly onViolation: (violation: ResponseViolation, requestId: string) => void;
  readonly responsePolicy: ResponsePolicy;
  readonly maxContentBytes: number;
}

/** A finished exchange. It contains secrets that must not be logged. */
export interface SettledExchange {
  readonly requestId: string;
  readonly address: string | undefined;
  /** The `operationId`, the path of a resource, `preflight` or `unmatched`. The number of values is limited. */
  readonly operation: string;
  /** Undefined if the input was not HTTP. */
  readonly request: RequestView | undefined;
  readonly bodyBytes: Uint8Array | undefined;
  /** The parsed body. */
  readonly body: unknown;
  readonly rejection: RejectionName | undefined;
  readonly response: PlainResponse;
  readonly reply: Reply;
  readonly seconds: number;
}

export type Respond = (request: RequestView) => Awaitable<Reply>;

/** @throws Error if the operation has no handler, or if one of its security schemes has no authenticator */
export function operationResponder<Principal>(
  binding: Binding<Principal>,
  operationId: string,
  operation: OperationContract,
): Respond {
  const handler = binding.handlers[operationId];
  if (handler === undefined) throw new Error(`operation ${operationId} has no handler`);
  const unknown = operation.security.flat().find(({ scheme }) => binding.authenticate[scheme] === undefined);
  if (unknown) {
    const nearest = nearestWord(unknown.scheme, Object.keys(binding.authenticate));
    const hint = nearest === undefined ? "" : `; \`authenticate\` has \`${nearest}\` instead`;
    throw new Error(`security scheme ${unknown.scheme} of ${operationId} has no authenticator${hint}`);
  }

  const authorise = authoriser(operationId, operation.security, binding.authenticate, binding.certificateOf);
  const readParameters = parameterReader(operation);
  const readBody = bodyReader(operation.requestBody);
  const check = binding.checks?.[operationId];
  const secretsOf = secretReader(operation.path, binding.contract.sensitive, operation.parameters);
  const fail = ({ request, requestId, body }: Exchange, error: unknown): PlainResponse =>
    binding.fail(error, requestId, secretsOf(request, body), request);
  const { send, sendUnchanged } = sender(
    binding,
    operation.responses,
    operationId,
    acceptQueryOf(binding.contract, operation.path),
    fail,
  );
  const { crossOrigin } = binding;
  const admitPage = crossOrigin && admitPages(operation, crossOrigin);

  const handle = (exchange: Exchange): Awaitable<PlainResponse> => {
    const { request } = exchange;
    return andThen(authorise(request), (principal) =>
      andThen(request.body(binding.maxContentBytes), (bytes) => {
        exchange.bodyBytes = bytes;
        const problems: RequestProblem[] = [];
        const { path, query, header, cookie } = readParameters(request, problems);
        return andThen(readBody(request, bytes, problems), (body) => {
          exchange.body = body;
          if (check)
            for (const problem of check(body, validityOf(problems)))
              problems.push({ in: "body", ...problem });
          if (problems.length > 0) throw new Rejection({ reason: "request_invalid", problems });
          // The validators have checked that the request has this operation's types.
          return handler(
            { path, query, header, cookie, body } as never,
            new CallerContext(exchange, principal),
          );
        });
      }),
    );
  };
  const respond = (exchange: Exchange): Awaitable<Reply> =>
    andThen(handle(exchange), (response) => send(exchange, response));
  const respondToError = (exchange: Exchange, error: unknown): Awaitable<Reply> => {
    if (error instanceof BodyAbortedError) return unseen;
    if (!(error instanceof Rejection)) {
      const expected = binding.responseTo?.(error, exchange.requestId);
      if (expected === undefined) return sendUnchanged(exchange, fail(exchange, error));
      return andThen(expected, (response) => send(exchange, response));
    }
    const { detail } = error;
    const response = binding.reject(detail, exchange.requestId, operation.responses);
    return sendUnchanged(exchange, response, detail.reason);
  };

  // The code above runs once. The code below runs for each request.
  return (request) => {
    const exchange = new Exchange(binding, request, operationId);
    return andThen(attempt(exchange, respond, respondToError), (reply) => {
      if (reply !== unseen) admitPage?.(reply.headers, request.header("origin"));
      return exchange.settle();
    });
  };
}

/** A placeholder until there is a response. If the caller has disconnected, nobody receives one. */
const unseen: Reply = { status: 400, headers: {}, body: undefined };

/** What a handler sees of an exchange. The principal is undefined if the operation needs no credentials. */
class CallerContext<Principal> implements HandlerContext<Principal> {
  readonly #exchange: Exchange;
  readonly principal: Principal;
  readonly requestId: string;
  readonly address: string | undefined;

  constructor(exchange: Exchange, principal: Principal | undefined) {
    this.#exchange = exchange;
    this.principal = principal as Principal;
    this.requestId = exchange.requestId;
    this.address = exchange.address;
  }

  get signal(): AbortSignal {
    return this.#exchange.request.signal;
  }

  get c(): never {
    return this.#exchange.request.c as never;
  }

  get callbacks(): never {
    return this.#exchange.callbacks as never;
  }
}

type ExchangeBinding = Pick<Binding<never>, "requestIdOf" | "addressOf" | "onSettled" | "callbacks">;

/** Collects what `onSettled` reports. */
export class Exchange implements SettledExchange {
  readonly #binding: ExchangeBinding;
  readonly #startedAt = performance.now();
  readonly request: RequestView;
  readonly requestId: string;
  readonly address: string | undefined;
  readonly operation: string;
  bodyBytes: Uint8Array | undefined = undefined;
  body: unknown = undefined;
  rejection: RejectionName | undefined = undefined;
  response: PlainResponse = unseen;
  reply: Reply = unseen;
  seconds = 0;

  constructor(binding: ExchangeBinding, request: RequestView, operation: string) {
    this.#binding = binding;
    this.request = request;
    this.requestId = binding.requestIdOf(request);
    this.address = binding.addressOf?.(request);
    this.operation = operation;
  }

  get callbacks(): unknown {
    return this.#binding.callbacks?.(this.operation, this);
  }

  respond(response: PlainResponse, reply: Reply, rejection?: RejectionName): Reply {
    this.response = response;
    this.rejection = rejection;
    this.reply = reply;
    return reply;
  }

  settle(): Reply {
    this.seconds = (performance.now() - this.#startedAt) / 1000;
    this.#binding.onSettled?.(this);
    return this.reply;
  }
}

/** The media types of the path's QUERY, as a list of tokens (RFC 10008, section 3; RFC 9651, section 3.1). */
function acceptQueryOf({ operations }: Contract, path: string): string | undefined {
  const query = Object.values(operations).find(
    (each) => each.path === path && (each.twin ?? each.method) === "QUERY",
  );
  const mediaTypes = query?.requestBody && Object.keys(query.requestBody.mediaTypes);
  return mediaTypes?.map((mediaType) => mediaType.replaceAll(/\s*;\s*/g, ";")).join(", ");
}

/** The operations whose rejections were reported. An application may bind a contract several times. */
const reported = new WeakMap<Binding<never>["onViolation"], Set<string | undefined>>();

/** @param fail called if the stream of a body throws */
export function sender<Principal>(
  binding: Binding<Principal>,
  contracts: ResponseContracts,
  operationId: string | undefined,
  acceptQuery?: string,
  fail?: (exchange: Exchange, error: unknown) => void,
) {
  const isChecked = binding.responsePolicy !== "off";
  const write = responseWriter(contracts, isChecked, acceptQuery);
  const writeUnchanged = responseWriter(contracts, "unchanged", acceptQuery);
  // If a document does not describe the responses to unknown routes at all, they are not reported.
  const isDescribed = operationId !== undefined || Object.keys(contracts).length > 0;
  const reportOnce = (violation: ResponseViolation, requestId: string): void => {
    const operations = reported.get(binding.onViolation) ?? new Set();
    if (operations.has(operationId)) return;
    reported.set(binding.onViolation, operations.add(operationId));
    binding.onViolation({ ...violation, isRejection: true }, requestId);
  };
  return {
    /** Sends a handler's response. If it violates the contract and the policy is `enforce`, it is replaced. */
    send(exchange: Exchange, response: PlainResponse): Reply {
      const { requestId } = exchange;
      const { reply, problems } = write(response, requestId, (error) => {
        fail?.(exchange, error);
        return exchange.request.cutOff?.() === true;
      });
      if (problems.length > 0)
        binding.onViolation({ operationId, status: response.status, problems }, requestId);
      if (problems.length === 0 || binding.responsePolicy === "report")
        return exchange.respond(response, reply);
      discardStream(reply.body);
      const failure = binding.reject({ reason: "failed" }, requestId, contracts);
      return exchange.respond(failure, writeAsItIs(failure, requestId));
    },
    /** Sends an error that the runtime made. The caller must learn its actual status. */
    sendUnchanged(exchange: Exchange, response: PlainResponse, rejection?: RejectionName): Reply {
      const { requestId } = exchange;
      const { status } = response;
      const { reply, problems } = writeUnchanged(response, requestId);
      if (problems.length > 0 && rejection !== undefined && status < 500 && isDescribed && isChecked)
        reportOnce({ operationId, status, problems }, requestId);
      return exchange.respond(response, reply, rejection);
    },
  };
}

/** A UUID (RFC 9562), a ULID or the trace id of W3C Trace Context. No API key of this service has such a form. */
const wellFormed =
  /^(?:[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}|[0-7][0-9a-hjkmnp-tv-z]{25}|[0-9a-f]{32})$/i;

/** Returns the caller's id if it is well-formed, and otherwise a new UUID. The id is logged and sent back. */
export function requestIdOf(request: Pick<RequestView, "header">): string {
  const id = request.header("x-request-id");
  return id !== undefined && wellFormed.test(id) ? id : crypto.randomUUID();
}
