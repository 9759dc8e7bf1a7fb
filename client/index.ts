/** The client of the service. Everything that may be imported is named here. */
export type { components, operations, paths } from "../generated/types.ts";
export type { CallProblem } from "./check-call.ts";
export type { CallInit, CallResult, Client } from "./create-client.ts";
export { createClient } from "./create-client.ts";
export { debugLog } from "./debug.ts";
export {
  ApiError,
  CallError,
  ConnectionError,
  ContentNotSendableError,
  InvalidCallError,
  ResponseTooLargeError,
  TimeoutError,
  unwrap,
} from "./errors.ts";
export type {
  Attempt,
  CallOptions,
  ClientOptions,
  Hooks,
  ResponseProblem,
  ResponseValidator,
  TlsOptions,
} from "./options.ts";
export type { DocumentedResult, OperationResult, UndocumentedResult } from "./result.ts";
