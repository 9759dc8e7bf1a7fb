/** Renders `client.ts`, which binds the client of any document to this document, with only the parts that it needs. */
import { isJson } from "#specbind/media-type";
import type { Model, Operation } from "./model.ts";
import { isNoPlainText, streamsOf } from "./render-operations.ts";
import { banner } from "./source-text.ts";

/** @param runtime what the names of the runtime's modules begin with */
export function renderClient({ operations, credentials: schemes }: Model, runtime: string): string {
  const hasOtherBodies = operations.some(hasOtherBody);
  const hasStreams = operations.some((each) => streamsOf(each).length > 0);
  const hasSchemes = Object.keys(schemes).length > 0;
  const isOpen = !hasSchemes && operations.every(({ security }) => security.length === 0);
  const parameters = operations.some(needsWriter) ? "styledParameters" : "plainParameters";
  const bodies = hasOtherBodies ? "anyBodies" : "jsonBodies";
  const responses = hasStreams ? "streamedResponses" : hasOtherBodies ? "anyResponses" : "jsonResponses";
  const ofSchemes = `schemeCredentials(secretKeyPrefixes, credentials)`;
  const credentials = hasSchemes ? ofSchemes : isOpen ? "noCredentials" : "bearerKey(secretKeyPrefixes)";
  const repetition = operations.some(hasIdempotencyKey) ? "idempotencyKeys" : "idempotentMethods";
  const ofCredentials = hasSchemes ? "CredentialOptions" : "KeyOptions";
  const options = hasSchemes ? [`${ofCredentials}<Credentials>`] : isOpen ? [] : [ofCredentials];
  const values = [
    "createClientOf",
    parameters,
    bodies,
    responses,
    credentials.replace(/\(.*/, ""),
    repetition,
  ];
  const types = [
    "CommonOptions",
    ...(isOpen ? [] : [ofCredentials]),
    "CredentialsOf",
    "InitArguments",
    "OperationInit",
  ].concat("OperationResult", "PathCalls");
  return `${banner}
import { ${values.join(", ")} } from "${runtime}/client";
import type { ${types.join(", ")} } from "${runtime}/client";
import { ${hasSchemes ? "" : "type "}credentials, operations${isOpen ? "" : ", secretKeyPrefixes"} } from "./operations.ts";
import type { operations as Operations, paths } from "./types.ts";

export type CallInit<Id extends keyof Operations> = {
  [Key in keyof OperationInit<Operations[Id]>]: OperationInit<Operations[Id]>[Key];
};

/** The result of a call, discriminated by \`status\`. */
export type CallResult<Id extends keyof Operations> = OperationResult<Operations[Id]>;

/** One function for each operation of the spec, with the \`operationId\` as its name. */
export type OperationCalls = {
  readonly [Id in keyof Operations]: (...init: InitArguments<CallInit<Id>>) => Promise<CallResult<Id>>;
};

/**
 * Calls an operation by its id or, as with openapi-fetch, by its method and path. Both return the same results.
 *
 * A call rejects with the reason of its \`signal\`. Before anything is sent, it rejects with an InvalidCallError or a
 * BodyNotSendableError. If no complete response arrives, it rejects with a ConnectionError, a TimeoutError or a
 * ResponseTooLargeError.
 */
export type Client = OperationCalls & PathCalls<paths>;

/** Keyed by the name of the security scheme. */
export type Credentials = CredentialsOf<typeof credentials>;

export interface ClientOptions extends ${["CommonOptions", ...options].join(", ")} {}

/**
 * Makes a client, which has a function for each operation and the methods of openapi-fetch.
 * @throws ConfigurationError for invalid options, such as a relative \`baseUrl\` or a secret key in a browser
 */
export function createClient(options: ClientOptions): Client {
  return createClientOf(
    operations,
    [${parameters}, ${bodies}, ${responses}, ${credentials}, ${repetition}],
    options,
  );
}
`;
}

/** True if any parameter of path or query needs more than percent-encoding, such as a style or a media type. */
function needsWriter({ path, parameters }: Operation): boolean {
  return /[?#]/.test(path) || parameters.some(isNoPlainText);
}

/** True unless every media type is JSON, and neither a range nor with a parameter that a response must have. */
function hasOtherBody({ requestBody, responses }: Operation): boolean {
  return [requestBody, ...responses].some((body) =>
    body?.mediaTypes.some(({ mediaType }) => !isJson(mediaType) || /\*|;\s*(?!charset=)/i.test(mediaType)),
  );
}

/** True if the operation has the header `Idempotency-Key`, which makes a request safe to repeat. */
function hasIdempotencyKey({ parameters }: Operation): boolean {
  return parameters.some((each) => each.in === "header" && each.name.toLowerCase() === "idempotency-key");
}
