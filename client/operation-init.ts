/** What a call takes, by the types of its operation. */
import type { FetchOptions } from "openapi-fetch";
import type {
  IsOperationRequestBodyOptional,
  OperationRequestBodyContent,
  RequiredKeysOf,
} from "openapi-typescript-helpers";
import type { CallOptions } from "./options.ts";

/**
 * What openapi-fetch takes of a call, but for what the spec decides, such as how it is written, and what this client
 * adds. Content is of the generated type itself, which knows no read-only property: openapi-fetch's own would turn
 * tuples into arrays.
 */
export type OperationInit<Operation> = CallOptions &
  Pick<
    FetchOptions<Operation>,
    keyof FetchOptions<Operation> & ("params" | "headers" | "signal" | "middleware")
  > &
  ContentInit<Operation>;

type ContentInit<Operation> = [OperationRequestBodyContent<Operation>] extends [never]
  ? { body?: never }
  : IsOperationRequestBodyOptional<Operation> extends true
    ? { body?: OperationRequestBodyContent<Operation> }
    : { body: OperationRequestBodyContent<Operation> };

/** The argument of a call, which may be left out where nothing in it is required. */
export type InitArguments<Init> = RequiredKeysOf<Init> extends never ? [init?: Init] : [init: Init];
