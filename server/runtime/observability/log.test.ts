import { pino } from "pino";
import { expect, it } from "vitest";
import type { SettledExchange } from "../contract/pipeline.ts";
import { createRequestLog, rarely } from "./log.ts";

const exchange = {
  requestId: "r",
  operation: 'has "quotes"',
  request: { method: "GET" },
  reply: { status: 404, headers: {}, body: undefined },
  address: "::1",
  seconds: 0.001_234_567,
} as unknown as SettledExchange;

/** Returns the log line of one exchange, as this project and as pino write it. */
function linesOf(changed: Partial<SettledExchange>, code: string | undefined, level = "info") {
  const byHand: string[] = [];
  const byPino: string[] = [];
  const log = pino({ level, base: null }, { write: (line: string) => void byPino.push(line) });
  const given = { ...exchange, ...changed };
  createRequestLog(log, (line) => void byHand.push(line))(given, code);
  const { requestId: request_id, operation, request, reply, address, seconds } = given;
  const { status } = reply;
  const ms = Math.round(seconds * 1_000_000) / 1000;
  log.info(
    { request_id, method: request?.method, operation, status, code, address, ms },
    "request completed",
  );
  const timeless = (lines: string[]) => lines.map((line) => line.replace(/"time":\d+/, '"time":0'));
  return { byHand: timeless(byHand), byPino: timeless(byPino) };
}

it.each<[string, Partial<SettledExchange>, string | undefined]>([
  ["an error", {}, "webhook_not_found"],
  ["a success", { seconds: 0 }, undefined],
  ["a caller with an unknown address", { address: undefined }, undefined],
  ["characters that JSON escapes", { requestId: '\\"\n\u2028\ud800', operation: "é" }, undefined],
])("is the same as pino's line for %s", (_, changed, code) => {
  const { byHand, byPino } = linesOf(changed, code);
  expect(byHand).toEqual(byPino);
});

it("contains no lines below the level, and contains probes only at debug", () => {
  expect(linesOf({}, undefined, "warn").byHand).toEqual([]);
  expect(linesOf({ operation: "/healthz" }, undefined).byHand).toEqual([]);
  expect(linesOf({ operation: "/healthz" }, undefined, "debug").byHand).toHaveLength(1);
});

it("the first of many reports is logged, and then one per minute with the number of reports", () => {
  const reported: [string, number][] = [];
  let time = 0;
  const report = rarely<string>(
    (text, count) => reported.push([text, count]),
    () => time,
  );
  for (; time <= 130_000; time += 1000) report(`at ${time}`);
  time += 600_000;
  report("later");
  expect(reported).toEqual([
    ["at 0", 1],
    ["at 60000", 60],
    ["at 120000", 60],
    ["later", 11],
  ]);
});
