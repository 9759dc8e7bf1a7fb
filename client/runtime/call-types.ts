/** The types of calls, for the paths and operations that openapi-typescript generates from a document. */
import type { FetchOptions, Client as OpenapiFetch } from "openapi-fetch";
import type {
  HttpMethod,
  IsOperationRequestBodyOptional,
  OperationRequestBodyContent,
  RequiredKeysOf,
} from "openapi-typescript-helpers";
import type { CallOptions } from "./options.ts";
import type { OperationResult } from "./result.ts";

/** The body has the generated type, because openapi-fetch's type would turn tuples into arrays. */
export type OperationInit<Operation> = CallOptions &
  Pick<
    FetchOptions<Operation>,
    keyof FetchOptions<Operation> & ("params" | "headers" | "signal" | "middleware")
  > &
  RequestBodyInit<Operation>;

type RequestBodyInit<Operation> = [OperationRequestBodyContent<Operation>] extends [never]
  ? { body?: never }
  : IsOperationRequestBodyOptional<Operation> extends true
    ? { body?: OperationRequestBodyContent<Operation> }
    : { body: OperationRequestBodyContent<Operation> };

/** The argument of a call. It is optional if it has no required property. */
export type InitArguments<Init> = RequiredKeysOf<Init> extends never ? [init?: Init] : [init: Init];

/** OpenAPI 3.2 adds `query` and, in upper case, any other method. openapi-fetch does not know them. */
type Method<Paths> =
  | HttpMethod
  | "query"
  | Extract<{ [Path in keyof Paths]: keyof Paths[Path] }[keyof Paths], Uppercase<string>>;

type At<Paths, Path extends keyof Paths, M> = Paths[Path][M & keyof Paths[Path]];

type PathsWith<Paths, M extends PropertyKey> = {
  [Path in keyof Paths]: Paths[Path] extends Record<M, unknown> ? Path : never;
}[keyof Paths];

type PathResult<Paths, Path extends keyof Paths, M> = OperationResult<
  Extract<At<Paths, Path, M>, { responses: unknown }>
>;

/** The paths are written out here. Otherwise compile errors would contain the name of a helper type. */
type PathCall<Paths, M extends PropertyKey> = <
  Path extends {
    [Each in keyof Paths]: Each extends PathsWith<Paths, M> ? Each : never;
  }[keyof Paths],
>(
  path: Path,
  ...init: InitArguments<PathInit<Paths, Path, M>>
) => Promise<PathResult<Paths, Path, M>>;

/** The mapped type makes compile errors show this short name. */
type PathInit<Paths, Path extends keyof Paths, M> = {
  [Key in keyof OperationInit<At<Paths, Path, M>>]: OperationInit<At<Paths, Path, M>>[Key];
};

/** One function for each HTTP method that the document uses, and the functions for middleware of openapi-fetch. */
export type PathCalls<Paths extends object> = Pick<OpenapiFetch<Paths>, "use" | "eject"> & {
  readonly [M in Method<Paths> as [PathsWith<Paths, M>] extends [never] ? never : Uppercase<M>]: PathCall<
    Paths,
    M
  >;
};
