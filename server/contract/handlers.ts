/**
 * The types of the handlers, taken from the generated types: one function for each operation of the spec, no more and
 * no fewer, from its request as received to one of its documented responses.
 */
import type { contract } from "../../generated/contract.ts";
import type { operations as ReceivedOperations } from "../../generated/received.ts";
import type { operations as DocumentedOperations } from "../../generated/types.ts";

type JsonContent<Message> = Message extends { content: { "application/json": infer Body } }
  ? Body
  : undefined;

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
  readonly body: JsonContent<Received["requestBody"]>;
};

/** Set by the binding on every response; a handler need not. */
type CommonHeader = "X-Request-Id" | "Cache-Control";

type HeadersOf<Message> = Message extends { headers: infer Headers }
  ? {
      readonly [Name in keyof Headers as string extends Name
        ? never
        : Name extends CommonHeader
          ? never
          : Name]: Headers[Name];
    }
  : unknown;

/** Headers that the spec requires cannot be left out. */
type WithHeaders<Documented> =
  Record<never, never> extends Documented
    ? { readonly headers?: Documented & Readonly<Record<string, string | number>> }
    : { readonly headers: Documented & Readonly<Record<string, string | number>> };

type Id = keyof DocumentedOperations & keyof ReceivedOperations;

/** A request of the operation after validation. */
export type RequestOf<Operation extends Id> = OperationRequest<ReceivedOperations[Operation]>;

/** One of the documented responses of the operation, told apart by `status`. */
export type ResponseOf<Operation extends Id> = {
  [Status in keyof DocumentedOperations[Operation]["responses"] & number]: {
    readonly status: Status;
    readonly body: JsonContent<DocumentedOperations[Operation]["responses"][Status]>;
  } & WithHeaders<HeadersOf<DocumentedOperations[Operation]["responses"][Status]>>;
}[keyof DocumentedOperations[Operation]["responses"] & number];

/** What the application passes along; an operation that anyone may call has no principal in it. */
export type ContextOf<
  Operation extends Id,
  Context,
> = (typeof contract)["operations"][Operation]["security"] extends readonly []
  ? Omit<Context, "principal">
  : Context;

/** What answers one operation. */
export type Handler<Operation extends Id, Context> = (
  request: RequestOf<Operation>,
  context: ContextOf<Operation, Context>,
) => Promise<ResponseOf<Operation>>;

/** A handler for every operation of the spec. Use it with `satisfies`, so that a missing or an extra one is an error. */
export type Handlers<Context> = {
  readonly [Operation in Id]: Handler<Operation, Context>;
};
