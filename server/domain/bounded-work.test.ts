import { getEventListeners } from "node:events";
import { describe, expect, test } from "vitest";
import { boundWork, NoRoomError } from "./bounded-work.ts";
import { fairQueue } from "./fair-queue.ts";

/** Returns work that ends when the test calls `open`. */
function gate() {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { work: () => promise, open: resolve };
}

/** Settles when all work that can run now has run. */
const turn = () => new Promise((resolve) => setImmediate(resolve));

/**
 * Runs a task for each of `names` (`tenant/address/account`), one at a time. Returns the names in the order of turns.
 * @param costs the costs of the tenant's or the address's tasks. An address is found by its first word
 */
async function turnsOf(
  names: readonly string[],
  { waiting = 99, costs = {} as Record<string, number[]> } = {},
) {
  const { run } = boundWork({ concurrency: 1, waiting });
  const first = gate();
  const turns: string[] = [];
  const rejected: string[] = [];
  const running = [run(first.work, { path: ["first", "", ""] })];
  for (const name of names) {
    const path = name.split("/");
    const work = async () => void turns.push(name);
    const noRoom = (error: unknown) => {
      expect(error).toBeInstanceOf(NoRoomError);
      rejected.push(name);
    };
    running.push(
      run(work, { path, costs: costs[path[0] ?? ""] ?? costs[path[1]?.split(" ")[0] ?? ""] ?? [] }).catch(
        noRoom,
      ),
    );
  }
  await turn();
  first.open();
  await Promise.all(running);
  return { turns, rejected };
}

describe("the queue", () => {
  const flood = Array.from({ length: 8 }, (_, n) => `a/${n}/${n}`);

  test("alternates between tenants, however many addresses and accounts a tenant uses", async () => {
    const { turns } = await turnsOf([...flood, "b/x/x", "b/x/x", "b/y/y", "c/x/x"]);
    expect(turns).toEqual([
      ...["a/0/0", "b/x/x", "c/x/x", "a/1/1", "b/y/y", "a/2/2", "b/x/x"],
      ...["a/3/3", "a/4/4", "a/5/5", "a/6/6", "a/7/7"],
    ]);
  });

  test("alternates between the addresses of a tenant, and between the accounts of an address", async () => {
    const { turns } = await turnsOf(["a/x/1", "a/x/1", "a/x/2", "a/x/3", "a/y/1", "a/z/1"]);
    expect(turns).toEqual(["a/x/1", "a/y/1", "a/z/1", "a/x/2", "a/x/3", "a/x/1"]);
  });

  test("gives a tenant with a higher cost fewer turns, but still gives it turns", async () => {
    const others = ["b/1/1", "b/2/2", "b/3/3", "b/4/4", "b/5/5", "b/6/6", "b/7/7"];
    const { turns } = await turnsOf([...flood, ...others], { costs: { a: [4] } });
    expect(turns.slice(0, 9)).toEqual([
      ...["b/1/1", "b/2/2", "a/0/0", "b/3/3", "b/4/4"],
      ...["b/5/5", "b/6/6", "a/1/1", "b/7/7"],
    ]);
  });

  test("gives turns to the callers of a tenant by their cost, however many others wait, and drops the costly ones first", async () => {
    const costs = { new: [1, 16], known: [1, 4], device: [1, 1] };
    const names = [..."1234567"].map((n) => `new ${n}`);
    const own = ["known 1", "known 2", "device 1", "device 2", "device 1", "device 1"];
    const { turns, rejected } = await turnsOf(
      [...names, ...own].map((name) => `a/${name}`),
      { waiting: 10, costs },
    );
    expect(rejected).toEqual(["a/new 7", "a/new 6", "a/new 5"]);
    expect(turns).toEqual(
      [
        ...["device 1", "device 2", "device 1", "known 1", "known 2", "device 1"],
        ...["new 1", "new 2", "new 3", "new 4"],
      ].map((name) => `a/${name}`),
    );
  });

  test("drops the tasks of a caller that sends many before those of callers with a higher cost", async () => {
    const costs = { new: [1, 16], device: [1, 1] };
    const flood = Array<string>(20).fill("a/device 1");
    const { turns, rejected } = await turnsOf([...flood, "a/new 1", "a/new 2"], { waiting: 18, costs });
    expect(rejected).toEqual(Array(4).fill("a/device 1"));
    expect(turns.filter((name) => name !== "a/device 1")).toEqual(["a/new 1", "a/new 2"]);
    expect(turns.indexOf("a/new 1")).toBe(8);
  });

  test("drops the newest task of the tenant with the most tasks if too many are waiting", async () => {
    const others = ["b/1/1", "b/2/2", "b/3/3", "b/4/4"];
    const { turns, rejected } = await turnsOf([...flood, ...others, "a/9/9"], { waiting: 6 });
    expect(rejected).toEqual(["a/6/6", "a/7/7", "a/5/5", "a/4/4", "a/3/3", "b/4/4", "a/9/9"]);
    expect(turns.toSorted()).toEqual(["a/0/0", "a/1/1", "a/2/2", "b/1/1", "b/2/2", "b/3/3"]);
  });

  test("drops the newest task of the address with the most tasks within a tenant", async () => {
    const names = ["a/x/1", "a/x/2", "a/x/3", "a/x/4", "a/y/1", "a/z/1", "a/w/1", "a/v/1"];
    const { turns, rejected } = await turnsOf(names, { waiting: 4 });
    expect(rejected).toEqual(["a/x/4", "a/x/3", "a/x/2", "a/v/1"]);
    expect(turns).toEqual(["a/x/1", "a/y/1", "a/z/1", "a/w/1"]);
  });

  test("gives a costly caller its turn, even if another caller with a lower cost comes before each turn", () => {
    const queue = fairQueue<string>();
    queue.add("costly", ["a", "costly"], [1, 16]);
    const turns = Array.from({ length: 30 }, (_, n) => {
      queue.add("cheap", ["a", `cheap ${n}`], [1, 1]);
      return queue.take();
    });
    expect(turns.indexOf("costly")).toBe(15);
  });

  test("gives all turns to one tenant if no other tenant has tasks", async () => {
    expect((await turnsOf(flood, { waiting: 8 })).rejected).toEqual([]);
  });
});

const caller = { path: ["tenant", "address", "account"] };

describe("work", () => {
  test("runs at most a fixed number of tasks at the same time, in their order, even after one has failed", async () => {
    const { run } = boundWork({ concurrency: 2, waiting: 9 });
    const started: number[] = [];
    const gates = [0, 1, 2, 3].map(gate);
    const outcomes = gates.map(({ work }, n) =>
      run(async () => {
        started.push(n);
        await work();
        if (n === 0) throw new Error("failed");
        return n;
      }, caller).catch((error: Error) => error.message),
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

  test("is not started if its signal was aborted while it waited, and does not block other work", async () => {
    const { run } = boundWork({ concurrency: 1, waiting: 9 });
    const first = gate();
    const running = run(first.work, caller);
    const gone = new AbortController();
    const begun: string[] = [];
    const waiting = run(async () => begun.push("gone"), { ...caller, signal: gone.signal });
    const last = run(async () => begun.push("last"), caller);
    gone.abort("the caller is gone");
    await expect(waiting).rejects.toBe("the caller is gone");
    await expect(run(async () => begun.push("late"), { ...caller, signal: gone.signal })).rejects.toBe(
      "the caller is gone",
    );
    first.open();
    await Promise.all([running, last]);
    expect(begun).toEqual(["last"]);
  });

  test("leaves no listener on its signal after it has waited, whether it began or was dropped", async () => {
    const { run } = boundWork({ concurrency: 1, waiting: 1 });
    const first = gate();
    const { signal } = new AbortController();
    const running = [run(first.work, caller), run(async () => {}, { ...caller, signal })];
    await expect(run(async () => {}, { ...caller, signal })).rejects.toBeInstanceOf(NoRoomError);
    expect(getEventListeners(signal, "abort")).toHaveLength(1);
    first.open();
    await Promise.all(running);
    expect(getEventListeners(signal, "abort")).toEqual([]);
  });

  test("continues if its signal is aborted after it has started", async () => {
    const { run } = boundWork({ concurrency: 1, waiting: 0 });
    const { work, open } = gate();
    const gone = new AbortController();
    const running = run(work, { ...caller, signal: gone.signal });
    await turn();
    gone.abort();
    open();
    await expect(running).resolves.toBeUndefined();
    await expect(run(async () => 1, caller)).resolves.toBe(1);
  });
});
