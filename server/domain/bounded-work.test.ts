import { describe, expect, test } from "vitest";
import { boundWork } from "./bounded-work.ts";

/** Work that lasts until it is told to end. */
function gate() {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { work: () => promise, open: resolve };
}

/** Settles when everything that can happen by now has happened. */
const turn = () => new Promise((resolve) => setImmediate(resolve));

describe("places", () => {
  test("there are as many as run and wait together, and each is given back", () => {
    const { enter } = boundWork({ concurrency: 1, waiting: 2 });
    const leaves = [enter(), enter(), enter()];
    expect(enter()).toBeUndefined();
    leaves[1]?.();
    expect(enter()).toBeTypeOf("function");
    expect(enter()).toBeUndefined();
  });
});

describe("work", () => {
  test("runs so many at once, in the order of coming, also after a failure", async () => {
    const { run } = boundWork({ concurrency: 2, waiting: 9 });
    const started: number[] = [];
    const gates = [0, 1, 2, 3].map(gate);
    const outcomes = gates.map(({ work }, n) =>
      run(async () => {
        started.push(n);
        await work();
        if (n === 0) throw new Error("failed");
        return n;
      }).catch((error: Error) => error.message),
    );
    await turn();
    expect(started).toEqual([0, 1]);
    gates[0]?.open();
    await turn();
    expect(started).toEqual([0, 1, 2]);
    for (const { open } of gates) open();
    expect(await Promise.all(outcomes)).toEqual(["failed", 1, 2, 3]);
    expect(started).toEqual([0, 1, 2, 3]);
  });

  test("is never begun where its signal was aborted while it waited, and holds up nobody", async () => {
    const { run } = boundWork({ concurrency: 1, waiting: 9 });
    const first = gate();
    const running = run(first.work);
    const gone = new AbortController();
    const begun: string[] = [];
    const waiting = run(async () => begun.push("gone"), gone.signal);
    const last = run(async () => begun.push("last"));
    gone.abort("the caller is gone");
    await expect(waiting).rejects.toBe("the caller is gone");
    await expect(run(async () => begun.push("late"), gone.signal)).rejects.toBe("the caller is gone");
    first.open();
    await Promise.all([running, last]);
    expect(begun).toEqual(["last"]);
  });

  test("goes on where its signal is aborted after it has begun", async () => {
    const { run } = boundWork({ concurrency: 1, waiting: 0 });
    const { work, open } = gate();
    const gone = new AbortController();
    const running = run(work, gone.signal);
    await turn();
    gone.abort();
    open();
    await expect(running).resolves.toBeUndefined();
    await expect(run(async () => 1)).resolves.toBe(1);
  });
});
