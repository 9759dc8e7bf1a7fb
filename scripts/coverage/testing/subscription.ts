/** Records the exchanges of a test worker. A worker that has none pays for a subscription only. */
import { subscribe } from "node:diagnostics_channel";
import { exchangeChannel, type SettledExchange } from "../../../server/contract/exchanges.ts";
import { codeAt } from "../code-at.ts";
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

/** Settles when every exchange so far has been recorded. */
export const recorded = (): Promise<void> => taken;
