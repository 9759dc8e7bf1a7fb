/**
 * The types of the handlers, taken from the generated types: one function for each operation of the spec, no more and
 * no fewer, from its request as received to one of its documented responses.
 */
import type { StatusOf } from "../../generated/operations.ts";
import type { operations as ReceivedOperations } from "../../generated/received.ts";
import type { operations as DocumentedOperations } from "../../generated/types.ts";

/** Types that are parsed; what is text stays text, and all else is bytes. */
type Parsed =
  | `${string}/json`
  | `${string}+json`
  | `${string}json;${string}`
  | "application/x-www-form-urlencoded"
  | "multipart/form-data";
type ReceivedAs<MediaType, Body> = MediaType extends Parsed
  ? Body
  : MediaType extends `text/${string}`
    ? string
    : MediaType extends `${string}*${string}`
      ? unknown
      : Uint8Array;
type SentAs<MediaType, Body> =
  ReceivedAs<MediaType, Body> extends infer Known ? (Known extends Uint8Array ? Known | Blob : Known) : never;

type ReceivedContent<Message> = Message extends { content: infer Content }
  ? { [MediaType in keyof Content]: ReceivedAs<MediaType, Content[MediaType]> }[keyof Content]
  : undefined;
type SentContent<Message> = Message extends { content: infer Content }
  ? { readonly body: { [MediaType in keyof Content]: SentAs<MediaType, Content[MediaType]> }[keyof Content] }
  : { readonly body?: undefined };

interface OperationTypes {
  parameters: { path?: unknown; query?: unknown; header?: unknown; cookie?: unknown };
  requestBody?: unknown;
}

/** A request after validation: parameters and content are of the spec's types, and defaults are filled in. */
export type OperationRequest<Received extends OperationTypes> = {
  readonly [Place in "path" | "query" | "header" | "cookie"]: Readonly<
    NonNullable<Received["parameters"][Place]>
  >;
} & {
  readonly body: ReceivedContent<Received["requestBody"]>;
};

/** One of the documented responses, told apart by `status`. */
export type OperationResponse<Documented extends { responses: unknown }> = {
  [Key in keyof Documented["responses"]]: {
    readonly status: StatusOf<Documented["responses"], Key>;
    /** `Content-Type` chooses where the spec has several media types; JSON needs no choice. */
    readonly headers?: Readonly<Record<string, string | number>>;
  } & SentContent<Documented["responses"][Key]>;
}[keyof Documented["responses"]];

/** What answers one operation. `Context` is whatever the application passes along, such as the caller's principal. */
export type Handler<Id extends keyof DocumentedOperations & keyof ReceivedOperations, Context> = (
  request: OperationRequest<ReceivedOperations[Id]>,
  context: Context,
) => Promise<OperationResponse<DocumentedOperations[Id]>>;

/** A handler for every operation of the spec. Use it with `satisfies`, so that a missing or an extra one is an error. */
export type Handlers<Context> = {
  readonly [Id in keyof DocumentedOperations & keyof ReceivedOperations]: Handler<Id, Context>;
};
