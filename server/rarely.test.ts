import { expect, test } from "vitest";
import { rarely } from "./rarely.ts";

test("of many reports the first is told, and one a minute with how many there were", () => {
  const told: [string, number][] = [];
  let time = 0;
  const report = rarely<string>(
    (text, count) => told.push([text, count]),
    () => time,
  );
  for (; time <= 130_000; time += 1000) report(`at ${time}`);
  time += 600_000;
  report("later");
  expect(told).toEqual([
    ["at 0", 1],
    ["at 60000", 60],
    ["at 120000", 60],
    ["later", 11],
  ]);
});
