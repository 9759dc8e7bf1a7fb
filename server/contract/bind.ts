/**
 * Binds a contract to its handlers. Every request takes the same way: route, authorise, read, validate, handle, respond.
 * What depends on the contract alone is prepared here, once.
 */
import type { Contract, OperationContract, ResponseContracts } from "../../generated/contract.ts";
import { type Awaitable, andThen, attempt } from "./awaitable.ts";
import { type BodyCheck, soundnessOf } from "./body-check.ts";
import {
  type Answer,
  jsonMediaType,
  type PlainResponse,
  type ResponsePolicy,
  type ResponseViolation,
  responseWriter,
  writeAsItIs,
} from "./check-response.ts";
import { ContentAbortedError } from "./content.ts";
import { admitPages, type CrossOrigin, isOpenToPages, preflightHeaders } from "./cross-origin.ts";
import { Exchange, type HandlerContext, type SettledExchange } from "./exchange.ts";
import { parameterReader } from "./parameters.ts";
import { byConcreteness, pathReader } from "./paths.ts";
import { bodyReader } from "./read-body.ts";
import { Refusal, type RefusalReason, type RequestProblem } from "./refusal.ts";
import type { RequestView } from "./request-view.ts";
import { secretsIn } from "./secrets.ts";
import { type Authenticate, authoriser } from "./security.ts";
import { formDecoded, rawPairs } from "./styles.ts";

/** The handlers as the binding calls them. Each gets exactly what its operation's contract has validated. */
export type AnyHandlers<Principal> = {
  readonly [operationId: string]: (
    request: never,
    context: HandlerContext<Principal>,
  ) => Awaitable<PlainResponse>;
};

export interface Binding<Principal> {
  readonly contract: Contract;
  readonly handlers: AnyHandlers<Principal>;
  /** What an operation requires of its body beyond the schema, by operation. */
  readonly checks?: { readonly [operationId: string]: BodyCheck };
  /** By the names of the security schemes. */
  readonly authenticate: { readonly [scheme: string]: Authenticate<Principal> };
  readonly requestIdOf: (request: RequestView) => string;
  /** The caller's address, if the application knows it. */
  readonly addressOf?: (request: RequestView) => string | undefined;
  /**
   * How a refusal looks to the caller.
   * @param documented the responses of the operation, or those to requests that match none
   */
  readonly refuse: (detail: RefusalReason, requestId: string, documented: ResponseContracts) => PlainResponse;
  /**
   * Whether refusals and failures leave as they are, for a document that does not describe them all. Otherwise they are
   * checked against the contract like any other response.
   */
  readonly refusesBeyondContract?: boolean;
  /**
   * The response for an error that a handler did not expect; logs it.
   * @param secrets those of the request, none of which the log may show
   */
  readonly fail: (error: unknown, requestId: string, secrets: readonly string[]) => PlainResponse;
  /** Paths next to the operations that anyone may GET; they come before operations with a parameter in their place. */
  readonly resources?: Resources;
  /** The pages of which origins may call what; none if this is not set. */
  readonly crossOrigin?: CrossOrigin | undefined;
  /** Called once for every exchange, with the response that is about to be sent. */
  readonly onSettled?: (exchange: SettledExchange) => void;
  readonly onViolation: (violation: ResponseViolation, requestId: string) => void;
  readonly responsePolicy: ResponsePolicy;
  readonly maxContentBytes: number;
}

/** Paths, each with a function of a request's id and headers. */
export interface Resources {
  readonly [path: string]: (requestId: string, header: RequestView["header"]) => Awaitable<Resource>;
}

/** The response of a path next to the operations. */
export interface Resource extends Pick<PlainResponse, "status" | "headers"> {
  readonly body: string | Uint8Array<ArrayBuffer>;
  /** JSON, unless given. */
  readonly mediaType?: string;
}

export type Respond = (request: RequestView) => Awaitable<Answer>;

/** A contract with what responds to its requests. The first template that fits a path takes it. */
export interface Contracted {
  readonly paths: readonly {
    readonly template: string;
    readonly byMethod: { readonly [method: string]: Respond };
    /** For methods that the path does not take. */
    readonly otherMethod: Respond;
  }[];
  /** For paths that no template fits. */
  readonly unmatched: Respond;
}

/** @throws Error if an operation has no handler, or a security scheme no authenticator */
export function bindContract<Principal>(binding: Binding<Principal>): Contracted {
  const operations = Object.entries(binding.contract.operations);
  const templates = [...new Set(operations.map(([, { path }]) => path))].sort(byConcreteness);
  const resources = Object.entries(binding.resources ?? {});
  return {
    paths: [
      ...resources.map(([path, resource]) => ({
        template: path,
        byMethod: { GET: resourceResponder(binding, path, resource) },
        otherMethod: methodRefuser(binding, ["GET"], []),
      })),
      ...templates.map((template) => {
        const own = operations.filter(([, { path }]) => path === template);
        const taken = own.map(([, { method }]) => method);
        return {
          template,
          byMethod: Object.fromEntries(
            own.map(([id, operation]) => [operation.method, operationResponder(binding, id, operation)]),
          ),
          otherMethod: methodRefuser(binding, taken, openToPages(binding, own)),
        };
      }),
    ],
    unmatched: refuser(binding, { reason: "route_not_found" }),
  };
}

/** Authorise, read, validate, handle, respond. */
function operationResponder<Principal>(
  binding: Binding<Principal>,
  operationId: string,
  operation: OperationContract,
): Respond {
  const handler = binding.handlers[operationId];
  if (handler === undefined) throw new Error(`operation ${operationId} has no handler`);
  const unknown = operation.security.flat().find(({ scheme }) => binding.authenticate[scheme] === undefined);
  if (unknown) throw new Error(`security scheme ${unknown.scheme} of ${operationId} has no authenticator`);

  const authorise = authoriser(operation.security, binding.authenticate);
  const pathTexts = pathReader(operation.path);
  const readParameters = parameterReader(operation.parameters);
  const readBody = bodyReader(operation.content);
  const check = binding.checks?.[operationId];
  const send = sender(binding, operation.responses, operationId);
  const [isOpen] = openToPages(binding, [[operationId, operation]]);
  const admitPage = isOpen && binding.crossOrigin && admitPages(operation, binding.crossOrigin);

  const handle = (exchange: Exchange<Principal>): Awaitable<PlainResponse> => {
    const { request } = exchange;
    return andThen(authorise(request), (principal) =>
      andThen(request.body(binding.maxContentBytes), (content) => {
        exchange.principal = principal as Principal;
        exchange.content = content;
        const problems: RequestProblem[] = [];
        const parameters = readParameters(pathTexts(request.path), request, problems);
        return andThen(readBody(request, content, problems), (body) => {
          exchange.body = body;
          if (check)
            for (const problem of check(body, soundnessOf(problems)))
              problems.push({ in: "body", ...problem });
          if (problems.length > 0) throw new Refusal({ reason: "request_invalid", problems });
          const { path, query, header, cookie } = parameters;
          // The validators have just proven that the request is of this operation's types.
          return handler({ path, query, header, cookie, body } as never, exchange);
        });
      }),
    );
  };
  const refuse = (exchange: Exchange<Principal>, error: unknown): Answer => {
    const { request, requestId, body } = exchange;
    if (error instanceof ContentAbortedError) return { status: 400, headers: {}, body: undefined };
    if (error instanceof Refusal) {
      exchange.refusal = error.detail.reason;
      return send(exchange, binding.refuse(error.detail, requestId, operation.responses), false);
    }
    const secrets = secretsOf(request, pathTexts(request.path), body, binding.contract);
    return send(exchange, binding.fail(error, requestId, secrets), false);
  };

  return (request) => {
    const exchange = begin(binding, request, operationId);
    const answer = attempt(
      () => andThen(handle(exchange), (response) => send(exchange, response, true)),
      (error) => refuse(exchange, error),
    );
    return andThen(answer, (sent) => {
      admitPage?.(sent.headers, request.header("origin"));
      return settle(binding, exchange, sent);
    });
  };
}

function begin<Principal>(
  { requestIdOf, addressOf }: Binding<Principal>,
  request: RequestView,
  operation: string,
): Exchange<Principal> {
  return new Exchange(request, requestIdOf(request), addressOf?.(request), operation);
}

/** Writes a response, unless it breaks the contract and that is enforced. */
function sender<Principal>(
  binding: Binding<Principal>,
  contracts: ResponseContracts,
  operationId: string | undefined,
): (exchange: Exchange<Principal>, response: PlainResponse, isOfHandler: boolean) => Answer {
  const write = responseWriter(contracts, binding.responsePolicy !== "off");
  return (exchange, response, isOfHandler) => {
    const { requestId } = exchange;
    exchange.response = response;
    if (!isOfHandler && binding.refusesBeyondContract) return writeAsItIs(response, requestId);
    const { answer, problems } = write(response, requestId);
    if (problems.length === 0) return answer;
    binding.onViolation({ operationId, status: response.status, problems }, requestId);
    if (binding.responsePolicy === "report") return answer;
    exchange.response = binding.refuse({ reason: "failed" }, requestId, contracts);
    return writeAsItIs(exchange.response, requestId);
  };
}

function settle<Principal>(
  { onSettled }: Binding<Principal>,
  exchange: Exchange<Principal>,
  answer: Answer,
): Answer {
  onSettled?.(exchange.settle(answer));
  return answer;
}

function resourceResponder<Principal>(
  binding: Binding<Principal>,
  path: string,
  resource: Resources[string],
): Respond {
  return (request) => {
    const exchange = begin(binding, request, path);
    const found = resource(exchange.requestId, (name) => request.header(name));
    return andThen(found, ({ status, headers, body, mediaType = jsonMediaType }) => {
      exchange.response = { status, ...(headers && { headers }) };
      const answer = writeAsItIs(exchange.response, exchange.requestId);
      return settle(binding, exchange, {
        ...answer,
        headers: { "Content-Type": mediaType, ...answer.headers },
        body,
      });
    });
  };
}

/** Refuses the methods that a path does not take, and answers preflights for those that pages may call. */
function methodRefuser<Principal>(
  binding: Binding<Principal>,
  taken: readonly string[],
  open: readonly OperationContract[],
): Respond {
  // HEAD is answered as GET is (RFC 9110, section 9.3.2).
  const allowed = taken.flatMap((method) => (method === "GET" ? ["GET", "HEAD"] : [method]));
  const refuse = refuser(binding, { reason: "method_not_allowed", allowed });
  const { crossOrigin } = binding;
  if (crossOrigin === undefined || open.length === 0) return refuse;
  return (request) => {
    const headers = preflightHeaders(request, open, crossOrigin);
    if (headers === undefined) return refuse(request);
    const exchange = begin(binding, request, "preflight");
    exchange.response = { status: 204, headers };
    return settle(binding, exchange, writeAsItIs(exchange.response, exchange.requestId));
  };
}

function refuser<Principal>(binding: Binding<Principal>, detail: RefusalReason): Respond {
  const { unmatched } = binding.contract;
  const send = sender(binding, unmatched, undefined);
  return (request) => {
    const exchange = begin(binding, request, "unmatched");
    exchange.refusal = detail.reason;
    return settle(
      binding,
      exchange,
      send(exchange, binding.refuse(detail, exchange.requestId, unmatched), false),
    );
  };
}

/** Those of a path's operations that pages of other origins may call. */
function openToPages<Principal>(
  { crossOrigin }: Binding<Principal>,
  operations: readonly (readonly [string, OperationContract])[],
): OperationContract[] {
  if (crossOrigin === undefined) return [];
  return operations.flatMap(([, each]) => (isOpenToPages(each, crossOrigin.roles) ? [each] : []));
}

function secretsOf(
  request: RequestView,
  path: { readonly [name: string]: string },
  body: unknown,
  { sensitive }: Contract,
): string[] {
  const query = (name: string) =>
    rawPairs(request.query).flatMap(([each, text]) => (each === name ? [formDecoded(text)] : []));
  return secretsIn({ header: (name) => request.header(name), query, path, body }, sensitive);
}
