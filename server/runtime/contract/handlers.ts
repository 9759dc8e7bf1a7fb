import type { StatusOf } from "#specbind/contract";
import type { Awaitable } from "./awaitable.ts";

/** Media types that are parsed. A body of type `text/*` is a string. A body of another media type is bytes. */
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
type SentAs<MediaType, Body> = Body extends ReadableStream
  ? ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>
  : SentWhole<MediaType, Body>;
type SentWhole<MediaType, Body> =
  ReceivedAs<MediaType, Body> extends infer Known ? (Known extends Uint8Array ? Known | Blob : Known) : never;

type ReceivedBody<Message> = Message extends { content: infer MediaTypes }
  ? { [MediaType in keyof MediaTypes]: ReceivedAs<MediaType, MediaTypes[MediaType]> }[keyof MediaTypes]
  : undefined;
type SentBody<Message> = Message extends { content: infer MediaTypes }
  ? {
      readonly body: {
        [MediaType in keyof MediaTypes]: SentAs<MediaType, MediaTypes[MediaType]>;
      }[keyof MediaTypes];
    }
  : { readonly body?: undefined };

interface OperationTypes {
  parameters: { path?: unknown; query?: unknown; header?: unknown; cookie?: unknown };
  requestBody?: unknown;
}

export type OperationRequest<Received extends OperationTypes> = {
  readonly [Place in "path" | "query" | "header" | "cookie"]: Readonly<Given<Received["parameters"], Place>>;
} & {
  readonly body: ReceivedBody<Received["requestBody"]>;
};

/** A location without parameters is an empty object. The query is undefined if a `querystring` parameter is absent. */
type Given<Parameters, Place extends keyof Parameters> =
  Record<never, never> extends Pick<Parameters, Place>
    ? // Any name may be read from `never`, but not from an empty object.
      [NonNullable<Parameters[Place]>] extends [never]
      ? Record<never, never>
      : NonNullable<Parameters[Place]>
    : Parameters[Place];

/** Headers that the binding adds, so handlers must not set them. */
type CommonHeader = "X-Request-Id" | "Cache-Control" | "Accept-Query";

type HeadersOf<Message> = Message extends { headers: infer Headers }
  ? {
      readonly [Name in keyof Headers as string extends Name
        ? never
        : Name extends CommonHeader
          ? never
          : Name]: Headers[Name];
    }
  : unknown;

type WithHeaders<Documented> =
  Record<never, never> extends Documented
    ? { readonly headers?: Documented & Readonly<Record<string, string | number>> }
    : { readonly headers: Documented & Readonly<Record<string, string | number>> };

/** The types of each operation of a document. Generated code has such a table. */
export interface OperationTable {
  readonly [operation: string]: {
    readonly documented: { responses: unknown };
    readonly received: OperationTypes;
    readonly security: readonly unknown[];
    readonly callbacks?: unknown;
  };
}

export type RequestOf<
  Operation extends keyof Operations,
  Operations extends OperationTable,
> = OperationRequest<Operations[Operation]["received"]>;

/**
 * One of the documented responses, discriminated by `status`. If the spec has several media types, the header
 * `Content-Type` chooses one; JSON is the default.
 */
export type ResponseOf<
  Operation extends keyof Operations,
  Operations extends OperationTable,
> = OperationResponse<Operations[Operation]["documented"]>;

export type OperationResponse<Documented extends { responses: unknown }> = OneOf<Documented["responses"]>;

type OneOf<Responses> = {
  [Key in keyof Responses]: { readonly status: StatusOf<Responses, Key> } & SentBody<Responses[Key]> &
    WithHeaders<HeadersOf<Responses[Key]>>;
}[keyof Responses];

/** The principal may be undefined if the operation can be called without a credential. */
export type WithPrincipal<Security extends readonly unknown[], Context> = Security extends readonly []
  ? Omit<Context, "principal">
  : readonly [] extends Security[number]
    ? Omit<Context, "principal"> & Partial<Pick<Context, "principal" & keyof Context>>
    : Context;

/** Only documents with callbacks have them in their table. */
type WithCallbacks<Types> = Types extends { readonly callbacks: infer Callbacks }
  ? [Callbacks] extends [never]
    ? unknown
    : { readonly callbacks: Callbacks }
  : unknown;

declare const madeByHandler: unique symbol;

/** Only a function of `handlerMaker` can make one, because it finds undeclared properties. */
export type Handler<
  Operation extends keyof Operations,
  Context,
  Operations extends OperationTable,
> = HandlerFunction<Operation, Context, Operations, ResponseOf<Operation, Operations>> & {
  readonly [madeByHandler]: Operation;
};

type HandlerFunction<
  Operation extends keyof Operations,
  Context,
  Operations extends OperationTable,
  Response,
> = (
  request: RequestOf<Operation, Operations>,
  context: WithPrincipal<Operations[Operation]["security"], Context> & WithCallbacks<Operations[Operation]>,
) => Awaitable<Response>;

/** A handler for every operation. With `satisfies`, a missing or an extra handler is a compile error. */
export type Handlers<Context, Operations extends OperationTable> = {
  readonly [Operation in keyof Operations]: Handler<Operation, Context, Operations>;
};

/**
 * A response with a property that the spec does not declare is a compile error. TypeScript reports such properties only
 * in functions with a written return type, so the inferred type is compared. `Made` replaces the type of the handler.
 */
export type HandlerMaker<Context, Operations extends OperationTable, Made = never> = <
  Operation extends keyof Operations,
  Handle extends HandlerFunction<
    Operation,
    Context,
    Operations,
    ResponseOf<Operation, Operations> | AnyResponse
  >,
>(
  operation: Operation,
  handle: Handle & Checked<Awaited<ReturnType<Handle>>, ResponseOf<Operation, Operations>>,
) => [Made] extends [never] ? Handler<Operation, Context, Operations> : Made;

/**
 * A response with any status, so that `Checked` finds a wrong one and names it. The statuses are listed, because
 * TypeScript infers `number` where the expected type is `number`. The property tells the type from a handler's response.
 */
interface AnyResponse {
  readonly status: StatusOf<unknown, "default">;
  readonly [any]?: never;
}
declare const any: unique symbol;

export function handlerMaker<Context, Operations extends OperationTable>(): HandlerMaker<
  Context,
  Operations
> {
  // The property `madeByHandler` exists only in the type.
  return (_, handle) => handle as never;
}

type Checked<Sent, Documented> = [UndocumentedStatus<Sent, Documented>] extends [never]
  ? (
      ...call: never
    ) => Awaitable<
      Sent extends Documented
        ? Declared<Sent, Documented>
        : OfStatus<Sent extends { readonly status: infer Status } ? Status : never, Documented>
    >
  : `the spec has no status ${UndocumentedStatus<Sent, Documented>} for this operation`;

/** The documented responses of a status, which may be one of a class such as `4XX`. All of them, if there is no status. */
type OfStatus<Status, Documented> = Documented extends { readonly status: unknown }
  ? [Status] extends [Documented["status"]]
    ? Documented
    : never
  : never;

type UndocumentedStatus<Sent, Documented> = Exclude<StatusIn<Sent>, StatusIn<Documented>>;
type StatusIn<Response> = Response extends { readonly status: infer Status extends number }
  ? typeof any extends keyof Response
    ? never
    : Status
  : never;

/** The sent type, changed so that no value can be assigned to an undeclared property. */
export type Declared<Sent, Documented> = unknown extends Documented
  ? Sent
  : Sent extends string | number | boolean | null | undefined | Blob | Uint8Array | AsyncIterable<Uint8Array>
    ? Sent
    : Sent extends readonly (infer Item)[]
      ? readonly Declared<Item, Extract<Documented, readonly unknown[]>[number]>[]
      : DeclaredObject<Sent, Fitting<Sent, Documented>>;

type DeclaredObject<Sent, Documented> = {
  [Key in keyof Sent]: Key extends KeyOf<Documented>
    ? Declared<Sent[Key], Documented extends { readonly [_ in Key]?: infer Value } ? Value : never>
    : "this property is not in the spec" | undefined;
};

/** The members of a union to which the value can be assigned. */
type Fitting<Sent, Documented> = Documented extends unknown
  ? Sent extends Documented
    ? Documented
    : never
  : never;
type KeyOf<Union> = Union extends unknown ? keyof Union : never;
