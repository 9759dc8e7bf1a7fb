/** Puts an observer around every method of a store, present and future ones alike. */
import type { Store } from "./store/store.ts";

/** Such as `webhooks.find`. */
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
  "apiKeys.findActiveByHash": "reads",
  "apiKeys.revoke": "writes",
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
  "sessions.findByAuthHash": "reads",
  "commissions.submit": "writes",
  "webhooks.create": "writes",
  "webhooks.list": "reads",
  "webhooks.find": "reads",
  "webhooks.update": "writes",
  "webhooks.remove": "writes",
  "attempts.find": "reads",
  "attempts.count": "writes",
  "attempts.forget": "writes",
  assertWritable: "writes",
  close: "reads",
} as const satisfies Record<StoreMethod, "reads" | "writes">;

/** Whether the database has to take writes for the method. */
export function isWrite(method: StoreMethod): boolean {
  return effects[method] === "writes";
}

export type ObserveCall = <Result>(method: StoreMethod, call: () => Promise<Result>) => Promise<Result>;

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
    // What a store's functions are called by is a StoreMethod.
    if (typeof member === "function")
      return [name, (...args: unknown[]) => observe(method as StoreMethod, () => member.apply(part, args))];
    return [
      name,
      typeof member === "object" && member !== null ? observed(member, `${method}.`, observe) : member,
    ];
  });
  return Object.fromEntries(members) as Part;
}
