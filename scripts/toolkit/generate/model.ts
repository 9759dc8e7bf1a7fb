/** The spec in the form that the renderers need. It contains the final names of the generated code. */
import type { ParameterContract, Shape, Writing } from "#specbind/contract";
import type { Twin } from "../openapi/twins.ts";

/** A schema with its own validator. `name` is a unique identifier in PascalCase. */
export interface SchemaUse {
  readonly name: string;
  readonly pointer: string;
  readonly use: "request" | "response" | "parameter";
}

export interface Parameter extends Field {
  readonly in: ParameterContract["in"];
  readonly required: boolean;
  /** The fields of a `querystring` that is a form. */
  readonly fields: readonly Field[] | undefined;
  readonly schema: SchemaUse;
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

export interface Content {
  readonly required: boolean;
  readonly mediaTypes: readonly Media[];
}

export interface Response {
  /** A unique identifier in PascalCase. Operations share the response of a component. */
  readonly name: string;
  /** A number, a range such as `4XX`, or `default`. */
  readonly status: string;
  readonly headers: readonly Omit<Parameter, "in">[];
  readonly mediaTypes: readonly Media[];
}

export interface SecurityRequirement {
  readonly scheme: string;
  readonly roles: readonly string[];
  /** No caller can satisfy `unknown`. */
  readonly sent: "bearer" | "basic" | "unknown" | { readonly in: string; readonly name: string };
}

export interface Operation {
  /** The spec's id if it is a unique identifier, else an id made from it or from the path. */
  readonly id: string;
  readonly pointer: string;
  readonly method: string;
  readonly path: string;
  /** Another method that calls the operation (`x-twin-of`). */
  readonly twin?: Twin | undefined;
  /** False if a server cannot route the path, such as a path with a query. A client can still call it. */
  readonly isRouted: boolean;
  /** Alternatives of requirements. An empty alternative needs no credential. */
  readonly security: readonly (readonly SecurityRequirement[])[];
  readonly parameters: readonly Parameter[];
  readonly content: Content | undefined;
  readonly responses: readonly Response[];
}

export interface Model {
  readonly operations: readonly Operation[];
  /** The responses to requests that match no operation (`x-unmatched-responses`). */
  readonly unmatched: readonly Response[];
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
  | "content-without-media-type"
  | "parameter"
  | "optional-path-parameter"
  | "allow-empty-value"
  | "allow-reserved"
  | "ignored-header"
  | "response-status"
  | "undocumented-rejection"
  | "security"
  | "schema-dialect"
  | "secret-prefix"
  | "path-segment"
  | "webhooks"
  | "callbacks"
  | "links";
