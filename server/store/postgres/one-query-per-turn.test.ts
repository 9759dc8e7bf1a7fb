import { expect, test } from "vitest";
import { oneQueryPerTurn } from "./one-query-per-turn.ts";

interface Row {
  readonly key: string;
}

/** Returns a look-up whose queries are settled by the test. */
function lookUp() {
  const queries: { readonly keys: unknown; readonly settle: PromiseWithResolvers<Row[]> }[] = [];
  const query = (keys: unknown): Promise<Row[]> => {
    const settle = Promise.withResolvers<Row[]>();
    queries.push({ keys, settle });
    return settle.promise;
  };
  return { queries, find: oneQueryPerTurn<Row>(query, query, ({ key }) => key) };
}

const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

test("the first look-up is sent immediately, and while it runs, all look-ups of one turn share a query", async () => {
  const { queries, find } = lookUp();
  const first = find("a");
  const others = [find("b"), find("c"), find("b")];
  await nextTurn();
  const ofNextTurn = find("d");
  await nextTurn();
  expect(queries.map(({ keys }) => keys)).toEqual(["a", ["b", "c"], "d"]);
  queries[2]?.settle.resolve([]);
  queries[1]?.settle.resolve([{ key: "c" }, { key: "b" }]);
  queries[0]?.settle.resolve([{ key: "a" }]);
  expect(await Promise.all([first, ...others, ofNextTurn])).toEqual([
    { key: "a" },
    { key: "b" },
    { key: "c" },
    { key: "b" },
    undefined,
  ]);
});

test("a failed query rejects only the look-ups that share it", async () => {
  const { queries, find } = lookUp();
  const first = find("a");
  const shared = [find("b"), find("c")];
  await nextTurn();
  queries[1]?.settle.reject(new Error("gone"));
  for (const each of shared) await expect(each).rejects.toThrow("gone");
  queries[0]?.settle.resolve([{ key: "a" }]);
  expect(await first).toEqual({ key: "a" });
  const again = find("b");
  queries[2]?.settle.resolve([{ key: "b" }]);
  expect(await again).toEqual({ key: "b" });
});
