/** Calls every operation. Its handler must respond, or report that it is not implemented. */
import { afterAll, describe, expect, it } from "vitest";
import { createClient, type OperationCalls } from "../client/create-client.ts";
import type { AnyResult } from "../client/result.ts";
import { validateResponse } from "../client/validate.ts";
import {
  codeIn,
  credentialHeader,
  isNotImplemented,
  operationIds,
  operations,
  seed,
  startService,
} from "./testing/service.ts";

const service = await startService();
const closed = await startService("another-key");
afterAll(async () => {
  await service[Symbol.asyncDispose]();
  await closed[Symbol.asyncDispose]();
});

const { calls } = service;
const callable = operationIds.filter((id) => calls.has(id));
/** Operations without a generated call (no JSON body, or no valid value was found): write a test for each. */
const uncallable = operationIds.filter((id) => !calls.has(id));
const guarded = callable.filter((id) => {
  const security = operations[id]?.security ?? [];
  return security.length > 0 && security.every((alternative) => alternative.length > 0);
});

it("there is a valid call to try, or every operation is listed below without one", () => {
  expect(callable.length + uncallable.length).toBe(operationIds.length);
});

describe.each(callable)(`%s (seed ${seed})`, (id) => {
  const call = calls.get(id) ?? { parameters: {}, content: undefined };

  it("returns 501 for a valid call until its handler is written, and then a documented response", async () => {
    const answer = await service.call(id, call);
    if (!isNotImplemented(answer)) expect(answer.problems).toEqual([]);
  });

  it.skipIf(credentialHeader(id) === undefined && guarded.includes(id))(
    "responds to the client as to every other caller",
    async () => {
      const credential = credentialHeader(id);
      const client = createClient({
        baseUrl: service.url,
        apiKey: "none",
        maxRetries: 0,
        validate: validateResponse,
        hooks: [{ onRequest: ({ request }) => credential && request.headers.set(...credential) }],
      });
      const { parameters, content } = call;
      const functions: Readonly<Record<keyof OperationCalls, (init: never) => Promise<AnyResult>>> = client;
      // The call and the client's types come from the same document, so the cast is safe.
      const result = await functions[id]({ params: parameters, body: content } as never);
      expect(result.response.status).toBe((await service.call(id, call)).status);
    },
  );
});

it.skip.each(uncallable)("%s has no valid call that could be generated", () => {});

it.each(guarded)("%s rejects an unknown credential", async (id) => {
  const { status, content } = await closed.call(id, calls.get(id) ?? { parameters: {}, content: undefined });
  expect({ status, code: codeIn(content) }).toEqual({
    status: 401,
    code: expect.stringMatching(/^credential_(invalid|missing)$/),
  });
});
