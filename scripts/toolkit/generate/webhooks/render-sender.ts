/** Renders `sender.ts`, which gives the runtime's sender of webhooks and callbacks the types of this document. */
import { unique } from "../../json-schema/code.ts";
import { generated, literal } from "../literal.ts";
import { banner } from "../source-text.ts";
import type { Callback } from "./webhook-spec.ts";

/** @param runtime what the names of the runtime's modules begin with */
export function renderSender(callbacks: readonly Callback[], runtime: string): string {
  const types = ["SenderOf", "SenderOptions", ...(callbacks.length > 0 ? ["CallbacksOf"] : [])];
  const values = ["senderOf", ...(callbacks.length > 0 ? ["callbacksOf"] : [])];
  return `${banner}
import { ${values.join(", ")} } from "${runtime}/sender";
import type { ${types.join(", ")} } from "${runtime}/sender";
import { contract } from "./webhook-contract.ts";
import { credentials, operations } from "./webhook-operations.ts";
import type { operations as Webhooks } from "./webhook-types.ts";

/** One function for each webhook and callback. The result is discriminated by \`status\`. */
export type Sender = SenderOf<Webhooks>;

/**
 * Makes a sender, which checks, signs and sends webhooks and callbacks.
 *
 * A call rejects with an InvalidCallError if it is invalid or its URL is not allowed. Otherwise it rejects like a call of
 * the client.
 * @throws ConfigurationError for invalid options
 */
export function sender(options: SenderOptions<typeof credentials>): Sender {
  return senderOf(contract, operations, credentials, options);
}
${callbacks.length > 0 ? renderCallbacks(callbacks) : ""}`;
}

function renderCallbacks(callbacks: readonly Callback[]): string {
  const table = Object.fromEntries(
    [...Map.groupBy(callbacks, ({ operationId }) => operationId)].map(([operationId, own]) => {
      const taken = new Set<string>();
      const named = own.map(({ name, id, expression, path }) => [
        unique(name, taken),
        { id, expression, path },
      ]);
      return [operationId, Object.fromEntries(named)];
    }),
  );
  return `
/** The callbacks of each operation. */
const table = ${literal(table, generated)} as const;

/** For each operation with callbacks, one function for each of them. */
export type Callbacks = CallbacksOf<typeof table, Webhooks>;

/** Gives handlers the callbacks of their operation: \`contractApp({ callbacks: callbacks(sender({ … })), … })\`. */
export function callbacks(sender: Sender): ReturnType<typeof callbacksOf> {
  return callbacksOf(table, sender);
}
`;
}
