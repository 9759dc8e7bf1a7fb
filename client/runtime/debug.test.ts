import { inspect } from "node:util";
import { afterEach, describe, expect, it, vi } from "vitest";
import { createClient } from "../index.ts";
import { debugLog } from "./debug.ts";

afterEach(() => vi.restoreAllMocks());

const commission = { title: "hush-title", type: "supply", default_value: 1 };

describe("the debug log", () => {
  it("contains every attempt, response and retry", async () => {
    vi.spyOn(Math, "random").mockReturnValue(0);
    const lines: unknown[] = [];
    let attempts = 0;
    const fetch = async (request: Request) => {
      await request.text();
      attempts += 1;
      if (attempts === 1) return new Response("", { status: 429, headers: { "Retry-After": "0" } });
      if (attempts === 2) throw new Error("proxy down");
      return Response.json(
        { secret: "hush-response" },
        { headers: { "Set-Cookie": "hush-cookie", "X-Request-Id": "r" } },
      );
    };
    const hooks = [debugLog((message, details) => lines.push([message, details]))];
    const client = createClient({ baseUrl: "http://service.test", apiKey: "sk_hush", fetch, hooks });
    const { response } = await client.submitCommission({
      body: { commission },
      headers: { "X-Token": "hush-token" },
    });
    const requestId = expect.stringMatching(/^[0-9a-f-]{36}$/);
    const sent = {
      requestId,
      method: "GET",
      headers: {
        authorization: "(hidden)",
        "content-type": "application/json",
        "x-request-id": requestId,
        "x-token": "(hidden)",
      },
    };
    const durationMs = expect.any(Number);
    expect(lines).toEqual([
      ["submitCommission: attempt 1", sent],
      [
        "submitCommission: attempt 1 got 429",
        {
          requestId,
          durationMs,
          headers: { "content-type": "text/plain;charset=UTF-8", "retry-after": "0" },
        },
      ],
      ["submitCommission: attempt 1 will be retried", { requestId, delayMs: 0 }],
      ["submitCommission: attempt 2", sent],
      [
        "submitCommission: attempt 2 will be retried",
        { requestId, delayMs: 0, error: expect.stringMatching(/\(proxy down\)$/) },
      ],
      ["submitCommission: attempt 3", sent],
      [
        "submitCommission: attempt 3 got 200",
        {
          requestId,
          durationMs,
          headers: { "content-type": "application/json", "set-cookie": "(hidden)", "x-request-id": "r" },
        },
      ],
    ]);
    expect(response.status).toBe(200);
    expect(inspect(lines, { depth: null })).not.toContain("hush");
  });
});
