/** The client of the service: everything that users can import. */
export type { components, operations, paths } from "../generated/types.ts";
export type { CallInit, CallResult, Client } from "./create-client.ts";
export { createClient } from "./create-client.ts";
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
} from "./errors.ts";
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
} from "./options.ts";
export type { CallProblem } from "./problems.ts";
export type { DocumentedResult, OperationResult, UndocumentedResult } from "./result.ts";
