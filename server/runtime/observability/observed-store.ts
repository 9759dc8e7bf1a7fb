/** Observes the calls of a store, whatever its methods are. */
import { type Awaitable, andThen, attempt } from "../contract/awaitable.ts";

/** The names of all methods of a store, each with its part, such as `webhooks.find`. */
export type MethodsOf<Part, Prefix extends string = ""> = {
  [Name in keyof Part & string]: Part[Name] extends (...args: never[]) => unknown
    ? `${Prefix}${Name}`
    : MethodsOf<Part[Name], `${Prefix}${Name}.`>;
}[keyof Part & string];

/** Keyed by the name of a method. */
export type Effects = { readonly [method: string]: "reads" | "writes" };

export type ObserveCall = <Result>(method: string, call: () => Awaitable<Result>) => Awaitable<Result>;

/** Calls a method of a store. Calls `ended` when its result is known. */
export function whenEnded<Result>(
  call: () => Awaitable<Result>,
  ended: (hasFailed: boolean) => void,
): Awaitable<Result> {
  return attempt(
    undefined,
    () =>
      andThen(call(), (result) => {
        ended(false);
        return result;
      }),
    (_, error) => {
      ended(true);
      throw error;
    },
  );
}

/** A store that can prove that it accepts writes. */
export interface WritableStore {
  assertWritable(): Awaitable<void>;
}

export interface StoreObserver {
  readonly observeStoreCall: ObserveCall;
  /** Set if the observer needs writes only. Then reads call the store directly. */
  readonly ignoresReads?: true;
}

/** @param effects has an entry for each method of the store */
export function observeStore<Store extends object>(
  store: Store,
  effects: Effects,
  ...observers: readonly (StoreObserver | undefined)[]
): Store {
  return observers.reduce(
    (inner, observer) => (observer ? observed(inner, "", effects, observer) : inner),
    store,
  );
}

function observed<Part extends object>(
  part: Part,
  prefix: string,
  effects: Effects,
  observer: StoreObserver,
): Part {
  const { observeStoreCall, ignoresReads } = observer;
  const members = Object.entries(part).map(([name, member]) => {
    const method = `${prefix}${name}`;
    if (typeof member === "object" && member !== null)
      return [name, observed(member, `${method}.`, effects, observer)];
    if (typeof member !== "function" || (ignoresReads && effects[method] === "reads")) return [name, member];
    return [name, (...args: unknown[]) => observeStoreCall(method, () => member.apply(part, args))];
  });
  return Object.fromEntries(members) as Part;
}
