/**
 * The steps of a request: authorise, read, validate, handle, respond. Everything that depends only on the
 * contract is prepared at binding. A request that does not have to wait creates no promise.
 */
import type { Contract, OperationContract, ResponseContracts } from "#specbind/contract";
import type { RejectionReason, RequestProblem } from "../shared/rejections.ts";
import { type Awaitable, andThen, attempt } from "./awaitable.ts";
import { admitPages, type CrossOrigin } from "./cross-origin.ts";
import { parameterReader } from "./parameters.ts";
import { ContentAbortedError, Rejection, type RejectionName, type RequestView } from "./request.ts";
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

export type AnyHandlers<Principal> = {
  readonly [operationId: string]: (
    request: never,
    context: HandlerContext<Principal>,
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
  readonly handlers: AnyHandlers<Principal>;
  /** Checks of the body that the schema cannot express, keyed by operation. */
  readonly checks?: { readonly [operationId: string]: BodyCheck };
  readonly authenticate: Authenticators<Principal>;
  readonly requestIdOf: (request: RequestView) => string;
  readonly addressOf?: (request: RequestView) => string | undefined;
  /** @param documented the responses of the operation, or those for unknown routes */
  readonly reject: (
    detail: RejectionReason,
    requestId: string,
    documented: ResponseContracts,
  ) => PlainResponse;
  /** Makes the response for an unexpected error and logs the error, but never the request's secrets. */
  readonly fail: (error: unknown, requestId: string, secrets: readonly string[]) => PlainResponse;
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
  readonly content: Uint8Array | undefined;
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
  if (unknown) throw new Error(`security scheme ${unknown.scheme} of ${operationId} has no authenticator`);

  const authorise = authoriser(operationId, operation.security, binding.authenticate);
  const readParameters = parameterReader(operation);
  const readBody = bodyReader(operation.content);
  const check = binding.checks?.[operationId];
  const secretsOf = secretReader(operation.path, binding.contract.sensitive);
  const fail = ({ request, requestId, body }: Exchange<Principal>, error: unknown): PlainResponse =>
    binding.fail(error, requestId, secretsOf(request, body));
  const send = sender(
    binding,
    operation.responses,
    operationId,
    acceptQueryOf(binding.contract, operation.path),
    fail,
  );
  const { crossOrigin } = binding;
  const admitPage = crossOrigin && admitPages(operation, crossOrigin);

  const handle = (exchange: Exchange<Principal>): Awaitable<PlainResponse> => {
    const { request } = exchange;
    return andThen(authorise(request), (principal) =>
      andThen(request.body(binding.maxContentBytes), (content) => {
        exchange.principal = principal as Principal;
        exchange.content = content;
        const problems: RequestProblem[] = [];
        const { path, query, header, cookie } = readParameters(request, problems);
        return andThen(readBody(request, content, problems), (body) => {
          exchange.body = body;
          if (check)
            for (const problem of check(body, validityOf(problems)))
              problems.push({ in: "body", ...problem });
          if (problems.length > 0) throw new Rejection({ reason: "request_invalid", problems });
          // The validators have checked that the request has this operation's types.
          return handler({ path, query, header, cookie, body } as never, exchange);
        });
      }),
    );
  };

  const replyToError = (exchange: Exchange<Principal>, error: unknown): Reply => {
    if (error instanceof ContentAbortedError) return unseen;
    if (error instanceof Rejection) {
      exchange.rejection = error.detail.reason;
      return send(exchange, binding.reject(error.detail, exchange.requestId, operation.responses), false);
    }
    return send(exchange, fail(exchange, error), false);
  };

  // The code above runs once. The code below runs for each request.
  return (request) => {
    const exchange = new Exchange(binding, request, operationId);
    const reply = attempt(
      () => andThen(handle(exchange), (response) => send(exchange, response, true)),
      (error) => replyToError(exchange, error),
    );
    return andThen(reply, (sent) => {
      admitPage?.(sent.headers, request.header("origin"));
      return exchange.settle(sent);
    });
  };
}

/** A placeholder until there is a response. If the caller has disconnected, nobody receives one. */
const unseen: Reply = { status: 400, headers: {}, body: undefined };

export class Exchange<Principal> implements HandlerContext<Principal>, SettledExchange {
  readonly #binding: Binding<Principal>;
  readonly #startedAt = performance.now();
  readonly request: RequestView;
  readonly requestId: string;
  readonly address: string | undefined;
  readonly operation: string;
  /** Undefined before the caller is authorised, or if the operation needs no credentials. */
  principal = undefined as Principal;
  content: Uint8Array | undefined = undefined;
  body: unknown = undefined;
  rejection: RejectionName | undefined = undefined;
  response: PlainResponse = unseen;
  reply: Reply = unseen;
  seconds = 0;

  constructor(binding: Binding<Principal>, request: RequestView, operation: string) {
    this.#binding = binding;
    this.request = request;
    this.requestId = binding.requestIdOf(request);
    this.address = binding.addressOf?.(request);
    this.operation = operation;
  }

  get signal(): AbortSignal {
    return this.request.signal;
  }

  settle(reply: Reply): Reply {
    this.reply = reply;
    this.seconds = (performance.now() - this.#startedAt) / 1000;
    this.#binding.onSettled?.(this);
    return reply;
  }
}

/** The media types of the path's QUERY, as a list of tokens (RFC 10008, section 3; RFC 9651, section 3.1). */
function acceptQueryOf({ operations }: Contract, path: string): string | undefined {
  const query = Object.values(operations).find(
    (each) => each.path === path && (each.twin ?? each.method) === "QUERY",
  );
  const mediaTypes = query?.content && Object.keys(query.content.mediaTypes);
  return mediaTypes?.map((mediaType) => mediaType.replaceAll(/\s*;\s*/g, ";")).join(", ");
}

/** The operations whose rejections were reported. An application may bind a contract several times. */
const reported = new WeakMap<Binding<never>["onViolation"], Set<string | undefined>>();

/**
 * Writes a response. If a handler's response violates the contract and the policy is `enforce`, it is replaced. Errors
 * that the runtime made are sent unchanged, because the caller must learn the actual status.
 *
 * @param fail called if the stream of a body throws
 */
export function sender<Principal>(
  binding: Binding<Principal>,
  contracts: ResponseContracts,
  operationId: string | undefined,
  acceptQuery?: string,
  fail?: (exchange: Exchange<Principal>, error: unknown) => void,
): (exchange: Exchange<Principal>, response: PlainResponse, isOfHandler: boolean) => Reply {
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
  return (exchange, response, isOfHandler) => {
    const { requestId } = exchange;
    exchange.response = response;
    if (!isOfHandler) {
      const { status } = response;
      const { reply, problems } = writeUnchanged(response, requestId);
      const isRejection = exchange.rejection !== undefined && status < 500;
      if (problems.length > 0 && isRejection && isDescribed && isChecked)
        reportOnce({ operationId, status, problems }, requestId);
      return reply;
    }
    const { reply, problems } = write(response, requestId, (error) => {
      fail?.(exchange, error);
      return exchange.request.cutOff?.() === true;
    });
    if (problems.length === 0) return reply;
    binding.onViolation({ operationId, status: response.status, problems }, requestId);
    if (binding.responsePolicy === "report") return reply;
    discardStream(reply.body);
    exchange.response = binding.reject({ reason: "failed" }, requestId, contracts);
    return writeAsItIs(exchange.response, requestId);
  };
}

/** A UUID (RFC 9562), a ULID or the trace id of W3C Trace Context. No API key of this service has such a form. */
const wellFormed =
  /^(?:[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}|[0-7][0-9a-hjkmnp-tv-z]{25}|[0-9a-f]{32})$/i;

/** Returns the caller's id if it is well-formed, and otherwise a new UUID. The id is logged and sent back. */
export function requestIdOf(request: Pick<RequestView, "header">): string {
  const sent = request.header("x-request-id");
  return sent !== undefined && wellFormed.test(sent) ? sent : crypto.randomUUID();
}
