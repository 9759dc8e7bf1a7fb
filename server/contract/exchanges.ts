/** Tells whoever subscribes of every exchange, whole. While nobody does, nothing is kept or copied for it. */
import { channel } from "node:diagnostics_channel";
import type { Contract } from "../../generated/contract.ts";
import type { RefusalName } from "./refusal.ts";

/** The name of the channel, for `diagnostics_channel.subscribe`. */
export const exchangeChannel = "contract.exchange";

/** A request and its answer. They hold secrets: what is made of them may not. */
export interface SettledExchange {
  /** Undefined for what is no HTTP, and was answered before any contract was looked at. */
  readonly contract: Contract | undefined;
  readonly operationId: string | undefined;
  /** Its content has been read. */
  readonly request: Request | undefined;
  /** Undefined where it was not read. */
  readonly content: Uint8Array | undefined;
  /** Why no handler was asked. */
  readonly refusal: RefusalName | undefined;
  /** The parameters that the handler has looked at, of those that were sent or have a default: `in /name`. */
  readonly usedParameters: ReadonlySet<string>;
  /** A copy for all who are told: whoever reads its content reads that of a clone. */
  readonly response: Response;
}

const exchanges = channel(exchangeChannel);

/** Whether anybody wants to know. */
export function isListenedTo(): boolean {
  return exchanges.hasSubscribers;
}

/** @param settle makes the exchange, where anybody wants to know of it */
export function tellExchange(settle: () => SettledExchange): void {
  if (exchanges.hasSubscribers) exchanges.publish(settle());
}
