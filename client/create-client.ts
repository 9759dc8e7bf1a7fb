/** Puts the client together: openapi-fetch builds each request, a transport sends it, and every answer becomes a result. */
import { createFinalURL, type HeadersOptions, mergeHeaders } from "openapi-fetch";
import type { HttpMethod, PathsWithMethod } from "openapi-typescript-helpers";
import { createTransport } from "#transport";
import { type OperationDescription, operations } from "../generated/operations.ts";
import type { operations as OperationTypes, paths } from "../generated/types.ts";
import { authorizationOf } from "./api-key.ts";
import { sendRepeatedly } from "./attempts.ts";
import { checkHeaders, problemsOf } from "./check-call.ts";
import { ContentRequest } from "./content-request.ts";
import { ContentNotSendableError, InvalidCallError } from "./errors.ts";
import type { InitArguments, OperationInit } from "./operation-init.ts";
import { type CallOptions, type ClientOptions, limitsOf } from "./options.ts";
import { writePath, writeQuery } from "./parameters.ts";
import { type AnyResult, type OperationResult, resultOf } from "./result.ts";
import { mediaTypeFor, serialise } from "./serialise.ts";
import { transportOver } from "./transport/fetch.ts";
import type { Transport } from "./transport/transport.ts";

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
 * A call rejects with the reason of its `signal`, with an InvalidCallError or a ContentNotSendableError before anything
 * is sent, and with a ConnectionError, a TimeoutError or a ResponseTooLargeError where no whole response came.
 */
export type Client = OperationCalls & {
  readonly GET: PathCall<"get">;
  readonly PUT: PathCall<"put">;
  readonly POST: PathCall<"post">;
  readonly DELETE: PathCall<"delete">;
  readonly PATCH: PathCall<"patch">;
};

interface AnyInit extends CallOptions {
  readonly params?: Readonly<Record<string, Readonly<Record<string, unknown>> | undefined>>;
  readonly body?: unknown;
  readonly headers?: HeadersOptions;
  readonly signal?: AbortSignal | null;
}

const methods = ["GET", "PUT", "POST", "DELETE", "PATCH"] as const;

/**
 * @throws TypeError for an option that cannot hold, such as a `baseUrl` that is no absolute HTTP URL, an `apiKey` that
 * cannot be sent, or a secret one in a browser
 */
export function createClient(options: ClientOptions): Client {
  const { fetch } = options;
  return createClientOver(
    fetch === undefined ? createTransport(options) : transportOver(fetch, () => true, options),
    options,
  );
}

/** @internal A client over a transport other than the platform's. */
export function createClientOver(transport: Transport, options: ClientOptions): Client {
  const { hooks = [], validate } = options;
  const headers = headerRecord(options.headers);
  const limits = limitsOf(options);
  const baseUrl = parseBaseUrl(options.baseUrl);
  const authorization = authorizationOf(options.apiKey, options.dangerouslyAllowBrowser);
  checkHeaders(Object.entries(headers), (pointer, message) => {
    throw new TypeError(`headers${pointer} ${message}`);
  });

  const call = async (
    operationId: string,
    operation: OperationDescription,
    init: AnyInit = {},
  ): Promise<AnyResult> => {
    const { method, path, parameters = [] } = operation;
    const { params = {} } = init;
    const given = headerRecord(init.headers);
    const mediaType = contentTypeOf(given) ?? mediaTypeFor(operation.content?.mediaTypes ?? []);
    const mayHoldFiles = mediaType?.startsWith("multipart/") === true;
    const problems = problemsOf(operation, params, Object.entries(given), init.body, mayHoldFiles);
    if (problems.length > 0) throw new InvalidCallError(operationId, problems);
    const content = contentOf(operationId, operation, init.body, transport);
    const body = content === undefined ? undefined : serialise(content, mediaType);
    const url = createFinalURL(path, {
      baseUrl,
      params,
      querySerializer: (values) => writeQuery(parameters, values),
      pathSerializer: (template, values) => writePath(template, parameters, values),
    });
    const ownHeaders = {
      Authorization: authorization,
      // The boundary between the parts of a form is chosen where it is written out, and stands in the header.
      "Content-Type": body instanceof FormData ? undefined : mediaType,
      "X-Request-Id": newRequestId(),
    };
    // What mergeHeaders takes but not says: lists of values, and null for a header that is left out.
    const allHeaders = mergeHeaders(
      headers as HeadersOptions,
      ownHeaders,
      given as HeadersOptions,
      params.header as HeadersOptions,
    );
    const requestId = allHeaders.get("x-request-id") ?? ownHeaders["X-Request-Id"];
    const answer = await sendRepeatedly({
      operationId,
      requestId,
      transport,
      hooks,
      ...limitsOf({
        ...limits,
        timeoutMs: init.timeoutMs ?? limits.timeoutMs,
        maxRetries: init.maxRetries ?? limits.maxRetries,
      }),
      signal: init.signal,
      buildRequest: (signal) =>
        new ContentRequest(url, {
          method,
          headers: allHeaders,
          redirect: "manual",
          signal,
          ...(body !== undefined && { body }),
        }),
    });
    return resultOf(operation, answer, requestId, validate && ((...read) => validate(operationId, ...read)));
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

/** A URL that paths can be appended to. */
function parseBaseUrl(baseUrl: string): string {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password || url.search || url.hash)
    throw new TypeError(
      "baseUrl must be an absolute URL of http or https, without user, password, query or fragment",
    );
  return url.origin + url.pathname.replace(/\/+$/, "");
}

/** A name that stands twice in a list has one value (RFC 9110, section 5.3). What no header can hold is kept, to be refused. */
function headerRecord(headers: HeadersOptions = {}): Record<string, unknown> {
  if (!(Symbol.iterator in headers)) return headers;
  const record: Record<string, string> = {};
  for (const [name, value] of headers) {
    const key = name.toLowerCase();
    record[key] = record[key] === undefined ? value : `${record[key]}, ${value}`;
  }
  return record;
}

function contentTypeOf(headers: Readonly<Record<string, unknown>>): string | undefined {
  const value = Object.entries(headers).find(([name]) => name.toLowerCase() === "content-type")?.[1];
  return typeof value === "string" ? value : undefined;
}

/** A UUID (RFC 9562, section 5.4), also where a page is not secure and has no randomUUID. */
function newRequestId(): string {
  const uuid = (crypto as Partial<Crypto>).randomUUID?.();
  if (uuid !== undefined) return uuid;
  const parts = Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) =>
    part.toString(16).padStart(8, "0"),
  );
  return parts.join("").replace(/^(.{8})(.{4}).(.{3}).(.{3})/, "$1-$2-4$3-8$4-");
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
