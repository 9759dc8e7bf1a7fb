/** Has the exchanges of a test file taken down. Whoever has none pays for nothing but a subscription. */
import { subscribe } from "node:diagnostics_channel";
import { relative } from "node:path";
import { afterAll, expect } from "vitest";
import { exchangeChannel, type SettledExchange } from "../../../server/contract/exchanges.ts";
import { codeAt } from "../code-at.ts";
import { recordTestFile } from "../record.ts";
import type { Recorder } from "../recorder.ts";

let recorder: Promise<Recorder> | undefined;
let taken: Promise<void> = Promise.resolve();

async function loadRecorder(): Promise<Recorder> {
  const [{ createRecorder }, { contract }, { default: document }] = await Promise.all([
    import("../recorder.ts"),
    import("../../../generated/contract.ts"),
    import("../../../generated/openapi.json", { with: { type: "json" } }),
  ]);
  return createRecorder(document, contract, codeAt);
}

subscribe(exchangeChannel, (exchange) => {
  recorder ??= loadRecorder();
  const loaded = recorder;
  taken = taken.then(async () => (await loaded).take(exchange as SettledExchange));
});

afterAll(async () => {
  await taken;
  recordTestFile(relative(process.cwd(), expect.getState().testPath ?? ""));
});
