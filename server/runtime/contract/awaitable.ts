/** A promise only if the result is not available immediately. */
export type Awaitable<T> = T | Promise<T>;

export function andThen<T, Result>(
  value: Awaitable<T>,
  next: (value: T) => Awaitable<Result>,
): Awaitable<Result> {
  return value instanceof Promise ? value.then(next) : next(value);
}

/** Calls `failed` with the error if `step` throws or its promise is rejected. Both get `input`, so they can be prepared. */
export function attempt<Input, T>(
  input: Input,
  step: (input: Input) => Awaitable<T>,
  failed: (input: Input, error: unknown) => Awaitable<T>,
): Awaitable<T> {
  try {
    const value = step(input);
    return value instanceof Promise ? value.catch((error) => failed(input, error)) : value;
  } catch (error) {
    return failed(input, error);
  }
}
