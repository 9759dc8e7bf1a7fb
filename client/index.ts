/** The client of the service. Everything that may be imported is named here. */
export type { components, operations, paths } from "../generated/types.ts";
export type { CallInit, CallResult, Client, ClientOptions } from "./create-client.ts";
export { createClient } from "./create-client.ts";
export { ApiError, ConnectionError, ContentNotSendableError, unwrap } from "./errors.ts";
export type { DocumentedResult, OperationResult, UndocumentedResult } from "./result.ts";
