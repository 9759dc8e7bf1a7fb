import { inspect } from "node:util";
import { afterEach, describe, expect, it, vi } from "vitest";
import { debugLog } from "./debug.ts";
import { createClient } from "./index.ts";

afterEach(() => vi.restoreAllMocks());

const user = {
  uuid: "device-1",
  mobile: "9876543210",
  dial_code: "91",
  password: "hush-password",
  type: "customer",
};

describe("the debug log", () => {
  it("contains every attempt, response and retry", async () => {
    vi.spyOn(Math, "random").mockReturnValue(0);
    const lines: unknown[] = [];
    let attempts = 0;
    const fetch = async () => {
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
    const { response } = await client.loginUser({ body: { user }, headers: { "X-Token": "hush-token" } });
    const requestId = expect.stringMatching(/^[0-9a-f-]{36}$/);
    const sent = {
      requestId,
      method: "POST",
      headers: {
        authorization: "(hidden)",
        "content-type": "application/json",
        "x-request-id": requestId,
        "x-token": "(hidden)",
      },
    };
    const durationMs = expect.any(Number);
    expect(lines).toEqual([
      ["loginUser: attempt 1", sent],
      [
        "loginUser: attempt 1 got 429",
        {
          requestId,
          durationMs,
          headers: { "content-type": "text/plain;charset=UTF-8", "retry-after": "0" },
        },
      ],
      ["loginUser: attempt 1 will be retried", { requestId, delayMs: 0 }],
      ["loginUser: attempt 2", sent],
      ["loginUser: attempt 2 will be retried", { requestId, delayMs: 0, error: expect.stringMatching(/\(proxy down\)$/) }],
      ["loginUser: attempt 3", sent],
      [
        "loginUser: attempt 3 got 200",
        {
          requestId,
          durationMs,
          headers: { "content-type": "application/json", "set-cookie": "(hidden)", "x-request-id": "r" },
        },
      ],
    ]);
    expect(response.status).toBe(200);
    expect(inspect(lines, { depth: null })).not.toMatch(/hush|9876543210|device-1/);
  });

  });
});
