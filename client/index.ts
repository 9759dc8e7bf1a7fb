/** Everything that users can import. `createClient` makes an openapi-fetch client for the paths of the spec. */
export {
  ApiError,
  type Attempt,
  type BasicCredential,
  BodyNotSendableError,
  CallError,
  type CallOptions,
  type CallProblem,
  ConfigurationError,
  ConnectionError,
  type Credential,
  type DocumentedResult,
  type Hooks,
  InvalidCallError,
  type OperationResult,
  type ResponseProblem,
  ResponseTooLargeError,
  type ResponseValidator,
  TimeoutError,
  type TlsOptions,
  type UndocumentedResult,
  unwrap,
} from "#specbind/client";
export type { CallInit, CallResult, Client, ClientOptions, Credentials } from "../generated/client.ts";
export { createClient } from "../generated/client.ts";
export type { components, operations, paths } from "../generated/types.ts";
