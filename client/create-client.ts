/** Puts the client together: openapi-fetch builds each request, a transport sends it, and every answer becomes a result. */
import createFetchClient, { type HeadersOptions } from "openapi-fetch";
import type { HttpMethod, PathsWithMethod } from "openapi-typescript-helpers";
import { transport as platformTransport } from "#transport";
import { type OperationDescription, operations, type ParameterDescription } from "../generated/operations.ts";
import type { operations as OperationTypes, paths } from "../generated/types.ts";
import { ContentRequest } from "./content-request.ts";
import { ConnectionError, ContentNotSendableError } from "./errors.ts";
import type { InitArguments, OperationInit } from "./operation-init.ts";
import { writePath, writeQuery } from "./parameters.ts";
import { type AnyResult, type OperationResult, resultOf } from "./result.ts";
import { mediaTypeFor, serialise } from "./serialise.ts";
import type { Transport } from "./transport/transport.ts";

export interface ClientOptions {
  /** Where the service is, such as `https://api.example` or `https://example.com/api/`. */
  readonly baseUrl: string;
  /** A secret key must never be part of a page or an app. */
  readonly apiKey: string;
  /** Sent with every request. A call's own headers win over these. */
  readonly headers?: Readonly<Record<string, string>>;
  /**
   * Sends instead of the platform's own transport, in tests for instance. Content of a GET is not in the request's
   * `body`, but what its `text()` answers. Redirects are not to be followed.
   */
  readonly fetch?: (request: Request) => Promise<Response>;
}

type ResultOf<Operation> = Operation extends { responses: unknown } ? OperationResult<Operation> : never;

type PathCall<Method extends HttpMethod> = <Path extends PathsWithMethod<paths, Method>>(
  path: Path,
  ...init: InitArguments<paths[Path][Method]>
) => Promise<ResultOf<paths[Path][Method]>>;

/** What a call of the operation takes. */
export type CallInit<Id extends keyof OperationTypes> = OperationInit<OperationTypes[Id]>;

/** What a call of the operation answers, told apart by `status`. */
export type CallResult<Id extends keyof OperationTypes> = OperationResult<OperationTypes[Id]>;

/** One function for each operation of the spec, by its `operationId`. */
export type OperationCalls = {
  readonly [Id in keyof OperationTypes]: (
    ...init: InitArguments<OperationTypes[Id]>
  ) => Promise<CallResult<Id>>;
};

/**
 * Calls by operation or, as with openapi-fetch, by method and path. Both answer the same results.
 *
 * A call rejects with the reason of its `signal`, with a ConnectionError where no whole response came, and with a
 * ContentNotSendableError before anything is sent.
 */
export type Client = OperationCalls & {
  readonly GET: PathCall<"get">;
  readonly PUT: PathCall<"put">;
  readonly POST: PathCall<"post">;
  readonly DELETE: PathCall<"delete">;
  readonly PATCH: PathCall<"patch">;
};

interface AnyInit {
  readonly params?: unknown;
  readonly body?: unknown;
  readonly headers?: HeadersOptions;
  readonly signal?: AbortSignal | null;
}
type AnyFetchClient = {
  request(method: string, path: string, init: Record<string, unknown>): Promise<unknown>;
};

const methods = ["GET", "PUT", "POST", "DELETE", "PATCH"] as const;

/** @throws TypeError where `baseUrl` is no absolute HTTP URL or `apiKey` cannot be sent */
export function createClient(options: ClientOptions): Client {
  const { fetch } = options;
  if (fetch === undefined) return createClientOver(platformTransport, options);
  return createClientOver({ sendsContentWith: () => true, send: (request) => fetch(request) }, options);
}

/** Not for import from outside: a client over a transport other than the platform's. */
export function createClientOver(transport: Transport, options: ClientOptions): Client {
  // openapi-fetch's own types tell one path from another, which is Client's business; here every path is alike.
  const fetchClient = createFetchClient<paths>({
    baseUrl: parseBaseUrl(options.baseUrl),
    Request: ContentRequest,
    redirect: "manual",
    headers: { ...options.headers, Authorization: authorizationOf(options.apiKey) },
  }) as AnyFetchClient;

  /** openapi-fetch's reader throws for JSON that does not parse and drops what is empty, so it is given no answer. */
  const buildRequest = async (operation: OperationDescription, init: AnyInit, content: unknown) => {
    let request: ContentRequest | undefined;
    const { method, path } = operation;
    const given = headerRecord(init.headers);
    const named = Object.entries(given).find(([name]) => name.toLowerCase() === "content-type")?.[1];
    const mediaType = typeof named === "string" ? named : mediaTypeFor(operation.content?.mediaTypes ?? []);
    const body = content === undefined ? undefined : serialise(content, mediaType);
    // The boundary between the parts of a form is chosen where it is written out, and stands in the header.
    const contentType = body instanceof FormData ? undefined : mediaType;
    await fetchClient.request(method, path, {
      params: init.params,
      signal: init.signal,
      headers: { "Content-Type": contentType, ...given },
      body,
      bodySerializer: (written: BodyInit) => written,
      ...(operation.parameters && writers(operation.parameters)),
      fetch: async (built: ContentRequest) => {
        request = built;
        return new Response(null, { status: 204 });
      },
    });
    if (request === undefined) throw new Error(`openapi-fetch built no request for ${method} ${path}`);
    return request;
  };

  const call = async (
    id: string,
    operation: OperationDescription,
    init: AnyInit = {},
  ): Promise<AnyResult> => {
    const content = contentOf(id, operation, init.body, transport);
    const request = await buildRequest(operation, init, content);
    const { response, text, bytes } = await exchange(id, transport, request);
    if (request.contentLeftBehind) {
      throw new TypeError(
        `the given fetch did not send the content of ${id}, which is not in request.body: read it by request.text()`,
      );
    }
    return resultOf(operation, response, text, bytes);
  };

  const client: Record<string, unknown> = {};
  for (const [id, operation] of Object.entries(operations))
    client[id] = (init?: AnyInit) => call(id, operation, init);
  for (const method of methods) {
    client[method] = async (path: string, init?: AnyInit) => call(...findOperation(method, path), init);
  }
  // Every operation and method of Client has just been put there, with the spec's own method and path.
  return client as Client;
}

/** Overrides the styles of openapi-fetch, which are the same for every parameter. */
function writers(parameters: readonly ParameterDescription[]) {
  return {
    querySerializer: (values: Record<string, unknown>) => writeQuery(parameters, values),
    pathSerializer: (template: string, values: Record<string, unknown>) =>
      writePath(template, parameters, values),
  };
}

/** A URL that paths can be appended to. */
function parseBaseUrl(baseUrl: string): string {
  if (!URL.canParse(baseUrl) || !/^https?:/i.test(baseUrl))
    throw new TypeError("baseUrl must be an absolute URL of http or https");
  const url = new URL(baseUrl);
  if (url.username || url.password || url.search || url.hash)
    throw new TypeError("baseUrl must have no user, password, query or fragment");
  return url.origin + url.pathname.replace(/\/+$/, "");
}

/** Checked here, for the platform's own complaint about a header quotes its value. */
function authorizationOf(apiKey: string): string {
  if (typeof apiKey !== "string" || apiKey === "") throw new TypeError("apiKey must be a key, not empty");
  if (!/^[\x21-\x7e]+$/.test(apiKey))
    throw new TypeError("apiKey must be visible ASCII characters, without a space or a line end");
  return `Bearer ${apiKey}`;
}

/** openapi-fetch takes the entries of an array for its numbered properties. */
function headerRecord(headers: HeadersOptions | undefined): Record<string, unknown> {
  if (headers === undefined) return {};
  return Symbol.iterator in headers ? Object.fromEntries(new Headers([...headers])) : headers;
}

function findOperation(method: string, path: string): [string, OperationDescription] {
  const found = Object.entries(operations).find(
    ([, operation]) => operation.method === method && operation.path === path,
  );
  if (found === undefined) throw new TypeError(`no operation is ${method} ${path}`);
  return found;
}

/** The content to send. Left-out content stands for its default, which is sent wherever the transport can. */
function contentOf(
  id: string,
  operation: OperationDescription,
  given: unknown,
  transport: Transport,
): unknown {
  const fallback = operation.content?.default;
  if (transport.sendsContentWith(operation.method)) return given === undefined ? fallback : given;
  const isDefault = given === undefined || JSON.stringify(given) === JSON.stringify(fallback);
  if (operation.content?.required || !isDefault) throw new ContentNotSendableError(id, operation.method);
  return undefined;
}

/** The response and its whole body, which is always read, so that the connection can be used again. */
async function exchange(operationId: string, transport: Transport, request: ContentRequest) {
  try {
    const response = await transport.send(request);
    const bytes = await response.blob();
    return { response, bytes, text: await bytes.text() };
  } catch (cause) {
    request.signal.throwIfAborted();
    throw new ConnectionError(operationId, cause);
  }
}
