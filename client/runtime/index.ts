/**
 * The client of any document. `generated/client.ts` binds it to a document, and is the only user of what is internal.
 */

/** @internal */
export { bearerKey } from "./api-key.ts";
export type { InitArguments, OperationInit, PathCalls } from "./call-types.ts";
/** @internal */
export { createClientOf } from "./create-client.ts";
export {
  ApiError,
  BodyNotSendableError,
  CallError,
  ConfigurationError,
  ConnectionError,
  InvalidCallError,
  ResponseTooLargeError,
  TimeoutError,
  unwrap,
} from "./errors.ts";
export type {
  Attempt,
  BasicCredential,
  CallOptions,
  CommonOptions,
  Credential,
  CredentialOptions,
  CredentialsOf,
  Hooks,
  KeyOptions,
  ResponseProblem,
  ResponseValidator,
  TlsOptions,
} from "./options.ts";
/** @internal */
export { anyBodies, anyResponses } from "./parts/bodies.ts";
/** @internal */
export { schemeCredentials } from "./parts/credentials.ts";
/** @internal */
export { idempotencyKeys } from "./parts/idempotency-keys.ts";
/** @internal */
export { styledParameters } from "./parts/parameters.ts";
/** @internal */
export { streamedResponses } from "./parts/streams.ts";
/** @internal */
export { idempotentMethods, jsonBodies, jsonResponses, noCredentials, plainParameters } from "./parts.ts";
export type { CallProblem } from "./problems.ts";
export type { AnyResult, DocumentedResult, OperationResult, UndocumentedResult } from "./result.ts";
