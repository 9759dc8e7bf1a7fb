/** The client of the service: everything that users can import. */
export type { components, operations, paths } from "../generated/types.ts";
export type { CallInit, CallResult, Client } from "./runtime/create-client.ts";
export { createClient } from "./runtime/create-client.ts";
export {
  ApiError,
  CallError,
  ConfigurationError,
  ConnectionError,
  ContentNotSendableError,
  InvalidCallError,
  ResponseTooLargeError,
  TimeoutError,
  unwrap,
} from "./runtime/errors.ts";
export type {
  Attempt,
  BasicCredential,
  CallOptions,
  ClientOptions,
  Credential,
  Credentials,
  Hooks,
  ResponseProblem,
  ResponseValidator,
  TlsOptions,
} from "./runtime/options.ts";
export type { CallProblem } from "./runtime/problems.ts";
export type { DocumentedResult, OperationResult, UndocumentedResult } from "./runtime/result.ts";
