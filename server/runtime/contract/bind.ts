/** Binds a contract to its handlers: a function for each method of each path. */
import { assertFormat, methodsOf, type OperationContract } from "#specbind/contract";
import type { RejectionReason } from "../shared/rejection-reasons.ts";
import type { Awaitable } from "./awaitable.ts";
import { andThen } from "./awaitable.ts";
import { preflightHeaders } from "./cross-origin.ts";
import { byConcreteness } from "./path-templates.ts";
import { type Binding, Exchange, operationResponder, type Respond, sender } from "./pipeline.ts";
import type { RequestView } from "./request.ts";
import { jsonMediaType, type PlainResponse, writeAsItIs } from "./response.ts";

export interface Resources {
  readonly [path: string]: (requestId: string, header: RequestView["header"]) => Awaitable<Resource>;
}

export interface Resource extends Pick<PlainResponse, "status" | "headers"> {
  /** A string is copied for each request, so it must be short. */
  readonly body: string | SharedBytes;
  /** Default: JSON. */
  readonly mediaType?: string;
}

/** Bytes that all responses with the same body share. A caller that does not read them keeps no memory. */
export class SharedBytes extends Uint8Array<ArrayBuffer> {}

export function shareBytes(body: string | Uint8Array): SharedBytes {
  const bytes = typeof body === "string" ? new TextEncoder().encode(body) : body;
  return new SharedBytes(new Uint8Array(bytes).buffer);
}

/** A contract with its responders. The first template that matches a path is used. */
export interface Contracted {
  readonly paths: readonly {
    readonly template: string;
    readonly byMethod: { readonly [method: string]: Respond };
    readonly otherMethod: Respond;
  }[];
  readonly unmatched: Respond;
}

/**
 * @param resources public paths for GET that are not in the contract. A resource takes precedence over an operation
 *   whose template matches the same path by a parameter
 * @throws Error if the generated code has an unknown format, an operation has no handler, or a security scheme no authenticator
 */
export function bindContract<Principal>(binding: Binding<Principal>, resources: Resources = {}): Contracted {
  for (const format of [binding.contract.format, binding.contract.validators]) assertFormat(format);
  const operations = Object.entries(binding.contract.operations);
  const templates = [...new Set(operations.map(([, { path }]) => path))].sort(byConcreteness);
  return {
    paths: [
      ...Object.entries(resources).map(([path, resource]) => ({
        template: path,
        byMethod: { GET: resourceResponder(binding, path, resource) },
        otherMethod: methodRejecter(binding, ["GET"], []),
      })),
      ...templates.map((template) => {
        const own = operations.filter(([, { path }]) => path === template);
        return {
          template,
          byMethod: Object.fromEntries(
            own.flatMap(([id, operation]) => {
              const respond = operationResponder(binding, id, operation);
              return methodsOf(operation).map((method) => [method, respond]);
            }),
          ),
          otherMethod: methodRejecter(
            binding,
            own.flatMap(([, operation]) => methodsOf(operation)),
            own.map(([, operation]) => operation),
          ),
        };
      }),
    ],
    unmatched: rejecter(binding, { reason: "route_not_found" }),
  };
}

function resourceResponder<Principal>(
  binding: Binding<Principal>,
  path: string,
  resource: Resources[string],
): Respond {
  return (request) => {
    const exchange = new Exchange(binding, request, path);
    const found = resource(exchange.requestId, (name) => request.header(name));
    return andThen(found, ({ status, headers, body, mediaType = jsonMediaType }) => {
      const response = { status, ...(headers && { headers }) };
      const reply = writeAsItIs(response, exchange.requestId);
      exchange.respond(response, {
        ...reply,
        headers: { "Content-Type": mediaType, ...reply.headers },
        body,
      });
      return exchange.settle();
    });
  };
}

function methodRejecter<Principal>(
  binding: Binding<Principal>,
  taken: readonly string[],
  operations: readonly OperationContract[],
): Respond {
  // HEAD is handled like GET (RFC 9110, section 9.3.2).
  const allowed = taken.flatMap((method) => (method === "GET" ? ["GET", "HEAD"] : [method]));
  const reject = rejecter(binding, { reason: "method_not_allowed", allowed });
  const { crossOrigin } = binding;
  const headersFor = crossOrigin && preflightHeaders(operations, crossOrigin);
  if (headersFor === undefined) return reject;
  return (request) => {
    const headers = headersFor(request);
    if (headers === undefined) return reject(request);
    const exchange = new Exchange(binding, request, "preflight");
    const response = { status: 204, headers };
    exchange.respond(response, writeAsItIs(response, exchange.requestId));
    return exchange.settle();
  };
}

function rejecter<Principal>(binding: Binding<Principal>, detail: RejectionReason): Respond {
  const { unmatched } = binding.contract;
  const { sendUnchanged } = sender(binding, unmatched, undefined);
  return (request) => {
    const exchange = new Exchange(binding, request, "unmatched");
    sendUnchanged(exchange, binding.reject(detail, exchange.requestId, unmatched), detail.reason);
    return exchange.settle();
  };
}
