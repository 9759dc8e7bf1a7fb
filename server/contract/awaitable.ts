/** Steps that return a value or a promise of one: a promise is awaited only if there is one. */

export type Awaitable<T> = T | Promise<T>;

export function andThen<T, Result>(
  value: Awaitable<T>,
  next: (value: T) => Awaitable<Result>,
): Awaitable<Result> {
  return value instanceof Promise ? value.then(next) : next(value);
}

/** Calls `failed` for what `step` throws, at once or later. */
export function attempt<T>(step: () => Awaitable<T>, failed: (error: unknown) => Awaitable<T>): Awaitable<T> {
  try {
    const value = step();
    return value instanceof Promise ? value.catch(failed) : value;
  } catch (error) {
    return failed(error);
  }
}

/** The results of a step for each item, one after the other. */
export function inOrder<Item, Result>(
  items: readonly Item[],
  step: (item: Item) => Awaitable<Result>,
  results: Result[] = [],
): Awaitable<Result[]> {
  for (let index = results.length; index < items.length; index += 1) {
    const result = step(items[index] as Item);
    if (result instanceof Promise) return result.then((value) => inOrder(items, step, [...results, value]));
    results.push(result);
  }
  return results;
}

/** The first result that is not undefined. */
export function firstOf<Item, Result>(
  items: readonly Item[],
  step: (item: Item) => Awaitable<Result | undefined>,
): Awaitable<Result | undefined> {
  for (const [index, item] of items.entries()) {
    const result = step(item);
    if (result instanceof Promise)
      return result.then((value) => value ?? firstOf(items.slice(index + 1), step));
    if (result !== undefined) return result;
  }
  return undefined;
}
