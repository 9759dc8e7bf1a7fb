/**
 * The types of the handlers, taken from the generated types: one function for each operation of the spec, no more and
 * no fewer, from its request as received to one of its documented responses.
 */
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

/** One of the documented responses, told apart by `status`. */
export type OperationResponse<Documented extends { responses: unknown }> = {
  [Status in keyof Documented["responses"] & number]: {
    readonly status: Status;
    readonly body: JsonContent<Documented["responses"][Status]>;
    readonly headers?: Readonly<Record<string, string | number>>;
  };
}[keyof Documented["responses"] & number];

/** What answers one operation. `Context` is whatever the application passes along, such as the caller's principal. */
export type Handler<Id extends keyof DocumentedOperations & keyof ReceivedOperations, Context> = (
  request: OperationRequest<ReceivedOperations[Id]>,
  context: Context,
) => Promise<OperationResponse<DocumentedOperations[Id]>>;

/** A handler for every operation of the spec. Use it with `satisfies`, so that a missing or an extra one is an error. */
export type Handlers<Context> = {
  readonly [Id in keyof DocumentedOperations & keyof ReceivedOperations]: Handler<Id, Context>;
};
