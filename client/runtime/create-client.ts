/** The client: openapi-fetch builds each request, a transport sends it, and every response becomes a result. */
import createOpenapiFetch, {
  defaultPathSerializer,
  type HeadersOptions,
  type Middleware,
  type Client as OpenapiFetch,
} from "openapi-fetch";
import type { HttpMethod } from "openapi-typescript-helpers";
import type { OperationDescription, ParameterDescription } from "#specbind/contract";
import { createTransport } from "#transport";
import {
  hasIdempotencyKeys,
  hasOtherBodies,
  hasOtherCredentials,
  hasStreams,
  hasStyledParameters,
  operations,
} from "../../generated/operations.ts";
import type { operations as OperationTypes, paths } from "../../generated/types.ts";
import { sendRepeatedly } from "./attempts.ts";
import type { InitArguments, OperationInit } from "./call-types.ts";
import { bodyCheckOf, checkJson, problemsOf } from "./check-call.ts";
import { baseOf, problemsOfClient, problemsOfInit } from "./check-options.ts";
import { ConfigurationError, ContentNotSendableError, InvalidCallError } from "./errors.ts";
import { credentialsFor, type SentCredentials } from "./features/credentials.ts";
import { writePath, writeQuery } from "./features/parameters.ts";
import { mediaTypeFor, serialise } from "./features/serialise.ts";
import { headerRecord } from "./headers.ts";
import type { CallOptions, ClientOptions } from "./options.ts";
import { isBrowser } from "./platform.ts";
import {
  type AnyResult,
  isStream,
  type OperationResult,
  type Reply,
  readContent,
  readJson,
  resultOf,
} from "./result.ts";
import type { CreateTransport, Transport } from "./transport/transport.ts";

/** OpenAPI 3.2 adds `query` and, in upper case, any other method. openapi-fetch does not know them. */
type Method =
  | HttpMethod
  | "query"
  | Extract<{ [Path in keyof paths]: keyof paths[Path] }[keyof paths], Uppercase<string>>;

type At<Path extends keyof paths, M extends Method> = paths[Path][M & keyof paths[Path]];

type PathsWith<M extends Method> = {
  [Path in keyof paths]: paths[Path] extends Record<M, unknown> ? Path : never;
}[keyof paths];

type PathResult<Path extends keyof paths, M extends Method> = OperationResult<
  Extract<At<Path, M>, { responses: unknown }>
>;

/** The paths are written out here. Otherwise compile errors would contain the name of a helper type. */
type PathCall<M extends Method> = <
  Path extends {
    [Each in keyof paths]: Each extends PathsWith<M> ? Each : never;
  }[keyof paths],
>(
  path: Path,
  ...init: InitArguments<PathInit<Path, M>>
) => Promise<PathResult<Path, M>>;

/** The mapped type makes compile errors show this short name. */
type PathInit<Path extends keyof paths, M extends Method> = {
  [Key in keyof OperationInit<At<Path, M>>]: OperationInit<At<Path, M>>[Key];
};

export type CallInit<Id extends keyof OperationTypes> = {
  [Key in keyof OperationInit<OperationTypes[Id]>]: OperationInit<OperationTypes[Id]>[Key];
};

/** The result of a call, discriminated by `status`. */
export type CallResult<Id extends keyof OperationTypes> = OperationResult<OperationTypes[Id]>;

/** One function for each operation of the spec, with the `operationId` as its name. */
export type OperationCalls = {
  readonly [Id in keyof OperationTypes]: (...init: InitArguments<CallInit<Id>>) => Promise<CallResult<Id>>;
};

/** One function for each HTTP method that the spec uses. */
export type PathCalls = {
  readonly [M in Method as [PathsWith<M>] extends [never] ? never : Uppercase<M>]: PathCall<M>;
};

/**
 * Calls an operation by its id or, as with openapi-fetch, by its method and path. Both return the same results.
 *
 * A call rejects with the reason of its `signal`. Before anything is sent, it rejects with an InvalidCallError or a
 * ContentNotSendableError. If no complete response arrives, it rejects with a ConnectionError, a TimeoutError or a
 * ResponseTooLargeError.
 */
export type Client = OperationCalls &
  PathCalls &
  /** Registers and removes middleware of openapi-fetch. A middleware runs once for each call. */
  Pick<OpenapiFetch<paths>, "use" | "eject">;

interface AnyInit extends CallOptions {
  readonly params?: Readonly<Record<string, Values | undefined>>;
  readonly body?: unknown;
  readonly headers?: HeadersOptions;
  readonly middleware?: Middleware[];
  readonly signal?: AbortSignal | null;
}

type Values = Readonly<Record<string, unknown>>;

/** Accepts any path, because the operation is not known at compile time. */
type AnyPaths = Record<
  string,
  Record<
    HttpMethod,
    { parameters: Record<string, unknown>; requestBody?: { content: { "*/*": unknown } }; responses: object }
  >
>;

const descriptions: Readonly<Record<string, OperationDescription>> = operations;

/** @throws ConfigurationError for invalid options, such as a relative `baseUrl` or a secret key in a browser */
export function createClient(options: ClientOptions): Client {
  return createClientOver(createTransport, options);
}

/** @internal Creates a client that sends with the given transport instead of the platform's. */
export function createClientOver(transportFor: CreateTransport, options: ClientOptions): Client {
  const problems = problemsOfClient(options);
  if (problems.length > 0) throw new ConfigurationError(problems);
  const { validate } = options;
  const hooks = options.hooks ?? [];
  const transport = transportFor(options);
  const baseUrl = baseOf(options.baseUrl) ?? "";
  let hasMiddleware = false;
  const openapiFetch = createOpenapiFetch<AnyPaths>({
    baseUrl,
    headers: headerRecord(options.headers),
    redirect: "manual",
    Request: transport.Request,
  });

  const call = async (operationId: string, init: AnyInit = {}): Promise<AnyResult> => {
    const operation = descriptions[operationId];
    if (operation === undefined)
      throw new InvalidCallError(operationId, [{ in: "path", pointer: "", message: "is unknown" }]);
    const { path, parameters = [] } = operation;
    const method = methodFor(operation);
    const optionProblems = problemsOfInit(init);
    if (optionProblems.length > 0) throw new InvalidCallError(operationId, optionProblems);
    // openapi-fetch ignores the style of path parameters.
    const pathSerializer = hasStyledParameters
      ? (template: string, values: Values) => writePath(template, parameters, values)
      : defaultPathSerializer;
    const params = init.params ?? {};
    const given = headerRecord(init.headers);
    const mediaTypes = operation.content?.mediaTypes ?? [];
    const mediaType = hasOtherBodies
      ? (given["content-type"]?.toString() ?? mediaTypeFor(mediaTypes))
      : mediaTypes[0];
    const checkBody = hasOtherBodies ? bodyCheckOf(mediaType) : checkJson;
    const problems = problemsOf(operation, pathSerializer, params, given, init.body, checkBody);
    if (problems.length > 0) throw new InvalidCallError(operationId, problems);
    const credentials: SentCredentials = hasOtherCredentials
      ? await credentialsFor(operationId, operation, options)
      : { headers: { authorization: `Bearer ${options.apiKey}` } };
    const content = contentOf(operationId, operation, method, init.body, transport);
    const body =
      content === undefined || !hasOtherBodies ? JSON.stringify(content) : serialise(content, mediaType);
    // A page that is not secure has no randomUUID. The server also accepts 32 hexadecimal digits.
    let requestId =
      (crypto as Partial<Crypto>).randomUUID?.() ??
      Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
        byte.toString(16).padStart(2, "0"),
      ).join("");
    const middleware = init.middleware ?? [];
    const isSeen = hasMiddleware || middleware.length > 0 || hooks.length > 0;
    // A stream can be sent only once, so each attempt sends a copy that Fetch makes.
    const isText = !hasOtherBodies || body === undefined || typeof body === "string";
    const UnseenRequest = isSeen || !isText ? undefined : transport.UnseenRequest;
    let sent: Reply | undefined;
    const { error, response } = await openapiFetch.request(
      // Already in upper case, so openapi-fetch does not change it.
      method as HttpMethod,
      hasStyledParameters ? path.replace(/[?#].*/, "") : path,
      {
        params: hasOtherCredentials
          ? { ...params, query: { ...params.query, ...credentials.query } }
          : params,
        headers: {
          ...credentials.headers,
          ...(hasIdempotencyKeys && parameters.some(isIdempotencyKey) && { "idempotency-key": requestId }),
          // A Request sets this header for a FormData body, with the boundary that it has chosen.
          "content-type": hasOtherBodies && body instanceof FormData ? undefined : (mediaType ?? null),
          "x-request-id": requestId,
          ...given,
        },
        ...(UnseenRequest ? { Request: UnseenRequest } : { body, bodySerializer: () => body, middleware }),
        pathSerializer,
        ...(hasStyledParameters && {
          querySerializer: (values) => {
            const whole = parameters.find((each) => each.in === "querystring");
            if (whole === undefined)
              return writeQuery(parameters, values as Values, /\?([^#]*)/.exec(path)?.[1]);
            if (params.query === undefined) return "";
            const text = serialise(values, whole.mediaType);
            return typeof text === "string" ? encodeURIComponent(text) : String(text);
          },
        }),
        // `resultOf` reads the body, because its format depends on the documented media type.
        parseAs: "stream",
        fetch: async (request) => {
          requestId = request.headers.get("x-request-id") ?? requestId;
          const reply = await sendRepeatedly({
            operationId,
            requestId,
            baseUrl,
            transport,
            hooks,
            timeoutMs: init.timeoutMs ?? options.timeoutMs ?? 30_000,
            maxRetries: init.maxRetries ?? options.maxRetries ?? 2,
            maxResponseBytes: options.maxResponseBytes ?? 10_485_760,
            signal: init.signal,
            isStream: hasStreams ? (response) => response.ok && isStream(operation, response) : undefined,
            request,
            content: body,
          });
          if (hasStreams && reply.stream) sent = { ...reply, stream: endedBy(init.signal, reply.stream) };
          else sent = UnseenRequest ? reply : readable(reply);
          // Only fetch sets the `url` of a response, and a copied response loses it.
          Object.defineProperty(sent.response, "url", { value: request.url });
          return sent.response;
        },
      },
    );
    return resultOf(
      operationId,
      operation,
      sent?.response === response ? sent : { response, bytes: await contentOfOther(response, error) },
      requestId,
      hasOtherBodies ? readContent : readJson,
      validate && ((...read) => validate(operationId, ...read)),
    );
  };

  const use = (...middleware: Middleware[]) => {
    openapiFetch.use(...middleware);
    hasMiddleware = true;
  };
  const client: Record<string, unknown> = { use, eject: openapiFetch.eject };
  const idOf: Record<string, string> = {};
  for (const [id, { method, path }] of Object.entries(descriptions)) {
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

/** Several requests with the same value of this header are executed only once. */
function isIdempotencyKey({ in: place, name }: ParameterDescription): boolean {
  return place === "header" && name.toLowerCase() === "idempotency-key";
}

/** Lets the caller's signal end a stream, because the call's time limit applies only until the headers arrive. */
function endedBy(signal: AbortSignal | null | undefined, stream: ReadableStream): ReadableStream {
  return signal ? stream.pipeThrough(new TransformStream(), { signal }) : stream;
}

/** Makes a response that middleware and openapi-fetch can read. */
function readable({ response, bytes }: Reply): Reply {
  // A browser shows a redirect as a response of status 0, which cannot be copied.
  const isHidden = response.status === 0;
  return {
    response: isHidden ? response : new Response(bytes.byteLength > 0 ? bytes : null, response),
    bytes,
  };
}

/** Reads a response from a middleware. openapi-fetch has already read and parsed it if it is an error. */
async function contentOfOther(response: Response, error: unknown): Promise<Uint8Array<ArrayBuffer>> {
  const text = typeof error === "string" ? error : JSON.stringify(error);
  return new Uint8Array(await (response.bodyUsed ? new Response(text) : response).arrayBuffer());
}

/** A browser sends the twin of a GET that needs a body. Other platforms do not, because some know only the methods of HTTP/1.1. */
function methodFor({ method, twin, content }: OperationDescription): string {
  return twin && content?.required && isBrowser() ? twin : method;
}

/** Returns the given body or the operation's default. Leaves out a default that the transport cannot send. */
function contentOf(
  id: string,
  operation: OperationDescription,
  method: string,
  given: unknown,
  transport: Transport,
): unknown {
  const fallback = operation.content?.default;
  if (transport.sendsContentWith(method)) return given === undefined ? fallback : given;
  const isDefault = given === undefined || JSON.stringify(given) === JSON.stringify(fallback);
  if (operation.content?.required || !isDefault) throw new ContentNotSendableError(id, method);
  return undefined;
}
