/** What generated files say about a document: to a server as a contract, to a client as descriptions of operations. */
import type { Format } from "./format.ts";

export { assertFormat, type Format } from "./format.ts";

/** A violation of a schema. `pointer` is a JSON pointer (RFC 6901) into the value. */
export interface Problem {
  pointer: string;
  message: string;
}

/** Adds every problem of the value to `problems`. Returns true if there is none. */
export type Validate = (value: unknown, problems: Problem[]) => boolean;

export type Scalar = "string" | "number" | "integer" | "boolean" | "null";

/** The type that a text is converted to before it is validated. A list contains alternatives. */
export type Shape =
  | Scalar
  | { readonly items: Shape }
  | { readonly properties: { readonly [name: string]: Shape }; readonly others?: Shape }
  | readonly Shape[];

/** How a value is written as text. An absent field has OpenAPI's default. */
export interface Writing {
  readonly type: Shape;
  readonly style?: "simple" | "label" | "matrix" | "form" | "spaceDelimited" | "pipeDelimited" | "deepObject";
  readonly explode?: boolean;
  /** The media type of the text. If it is set, style and explode are not used. */
  readonly mediaType?: string;
}

export interface HeaderContract extends Writing {
  readonly name: string;
  readonly required: boolean;
  readonly validate: Validate;
}

export interface ParameterContract extends HeaderContract {
  /** `querystring` is the whole query, as an object. */
  readonly in: "path" | "query" | "querystring" | "header" | "cookie";
  /** Fills in defaults. */
  readonly complete?: (value: unknown) => unknown;
  /** The known fields of a `querystring` that is a form. */
  readonly fields?: { readonly [name: string]: Writing };
}

export interface MediaContract {
  /** Absent if any body is allowed. */
  readonly validate?: Validate;
  /** Fills in defaults, in place. Returns the default of the root for undefined. */
  readonly complete?: (value: unknown) => unknown;
  /** The known fields of a form. */
  readonly fields?: { readonly [name: string]: Writing };
}

export interface RequestBodyContract {
  readonly required: boolean;
  /** Keyed by media type. Its type and its subtype may be `*`. */
  readonly mediaTypes: { readonly [mediaType: string]: MediaContract };
}

export interface ResponseContract {
  readonly headers: readonly HeaderContract[];
  readonly mediaTypes: {
    readonly [mediaType: string]: {
      readonly validate?: Validate;
      /** Returns a copy with only the declared properties. */
      readonly project?: (value: unknown) => unknown;
    };
  };
}

/** Keyed by status, by status class, or by `default`. */
export interface ResponseContracts {
  readonly [status: number | `${number}XX`]: ResponseContract;
  readonly default?: ResponseContract;
}

/** The response for the status, else the one for its class, such as `4XX`, else the default. */
export function responseFor<Response>(
  responses: { readonly [status: number | `${number}XX`]: Response; readonly default?: Response },
  status: number,
): Response | undefined {
  return responses[status] ?? responses[`${Math.floor(status / 100)}XX`] ?? responses.default;
}

/** A required credential, with all its required roles. */
export interface SecurityRequirement {
  readonly scheme: string;
  readonly roles: readonly string[];
  /** How the credential is sent. Default: as a bearer token. `certificate` is mutual TLS. No caller can send `unknown`. */
  readonly credential?:
    | "basic"
    | "certificate"
    | "unknown"
    | { readonly in: "header" | "query" | "cookie"; readonly name: string };
}

export interface OperationContract {
  readonly method: string;
  /** The path template, with parameters in braces. */
  readonly path: string;
  /** Another method for the same request. */
  readonly twin?: string;
  /** Alternatives. A caller must satisfy all requirements of one alternative. Empty if no credential is needed. */
  readonly security: readonly (readonly SecurityRequirement[])[];
  readonly parameters: readonly ParameterContract[];
  readonly requestBody?: RequestBodyContract;
  readonly responses: ResponseContracts;
}

export function methodsOf({ method, twin }: Pick<OperationContract, "method" | "twin">): string[] {
  return twin === undefined ? [method] : [method, twin];
}

export interface Contract {
  readonly format: Format;
  /** The format of the validators. */
  readonly validators: Format;
  readonly operations: { readonly [operationId: string]: OperationContract };
  /** Responses to requests that match no operation. */
  readonly unmatched: ResponseContracts;
  /** Names of properties, parameters and headers with secret values. The name of a whole body is "". */
  readonly sensitive: readonly string[];
}

/** A parameter, and how it is written if it is not plain text. An absent field has OpenAPI's default. */
export interface ParameterDescription {
  /** `querystring` is the whole query, as an object. */
  readonly in: "path" | "query" | "querystring" | "header" | "cookie";
  readonly name: string;
  readonly style?: string;
  readonly explode?: boolean;
  readonly mediaType?: string;
}

/** How a credential is sent: as a bearer token, as user name and password, by TLS, or in a separate parameter. */
export type CredentialDescription =
  | "bearer"
  | "basic"
  | "certificate"
  | { readonly in: string; readonly name: string };

/** What a caller needs to know about an operation. */
export interface OperationDescription {
  readonly method: string;
  /** The path template, with parameters in braces. */
  readonly path: string;
  /** Another method for the same request. */
  readonly twin?: string;
  /** All parameters except path parameters that are plain text. */
  readonly parameters?: readonly ParameterDescription[];
  /** The body of a request. `default` is sent if a caller gives no body. */
  readonly requestBody?: {
    readonly required: boolean;
    readonly mediaTypes: readonly string[];
    readonly default?: unknown;
  };
  /** Alternatives, each a list of security schemes. Absent if every credential is a bearer token. */
  readonly security?: readonly (readonly string[])[];
  /** Media types of responses that are streams of items. */
  readonly streams?: readonly string[];
  /** Media types, keyed by documented status, by status class such as `4XX`, or by `default`. */
  readonly responses: { readonly [status: string]: readonly string[] };
}

type Digit = 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9;
type StatusOfClass<Class extends 2 | 3 | 4 | 5> = `${Class}${Digit}${Digit}` extends infer Text
  ? Text extends `${infer Status extends number}`
    ? Status
    : never
  : never;
type ClassNamed<Key> = Key extends `${infer Class extends 2 | 3 | 4 | 5}XX` ? Class : never;

/** The statuses for a key of an operation's responses: one number, a class such as `4XX`, or all others. */
export type StatusOf<Responses, Key> = Key extends number
  ? Key
  : Key extends "default"
    ? Exclude<StatusOfClass<2 | 3 | 4 | 5>, keyof Responses | StatusOfClass<ClassNamed<keyof Responses>>>
    : Exclude<StatusOfClass<ClassNamed<Key>>, keyof Responses>;
