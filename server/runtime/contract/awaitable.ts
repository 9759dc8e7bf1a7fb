/** A promise only if the result is not available immediately. */
export type Awaitable<T> = T | Promise<T>;

export function andThen<T, Result>(
  value: Awaitable<T>,
  next: (value: T) => Awaitable<Result>,
): Awaitable<Result> {
  return value instanceof Promise ? value.then(next) : next(value);
}

/** Calls `failed` with the error if `step` throws or its promise is rejected. */
export function attempt<T>(step: () => Awaitable<T>, failed: (error: unknown) => Awaitable<T>): Awaitable<T> {
  try {
    const value = step();
    return value instanceof Promise ? value.catch(failed) : value;
  } catch (error) {
    return failed(error);
  }
}
