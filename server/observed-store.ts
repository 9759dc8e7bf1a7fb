/** Puts an observer around every method of a store, present and future ones alike. */
import type { Store } from "./store/store.ts";

/** @param method such as `webhooks.find` */
export type ObserveCall = <Result>(method: string, call: () => Promise<Result>) => Promise<Result>;

export interface StoreObserver {
  readonly observeStoreCall: ObserveCall;
}

export function observeStore(store: Store, observe: ObserveCall): Store {
  return observed(store, "", observe);
}

/** The copy has the members of what it is of, each function with the same parameters and result. */
function observed<Part extends object>(part: Part, prefix: string, observe: ObserveCall): Part {
  const members = Object.entries(part).map(([name, member]) => {
    const method = `${prefix}${name}`;
    if (typeof member === "function")
      return [name, (...args: unknown[]) => observe(method, () => member.apply(part, args))];
    return [
      name,
      typeof member === "object" && member !== null ? observed(member, `${method}.`, observe) : member,
    ];
  });
  return Object.fromEntries(members) as Part;
}
