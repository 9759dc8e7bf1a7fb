/** A JavaScript timer of 2^31 ms or more fires immediately. */
const maxTimerMs = 2 ** 31 - 1;

export interface Deadline {
  /** Aborted if the caller aborts, with the caller's reason, or if the time is over, with that of `expired`. */
  readonly signal: AbortSignal;
  remainingMs(): number;
  /** Rejects when the signal is aborted, even if the work ignores the signal. */
  race<Value>(work: Value | PromiseLike<Value>): Promise<Value>;
  sleep(ms: number): Promise<void>;
  close(): void;
}

/** @param expired returns the abort reason for a call that took too long */
export function startDeadline(
  timeoutMs: number,
  outer: AbortSignal | null | undefined,
  expired: () => Error,
): Deadline {
  const controller = new AbortController();
  const { signal } = controller;
  const endsAt = performance.now() + timeoutMs;
  let endRace: (reason: unknown) => void = () => {};
  const end = (reason: unknown) => {
    controller.abort(reason);
    endRace(signal.reason);
  };
  // Only one race runs at a time, so the signal needs no listener for it.
  const race = <Value>(work: Value | PromiseLike<Value>) =>
    new Promise<Value>((resolve, reject) => {
      endRace = reject;
      Promise.resolve(work).then(resolve, reject);
      if (signal.aborted) reject(signal.reason);
    });
  // With a falsy reason, such as null, the caller could not see that the call has failed.
  const abort = () => end(outer?.reason || undefined);
  let pause: ReturnType<typeof setTimeout> | undefined;
  const timer = timeoutMs <= maxTimerMs ? setTimeout(() => end(expired()), timeoutMs) : undefined;
  if (outer?.aborted) abort();
  outer?.addEventListener("abort", abort);
  return {
    signal,
    remainingMs: () => endsAt - performance.now(),
    race,
    sleep: (ms) =>
      race(
        new Promise((resolve) => {
          pause = setTimeout(resolve, ms);
        }),
      ),
    close: () => {
      clearTimeout(pause);
      clearTimeout(timer);
      outer?.removeEventListener("abort", abort);
    },
  };
}
