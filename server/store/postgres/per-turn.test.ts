import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, test } from "vitest";
import { perTurn } from "./per-turn.ts";

/** Returns a function whose queries are settled by the test. At most two run at the same time. */
function call() {
  const queries: { readonly items: readonly string[]; readonly settle: PromiseWithResolvers<string> }[] = [];
  const waiting: Promise<string>[] = [];
  const query = (items: readonly string[]): Promise<string> => {
    const settle = Promise.withResolvers<string>();
    queries.push({ items, settle });
    return settle.promise;
  };
  const ask = perTurn<string, string>(2, query, (result) => waiting.push(result));
  return { ask, queries, waiting, asked: () => queries.map(({ items }) => items) };
}

test("calls of one turn share a query, which starts after them, and calls wait while two queries run", async () => {
  const { ask, queries, waiting, asked } = call();
  const first = [ask("a"), ask("b")];
  expect(asked()).toEqual([]);
  await nextTurn();
  const second = ask("c");
  await nextTurn();
  const third = [ask("d")];
  await nextTurn();
  third.push(ask("e"));
  await nextTurn();
  expect(asked()).toEqual([["a", "b"], ["c"]]);
  queries[1]?.settle.resolve("second");
  expect(await second).toBe("second");
  // Callers of a query that has ended join the next one.
  third.push(ask("f"));
  await nextTurn();
  expect(asked()).toEqual([["a", "b"], ["c"], ["d", "e", "f"]]);
  queries[2]?.settle.resolve("third");
  queries[0]?.settle.resolve("first");
  expect(await Promise.all(first)).toEqual(["first", "first"]);
  expect(await Promise.all(third)).toEqual(["third", "third", "third"]);
  expect(await Promise.all(waiting)).toEqual(["first", "second", "third"]);
});

test("a failed query rejects only the calls that share it, and the next one starts", async () => {
  const { ask, queries } = call();
  const calls: Promise<string>[] = [];
  for (const item of ["a", "b", "c"]) {
    calls.push(ask(item));
    await nextTurn();
  }
  const outcomes = Promise.allSettled(calls);
  queries[0]?.settle.reject(new Error("gone"));
  await nextTurn();
  queries[1]?.settle.resolve("second");
  queries[2]?.settle.resolve("third");
  expect(await outcomes).toEqual([
    { status: "rejected", reason: new Error("gone") },
    { status: "fulfilled", value: "second" },
    { status: "fulfilled", value: "third" },
  ]);
});
