import type { Store } from "../../store/store.ts";
import type { Awaitable } from "../contract/request.ts";

/** The name of a method with its part of the store, such as `webhooks.find`. */
export type StoreMethod = MethodsOf<Store>;

type MethodsOf<Part, Prefix extends string = ""> = {
  [Name in keyof Part & string]: Part[Name] extends (...args: never[]) => unknown
    ? `${Prefix}${Name}`
    : MethodsOf<Part[Name], `${Prefix}${Name}.`>;
}[keyof Part & string];

const effects = {
  "tenants.create": "writes",
  "tenants.createFirst": "writes",
  "tenants.list": "reads",
  "tenants.find": "reads",
  "apiKeys.create": "writes",
  "apiKeys.list": "reads",
  "apiKeys.find": "reads",
  "apiKeys.findActiveByHash": "reads",
  "apiKeys.revoke": "writes",
  "apiKeys.rotate": "writes",
  "apiKeys.noteUses": "writes",
  "users.create": "writes",
  "users.list": "reads",
  "users.find": "reads",
  "users.findByLogin": "reads",
  "users.consumeTotpStep": "writes",
  "users.lowerTotpStep": "writes",
  "users.rehashPassword": "writes",
  "users.setPassword": "writes",
  "users.setTotp": "writes",
  "users.remove": "writes",
  "users.countTotpKeys": "reads",
  "users.listTotpNotUnder": "reads",
  "users.reencryptTotp": "writes",
  "sessions.replace": "writes",
  "sessions.hasDevice": "reads",
  "sessions.findUserByAddress": "reads",
  "sessions.findByAuthHash": "reads",
  "commissions.submit": "writes",
  "webhooks.create": "writes",
  "webhooks.list": "reads",
  "webhooks.find": "reads",
  "webhooks.update": "writes",
  "webhooks.remove": "writes",
  "attempts.find": "reads",
  "attempts.findNext": "reads",
  "attempts.count": "writes",
  "attempts.forget": "writes",
  assertWritable: "writes",
  close: "reads",
} as const satisfies Record<StoreMethod, "reads" | "writes">;

export type ObserveCall = <Result>(method: StoreMethod, call: () => Awaitable<Result>) => Awaitable<Result>;

export interface StoreObserver {
  readonly observeStoreCall: ObserveCall;
  /** Set if the observer needs writes only. Then reads call the store directly. */
  readonly ignoresReads?: true;
}

export function observeStore(store: Store, ...observers: readonly (StoreObserver | undefined)[]): Store {
  return observers.reduce((inner, observer) => (observer ? observed(inner, "", observer) : inner), store);
}

function observed<Part extends object>(part: Part, prefix: string, observer: StoreObserver): Part {
  const { observeStoreCall, ignoresReads } = observer;
  const members = Object.entries(part).map(([name, member]) => {
    // The cast is safe, because StoreMethod contains the names of all functions of a store.
    const method = `${prefix}${name}` as StoreMethod;
    if (typeof member === "object" && member !== null)
      return [name, observed(member, `${method}.`, observer)];
    if (typeof member !== "function" || (ignoresReads && effects[method] === "reads")) return [name, member];
    return [name, (...args: unknown[]) => observeStoreCall(method, () => member.apply(part, args))];
  });
  return Object.fromEntries(members) as Part;
}
