import type { FetchOptions } from "openapi-fetch";
import type {
  IsOperationRequestBodyOptional,
  OperationRequestBodyContent,
  RequiredKeysOf,
} from "openapi-typescript-helpers";
import type { CallOptions } from "./options.ts";

/** The body has the generated type, because openapi-fetch's type would turn tuples into arrays. */
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

/** The argument of a call. It is optional if it has no required property. */
export type InitArguments<Init> = RequiredKeysOf<Init> extends never ? [init?: Init] : [init: Init];
