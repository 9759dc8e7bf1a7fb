import { describe, expect, test } from "vitest";
import { type BoundedWork, boundWork } from "./bounded-work.ts";

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
    const leaves = ["a", "b", "c"].map((holder) => enter([holder]));
    expect(enter(["d"])).toBeUndefined();
    leaves[1]?.();
    expect(enter(["d"])).toBeTypeOf("function");
    expect(enter(["e"])).toBeUndefined();
  });

  /** How many of the places `holder` gets that takes what it can, and how to give them all back. */
  function takeAll({ enter }: BoundedWork, ...holder: string[]) {
    const leaves: (() => void)[] = [];
    for (let leave = enter(holder); leave !== undefined; leave = enter(holder)) leaves.push(leave);
    return { taken: leaves.length, giveBack: () => leaves.map((leave) => leave()) };
  }

  test("one who takes all that there are to be had gets half of them, also under many other names", () => {
    const work = boundWork({ concurrency: 3, waiting: 50 });
    expect(takeAll(work, "account", "address").taken).toBe(27);
    expect(takeAll(work, "account", "another address").taken).toBe(0);
    expect(takeAll(work, "another account", "address").taken).toBe(0);
    expect(work.enter(["stranger", "strange address"])).toBeTypeOf("function");
  });

  test("of several greedy ones each gets a share, and a share stays free", () => {
    const work = boundWork({ concurrency: 3, waiting: 57 });
    const greedy = ["a", "b", "c", "d", "e"];
    const counts = greedy.map(() => 0);
    for (let went = true; went; ) {
      went = false;
      for (const [index, holder] of greedy.entries()) {
        if (work.enter([holder]) === undefined) continue;
        counts[index] = (counts[index] ?? 0) + 1;
        went = true;
      }
    }
    expect(counts).toEqual([10, 10, 10, 10, 10]);
    expect(work.enter(["stranger"])).toBeTypeOf("function");
  });

  test("what is given back may be taken anew by the same", () => {
    const work = boundWork({ concurrency: 1, waiting: 5 });
    const first = takeAll(work, "a");
    expect(first.taken).toBe(3);
    first.giveBack();
    expect(takeAll(work, "a").taken).toBe(3);
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
