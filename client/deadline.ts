/** A JavaScript timer fires at once if its time is 2^31 ms or more. */
const maxTimerMs = 2 ** 31 - 1;

export interface Deadline {
  /** Aborted at the end, with the caller's reason or the reason from `expired`. */
  readonly signal: AbortSignal;
  remainingMs(): number;
  /** Rejects at the end, even if the work ignores the signal. */
  race<Value>(work: Value | PromiseLike<Value>): Promise<Value>;
  sleep(ms: number): Promise<void>;
  close(): void;
}

/** @param expired makes the reason for a call that took too long */
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
  // One at a time, so a call needs one promise for it and no listener.
  const race = <Value>(work: Value | PromiseLike<Value>) =>
    new Promise<Value>((resolve, reject) => {
      endRace = reject;
      Promise.resolve(work).then(resolve, reject);
      if (signal.aborted) reject(signal.reason);
    });
  // A falsy reason, such as null, would look as if nothing was thrown.
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
