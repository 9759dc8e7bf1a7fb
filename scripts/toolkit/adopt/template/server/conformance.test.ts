/** Sends requests that are generated from the document to the handlers, and validates the responses. */
import { afterAll, describe, expect, it } from "vitest";
import { noSuccess } from "../scripts/toolkit/conformance/checks/operation-checks.ts";
import { NotWritten, seed, startService } from "./testing/service.ts";

const service = await startService();
afterAll(() => service[Symbol.asyncDispose]());

const unwritten = new Set<string>();
const ofOperation = Map.groupBy(service.suite.checks, ({ operationId = "the service" }) => operationId);

describe.each([...ofOperation])(`%s (seed ${seed})`, (id, checks) => {
  it.for(checks)("$name", async ({ run }, { skip }) => {
    if (unwritten.has(id)) skip("the handler is not written yet");
    const findings = await run().catch((error: unknown) => {
      if (!(error instanceof NotWritten)) throw error;
      unwritten.add(id);
      return skip("the handler is not written yet");
    });
    const [first] = findings;
    // A new handler may find no record.
    if (first && findings.every(({ message }) => message.startsWith(noSuccess))) skip(first.message);
    expect(findings).toEqual([]);
  });
});
