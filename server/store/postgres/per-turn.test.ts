import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, test } from "vitest";
import { perTurn } from "./per-turn.ts";

async function turnsWithoutCall(): Promise<void> {
  await nextTurn();
  await nextTurn();
}

/** Returns a function whose queries are settled by the test. At most two run at the same time. */
function call(now = () => 0) {
  const queries: { readonly items: readonly string[]; readonly settle: PromiseWithResolvers<string> }[] = [];
  const waiting: Promise<string>[] = [];
  const query = (items: readonly string[]): Promise<string> => {
    const settle = Promise.withResolvers<string>();
    queries.push({ items, settle });
    return settle.promise;
  };
  const ask = perTurn<string, string>(2, query, (result) => waiting.push(result), now);
  return { ask, queries, waiting, asked: () => queries.map(({ items }) => items) };
}

test("calls of one turn share a query, which starts after them, and calls wait while two queries run", async () => {
  const { ask, queries, waiting, asked } = call();
  const first = [ask("a"), ask("b")];
  expect(asked()).toEqual([]);
  await turnsWithoutCall();
  const second = ask("c");
  await turnsWithoutCall();
  const third = [ask("d")];
  await turnsWithoutCall();
  third.push(ask("e"));
  await turnsWithoutCall();
  expect(asked()).toEqual([["a", "b"], ["c"]]);
  queries[1]?.settle.resolve("second");
  expect(await second).toBe("second");
  // Callers of a query that has ended join the next one.
  third.push(ask("f"));
  await turnsWithoutCall();
  expect(asked()).toEqual([["a", "b"], ["c"], ["d", "e", "f"]]);
  queries[2]?.settle.resolve("third");
  queries[0]?.settle.resolve("first");
  expect(await Promise.all(first)).toEqual(["first", "first"]);
  expect(await Promise.all(third)).toEqual(["third", "third", "third"]);
  expect(await Promise.all(waiting)).toEqual(["first", "second", "third"]);
});

test("calls of the following turns share the query, if it does not wait for longer than a millisecond", async () => {
  let time = 0;
  const { ask, asked } = call(() => time);
  const calls = [ask("a"), ask("b")];
  for (const item of ["c", "d"]) {
    await nextTurn();
    calls.push(ask(item));
  }
  expect(asked()).toEqual([]);
  time = 1.1;
  await nextTurn();
  expect(calls).toHaveLength(4);
  expect(asked()).toEqual([["a", "b", "c", "d"]]);
});

test("a failed query rejects only the calls that share it, and the next one starts", async () => {
  const { ask, queries } = call();
  const calls: Promise<string>[] = [];
  for (const item of ["a", "b", "c"]) {
    calls.push(ask(item));
    await turnsWithoutCall();
  }
  const outcomes = Promise.allSettled(calls);
  queries[0]?.settle.reject(new Error("gone"));
  await turnsWithoutCall();
  queries[1]?.settle.resolve("second");
  queries[2]?.settle.resolve("third");
  expect(await outcomes).toEqual([
    { status: "rejected", reason: new Error("gone") },
    { status: "fulfilled", value: "second" },
    { status: "fulfilled", value: "third" },
  ]);
});
