/** The client: openapi-fetch builds each request, a transport sends it, and every response becomes a result. */

import createOpenapiFetch, { type HeadersOptions, type Middleware } from "openapi-fetch";
import type { HttpMethod } from "openapi-typescript-helpers";
import type { OperationDescription } from "#specbind/contract";
import { createTransport, didYouMean } from "#transport";
import { sendRepeatedly } from "./attempts.ts";
import { problemsOf } from "./check-call.ts";
import { baseOf, problemsOfClient, problemsOfInit } from "./check-options.ts";
import { BodyNotSendableError, ConfigurationError, InvalidCallError } from "./errors.ts";
import { headerRecord } from "./headers.ts";
import type { AnyOptions, CallOptions } from "./options.ts";
import type { Params, Parts } from "./parts.ts";
import { isBrowser } from "./platform.ts";
import { type AnyResult, type ReadResponse, resultOf } from "./result.ts";
import type { CreateTransport, Transport } from "./transport/transport.ts";

interface AnyInit extends CallOptions {
  readonly params?: Params;
  readonly body?: unknown;
  readonly headers?: HeadersOptions;
  readonly middleware?: Middleware[];
  readonly signal?: AbortSignal | null;
}

/** Accepts any path, because the operation is not known at compile time. */
type AnyPaths = Record<
  string,
  Record<
    HttpMethod,
    { parameters: Record<string, unknown>; requestBody?: { content: { "*/*": unknown } }; responses: object }
  >
>;

type Operations = Readonly<Record<string, OperationDescription>>;

/**
 * @param transportFor default: the platform's transport
 * @throws ConfigurationError for invalid options
 */
export function createClientOf<Client>(
  operations: Operations,
  parts: Parts,
  options: AnyOptions,
  transportFor: CreateTransport = createTransport,
): Client {
  const [, , responses, credentials] = parts;
  const problems = problemsOfClient(options, credentials);
  if (problems.length > 0) throw new ConfigurationError(problems);
  const transport = transportFor(options);
  const openapiFetch = createOpenapiFetch<AnyPaths>({
    baseUrl: baseOf(options.baseUrl),
    headers: headerRecord(options.headers),
    redirect: "manual",
    Request: transport.Request,
  });
  let hasMiddleware = false;

  const call = async (operationId: string, init: AnyInit = {}): Promise<AnyResult> => {
    const operation = operations[operationId];
    if (operation === undefined) {
      const message = `is unknown${didYouMean(operationId, idOf)}`;
      throw new InvalidCallError(operationId, [{ in: "path", pointer: "", message }]);
    }
    let [requestId, isRepeatable, body, method, path, request] = await prepare(
      operationId,
      operation,
      init,
      parts,
      options,
      transport,
    );
    const [receive, read] = responses(operation, init.signal);
    const isSeen = hasMiddleware || init.middleware?.length || options.hooks?.length;
    const UnseenRequest = isSeen ? undefined : transport.unseenRequest?.(body);
    let ownResponse: ReadResponse | undefined;
    const { error, response } = await openapiFetch.request(method, path, {
      ...request,
      // `resultOf` reads the body, because its format depends on the documented media type.
      parseAs: "stream",
      ...(UnseenRequest
        ? { Request: UnseenRequest }
        : { body, bodySerializer: () => body, middleware: init.middleware ?? [] }),
      fetch: async (request) => {
        requestId = request.headers.get("x-request-id") ?? requestId;
        const readResponse = await sendRepeatedly(
          transport,
          options,
          init,
          operationId,
          requestId,
          request,
          body,
          receive,
          isRepeatable,
        );
        ownResponse = UnseenRequest ? readResponse : readable(readResponse);
        // Only fetch sets the `url` of a response, and a copied response loses it.
        return Object.defineProperty(ownResponse[0], "url", { value: request.url });
      },
    });
    const readResponse: ReadResponse =
      ownResponse?.[0] === response ? ownResponse : [response, await bytesOf(response, error)];
    return resultOf(operationId, operation, readResponse, requestId, read, options.validate);
  };
  const use = (...middleware: Middleware[]) => {
    openapiFetch.use(...middleware);
    hasMiddleware = true;
  };
  const client: Record<string, unknown> = { use, eject: openapiFetch.eject };
  const idOf: Record<string, string> = {};
  for (const [id, { method, path }] of Object.entries(operations)) {
    idOf[`${method} ${path}`] = id;
    client[id] = (init?: AnyInit) => call(id, init);
    client[method] = (given: string, init?: AnyInit) => {
      const route = `${method} ${given}`;
      return call(idOf[route] ?? route, init);
    };
  }
  // The loop has set every operation and method of Client.
  return client as Client;
}

/** Checks a call. Returns what its request consists of. @throws InvalidCallError, BodyNotSendableError */
async function prepare(
  operationId: string,
  operation: OperationDescription,
  init: AnyInit,
  [parameters, bodies, , [, , authorise], repetition]: Parts,
  options: AnyOptions,
  transport: Transport,
) {
  const optionProblems = problemsOfInit(init);
  if (optionProblems.length > 0) throw new InvalidCallError(operationId, optionProblems);
  const params = init.params ?? {};
  const given = headerRecord(init.headers);
  const [path, serialisers, isParameter] = parameters(operation, params);
  const [checkBody, writeBody] = bodies(operation, given);
  const problems = problemsOf(
    operation,
    serialisers.pathSerializer,
    isParameter,
    params,
    given,
    init.body,
    checkBody,
  );
  if (problems.length > 0) throw new InvalidCallError(operationId, problems);
  const method = methodFor(operation);
  const [body, mediaType] = writeBody(bodyOf(operationId, operation, method, transport, init.body));
  // A page that is not secure has no randomUUID. The server also accepts 32 digits.
  const requestId =
    (crypto as Partial<Crypto>).randomUUID?.() ??
    crypto.getRandomValues(new Uint8Array(32)).join("").slice(0, 32);
  const [repetitionHeaders, isRepeatable] = repetition(operation, requestId);
  const [authorisation, authorised] = await authorise(operationId, operation, params, options);
  const request = {
    params: authorised,
    headers: {
      ...authorisation,
      ...repetitionHeaders,
      "content-type": mediaType,
      "x-request-id": requestId,
      ...given,
    },
    ...serialisers,
  } as const;
  // The method is already in upper case, so openapi-fetch does not change it.
  return [requestId, isRepeatable, body, method as HttpMethod, path, request] as const;
}

/** Makes a response that middleware and openapi-fetch can read. */
function readable([response, bytes, stream]: ReadResponse): ReadResponse {
  // A browser shows a redirect as a response of status 0, which cannot be copied.
  return [
    response.status ? new Response(bytes.byteLength ? bytes : null, response) : response,
    bytes,
    stream,
  ];
}

/** Reads a response from a middleware. openapi-fetch has already read and parsed it if it is an error. */
async function bytesOf(response: Response, error: unknown): Promise<Uint8Array<ArrayBuffer>> {
  const text = typeof error === "string" ? error : JSON.stringify(error);
  return new Uint8Array(await (response.bodyUsed ? new Response(text) : response).arrayBuffer());
}

/** A browser sends the twin of a GET that needs a body. Other platforms do not, because some know only the methods of HTTP/1.1. */
function methodFor({ method, twin, requestBody }: OperationDescription): string {
  return twin && requestBody?.required && isBrowser() ? twin : method;
}

/** Returns the given body or the operation's default. Leaves out a default that the transport cannot send. */
function bodyOf(
  id: string,
  operation: OperationDescription,
  method: string,
  transport: Transport,
  body: unknown = operation.requestBody?.default,
): unknown {
  if (transport.sendsBodyWith(method)) return body;
  if (
    operation.requestBody?.required ||
    JSON.stringify(body) !== JSON.stringify(operation.requestBody?.default)
  )
    throw new BodyNotSendableError(id, method);
  return undefined;
}
