import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createKeyUses, type KeyUses } from "./key-uses.ts";

let writes: Record<string, number>[];
let errors: unknown[];
let failure: Error | undefined;
let uses: KeyUses;
beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  [writes, errors, failure] = [[], [], undefined];
  const noteUses = async (written: ReadonlyMap<string, number>) => {
    if (failure !== undefined) throw failure;
    writes.push(Object.fromEntries(written));
  };
  uses = createKeyUses({ apiKeys: { noteUses } }, { onError: (error) => errors.push(error) });
});
afterEach(() => {
  vi.useRealTimers();
});

test("the first use is written at once, and all later ones together, once a minute", async () => {
  uses.note("a", 1);
  await vi.advanceTimersByTimeAsync(0);
  for (const [id, at] of Object.entries({ a: 2, b: 3 })) uses.note(id, at);
  await vi.advanceTimersByTimeAsync(59_999);
  uses.note("a", 4);
  expect(writes).toEqual([{ a: 1 }]);
  await vi.advanceTimersByTimeAsync(1);
  expect(writes).toEqual([{ a: 1 }, { a: 4, b: 3 }]);
  await vi.advanceTimersByTimeAsync(600_000);
  expect(writes).toHaveLength(2);
});

test("a failed write is reported, and repeated with the next one", async () => {
  failure = new Error("no database");
  for (const id of ["a", "b"]) uses.note(id, 1);
  await vi.advanceTimersByTimeAsync(0);
  expect(errors).toEqual([failure]);
  failure = undefined;
  uses.note("a", 2);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(writes).toEqual([{ a: 2, b: 1 }]);
});

test("stopping writes what is left, and starts no timer", async () => {
  uses.note("a", 1);
  await uses.stop();
  await uses.stop();
  expect(writes).toEqual([{ a: 1 }]);
  expect(vi.getTimerCount()).toBe(0);
});
