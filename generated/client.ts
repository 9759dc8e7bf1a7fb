/**
 * Generated from the OpenAPI document by specbind. Edit the document, not this file.
 * @noformat
 */
/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all format: generated
// biome-ignore-all assist: generated

import { createClientOf, plainParameters, jsonBodies, jsonResponses, bearerKey, idempotentMethods } from "#specbind/client";
import type { CommonOptions, KeyOptions, CredentialsOf, InitArguments, OperationInit, OperationResult, PathCalls } from "#specbind/client";
import { type credentials, operations, secretKeyPrefixes } from "./operations.ts";
import type { operations as Operations, paths } from "./types.ts";

export type CallInit<Id extends keyof Operations> = {
  [Key in keyof OperationInit<Operations[Id]>]: OperationInit<Operations[Id]>[Key];
};

/** The result of a call, discriminated by `status`. */
export type CallResult<Id extends keyof Operations> = OperationResult<Operations[Id]>;

/** One function for each operation of the spec, with the `operationId` as its name. */
export type OperationCalls = {
  readonly [Id in keyof Operations]: (...init: InitArguments<CallInit<Id>>) => Promise<CallResult<Id>>;
};

/**
 * Calls an operation by its id or, as with openapi-fetch, by its method and path. Both return the same results.
 *
 * A call rejects with the reason of its `signal`. Before anything is sent, it rejects with an InvalidCallError or a
 * BodyNotSendableError. If no complete response arrives, it rejects with a ConnectionError, a TimeoutError or a
 * ResponseTooLargeError.
 */
export type Client = OperationCalls & PathCalls<paths>;

/** Keyed by the name of the security scheme. */
export type Credentials = CredentialsOf<typeof credentials>;

export interface ClientOptions extends CommonOptions, KeyOptions {}

/**
 * Makes a client, which has a function for each operation and the methods of openapi-fetch.
 * @throws ConfigurationError for invalid options, such as a relative `baseUrl` or a secret key in a browser
 */
export function createClient(options: ClientOptions): Client {
  return createClientOf(
    operations,
    [plainParameters, jsonBodies, jsonResponses, bearerKey(secretKeyPrefixes), idempotentMethods],
    options,
  );
}
