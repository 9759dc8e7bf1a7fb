/** Renders `receiver.ts`, which gives the runtime's receiver of webhooks the types of this document. */
import { banner } from "../source-text.ts";

/** @param runtime what the names of the runtime's modules begin with */
export function renderReceiver(runtime: string): string {
  return `${banner}
import { type ReceiverHandlers, type ReceiverOptions, receiverOf } from "${runtime}/receiver";
import { contract } from "./webhook-contract.ts";
import type { operations, received } from "./webhook-types.ts";

/** The types of each webhook and callback. */
export type Webhooks = {
  readonly [Name in keyof operations]: {
    readonly documented: operations[Name];
    readonly received: Name extends keyof received["operations"]
      ? received["operations"][Name]
      : operations[Name];
    readonly security: (typeof contract)["operations"][Name]["security"];
  };
};

/**
 * Returns a Hono app that receives webhooks. It checks the signature, the time stamp, the parameters and the body, and
 * then calls the handler. A webhook is received at its key, such as \`/newOrder\`, and all webhooks at \`/\`.
 * @throws Error if there is no secret, or a security scheme has no authenticator
 */
export function receiver<Principal = undefined>(
  handlers: ReceiverHandlers<Webhooks, Principal>,
  options: ReceiverOptions<Principal>,
): ReturnType<typeof receiverOf> {
  return receiverOf<Webhooks, Principal>(contract, handlers, options);
}
`;
}
