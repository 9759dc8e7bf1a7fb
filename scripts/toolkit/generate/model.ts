/** The spec in the form that the renderers need. It contains the final names of the generated code. */
import type { CredentialDescription, ParameterContract, Shape, Writing } from "#specbind/contract";
import type { SchemaUse } from "../json-schema/compile.ts";
import type { Json } from "../openapi/document.ts";
import type { Twin } from "../openapi/twins.ts";

export interface Header extends Field {
  readonly required: boolean;
  /** The fields of a `querystring` that is a form. */
  readonly fields: readonly Field[] | undefined;
  readonly schema: SchemaUse;
}

export interface Parameter extends Header {
  readonly in: ParameterContract["in"];
  /** The value in code samples. Undefined for an optional parameter without an example. */
  readonly example: Json | undefined;
}

export interface Field {
  readonly name: string;
  readonly type: Shape;
  /** Undefined for OpenAPI's default style. */
  readonly style: Writing["style"];
  readonly explode: boolean | undefined;
  readonly mediaType: string | undefined;
}

export interface Media {
  readonly mediaType: string;
  /** Undefined if any value is allowed. */
  readonly schema: SchemaUse | undefined;
  /** The fields of a form. Empty for other media types. */
  readonly fields: readonly Field[];
  /** True if the body is passed on in chunks. */
  readonly isStream?: boolean;
}

export interface RequestBody {
  readonly required: boolean;
  readonly mediaTypes: readonly Media[];
  /** The default of the first media type. */
  readonly default: Json | undefined;
  /** The body in code samples, in the first media type. Undefined for an optional body without an example. */
  readonly example: Json | undefined;
}

export interface Response {
  /** A unique identifier in PascalCase. Operations share the response of a component. */
  readonly name: string;
  /** A number, a range such as `4XX`, or `default`. */
  readonly status: string;
  readonly headers: readonly Header[];
  readonly mediaTypes: readonly Media[];
}

export interface SecurityRequirement {
  readonly scheme: string;
  readonly roles: readonly string[];
  /** No caller can satisfy `unknown`. */
  readonly credential: CredentialDescription | "unknown";
}

export type Credentials = { readonly [scheme: string]: SecurityRequirement["credential"] };

export interface ErrorCode {
  readonly code: string;
  readonly meaning: string;
  readonly statuses: ReadonlySet<string>;
}

export interface Operation {
  /** The spec's id if it is a unique identifier, else an id made from it or from the path. */
  readonly id: string;
  readonly pointer: string;
  readonly method: string;
  readonly path: string;
  /** Another method that calls the operation (`x-twin-of`). */
  readonly twin?: Twin | undefined;
  /** The URL of the operation's first server. */
  readonly baseUrl: string;
  /** False if a server cannot route the path, such as a path with a query. A client can still call it. */
  readonly isRouted: boolean;
  /** Alternatives of requirements. An empty alternative needs no credential. */
  readonly security: readonly (readonly SecurityRequirement[])[];
  readonly parameters: readonly Parameter[];
  readonly requestBody: RequestBody | undefined;
  readonly responses: readonly Response[];
}

export interface Model {
  /** The name of the client's package (`x-client-package`). */
  readonly clientPackage: string | undefined;
  readonly operations: readonly Operation[];
  /** The responses to requests that match no operation (`x-unmatched-responses`). */
  readonly unmatched: readonly Response[];
  readonly errorCodes: readonly ErrorCode[];
  /** Empty if all credentials are bearer tokens that do not change. */
  readonly credentials: Credentials;
  /** The prefixes of secret keys (`x-secret-prefix` of a security scheme). */
  readonly secretKeyPrefixes: readonly string[];
  readonly schemas: readonly SchemaUse[];
  /** Sorted names of properties, parameters and headers with secret values; "" for a whole body. */
  readonly sensitive: readonly string[];
}

export type ModelRule =
  | "media-type"
  | "content-without-schema"
  | "item-schema"
  | "encoding-headers"
  | "encoding-name"
  | "content-without-media-type"
  | "parameter"
  | "optional-path-parameter"
  | "allow-empty-value"
  | "allow-reserved"
  | "ignored-header"
  | "response-status"
  | "undocumented-rejection"
  | "security"
  | "servers"
  | "schema-dialect"
  | "secret-prefix"
  | "path-segment"
  | "callbacks"
  | "links";
