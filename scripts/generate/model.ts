/** What the spec says, in the form that every renderer needs. Names have been decided, and no stage decides others. */
import type { Json } from "../openapi/document.ts";
import type { Shape } from "./shapes.ts";

/** A schema that gets a validator of its own. `name` is a unique identifier in PascalCase. */
export interface SchemaUse {
  readonly name: string;
  readonly pointer: string;
  readonly use: "request" | "response" | "parameter";
}

export interface Parameter {
  readonly in: "path" | "query" | "header" | "cookie";
  readonly name: string;
  readonly required: boolean;
  /** What its text is read as before the validator sees it. */
  readonly type: Shape;
  /** Set where they are not what OpenAPI means by leaving them out. */
  readonly style: Style | undefined;
  readonly explode: boolean | undefined;
  /** The media type of its text, where it has one. */
  readonly mediaType: string | undefined;
  readonly schema: SchemaUse;
}

export type Style =
  | "simple"
  | "label"
  | "matrix"
  | "form"
  | "spaceDelimited"
  | "pipeDelimited"
  | "deepObject";

/** How one field of a form is written. */
export interface Field {
  readonly name: string;
  readonly type: Shape;
  readonly style: Style | undefined;
  readonly explode: boolean | undefined;
  readonly mediaType: string | undefined;
}

export interface Media {
  readonly mediaType: string;
  /** Undefined where any content is meant. */
  readonly schema: SchemaUse | undefined;
  /** The fields of a form; empty for anything else. */
  readonly fields: readonly Field[];
}

export interface Content {
  readonly required: boolean;
  /** What a caller means that sends none: the `default` at the root of the schema. */
  readonly default: Json | undefined;
  readonly mediaTypes: readonly Media[];
}

export interface Response {
  /** Shared by every operation that refers to the same component; a unique identifier in PascalCase. */
  readonly name: string;
  /** A number, a range such as `4XX`, or `default`. */
  readonly status: string;
  readonly headers: readonly Omit<Parameter, "in">[];
  readonly mediaTypes: readonly Media[];
}

/** One credential that is needed, with all of its roles. */
export interface SecurityRequirement {
  readonly scheme: string;
  readonly roles: readonly string[];
  /** How the credential is sent: `unknown` is met by no caller. */
  readonly sent: "bearer" | "basic" | "unknown" | { readonly in: string; readonly name: string };
}

export interface Operation {
  /** The spec's own id where that is an identifier and the first of its name, else one made from it or from the path. */
  readonly id: string;
  readonly pointer: string;
  readonly method: string;
  readonly path: string;
  /** Alternatives, each of requirements that are needed together; of none where no credential is needed. */
  readonly security: readonly (readonly SecurityRequirement[])[];
  readonly parameters: readonly Parameter[];
  readonly content: Content | undefined;
  readonly responses: readonly Response[];
}

export interface Model {
  readonly operations: readonly Operation[];
  /** What a request gets that matches no operation (`x-unmatched-responses`). */
  readonly unmatched: readonly Response[];
  /** What tells a secret key from others that may be shown (`x-secret-prefix` of a security scheme). */
  readonly secretKeyPrefixes: readonly string[];
  readonly schemas: readonly SchemaUse[];
  /** Names of properties, parameters and headers whose values are secrets, sorted; "" where a whole content is one. */
  readonly sensitive: readonly string[];
}

/** The names of what the contract cannot keep. */
export type ModelRule =
  | "media-type"
  | "content-without-schema"
  | "content-without-media-type"
  | "parameter"
  | "optional-path-parameter"
  | "allow-empty-value"
  | "allow-reserved"
  | "ignored-header"
  | "response-status"
  | "security"
  | "schema-dialect"
  | "secret-prefix"
  | "path-segment"
  | "webhooks"
  | "callbacks"
  | "links";
