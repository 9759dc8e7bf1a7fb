/** The end of a call: its time is up or its caller has aborted it, whichever comes first. */

/** Timers of JavaScript count in 32 bits and fire at once for more. */
const maxTimerMs = 2 ** 31 - 1;

export interface Deadline {
  /** Aborts at the end, with the caller's reason or the one for time that is up. */
  readonly signal: AbortSignal;
  remainingMs(): number;
  /** What the work comes to, or the reason of the end if that comes first, whether or not the work heeds the signal. */
  race<Value>(work: Value | PromiseLike<Value>): Promise<Value>;
  sleep(ms: number): Promise<void>;
  /** Lets go of timers and of the caller's signal. */
  close(): void;
}

/** @param expired makes the reason for time that is up */
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
  // Whatever throws a reason that counts as false, such as null, seems to have thrown nothing: it is the platform's own.
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
