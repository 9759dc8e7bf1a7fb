/** Calls every operation. The handler must respond as documented, or report that it is not implemented. */
import { afterAll, describe, expect, it } from "vitest";
import type { AnyResult } from "#specbind/client";
import { createClient } from "../client/index.ts";
import { validateResponse } from "../client/validate.ts";
import type { OperationCalls } from "../generated/client.ts";
import { basePath } from "./app.ts";
import {
  credentialHeader,
  isNotImplemented,
  operationIds,
  operations,
  rejectionIn,
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
const guarded = callable.filter((id) => {
  const security = operations[id]?.security ?? [];
  return security.length > 0 && security.every((alternative) => alternative.length > 0);
});

describe.each(callable)(`%s (seed ${seed})`, (id) => {
  const call = calls.get(id) ?? { parameters: {}, body: undefined };

  it("responds to a valid call with 501 before its handler is written, and as documented afterwards", async () => {
    const response = await service.call(id, call);
    if (!isNotImplemented(response)) expect(response.problems).toEqual([]);
  });

  it.skipIf(basePath === "")("is also served below the base path of the document", async () => {
    const response = await service.call(id, call, basePath);
    expect(rejectionIn(response.body)).not.toBe("route_not_found");
    if (!isNotImplemented(response)) expect(response.problems).toEqual([]);
  });

  it.skipIf(credentialHeader(id) === undefined && guarded.includes(id))(
    "responds to the client like to other callers",
    async () => {
      const credential = credentialHeader(id);
      const client = createClient({
        baseUrl: service.url,
        apiKey: "none",
        maxRetries: 0,
        validate: validateResponse,
        hooks: [{ onRequest: ({ request }) => credential && request.headers.set(...credential) }],
      });
      const { parameters, body } = call;
      const functions: Readonly<Record<keyof OperationCalls, (init: never) => Promise<AnyResult>>> = client;
      // The call and the client's types come from the same document, so the cast is safe.
      const result = await functions[id]({ params: parameters, body } as never);
      const text =
        result.status === "undocumented" ? result.error.text : JSON.stringify(result.error ?? null);
      const response = await service.call(id, call);
      // The second call may have another result, such as nothing to delete, but it must pass the same checks of the
      // contract.
      expect(rejectionIn(Buffer.from(text))).toBe(rejectionIn(response.body));
    },
  );
});

it.skip.each(operationIds.filter((id) => !calls.has(id)))(
  "no valid call of %s could be generated: write a test for it",
  () => {},
);

it.each(guarded)("%s rejects unknown credentials", async (id) => {
  const { status, body } = await closed.call(id, calls.get(id) ?? { parameters: {}, body: undefined });
  expect({ status, code: rejectionIn(body) }).toEqual({
    status: 401,
    code: expect.stringMatching(/^credential_(invalid|missing)$/),
  });
});
