import { Hono } from "hono";
import { expect, it } from "vitest";
import type { Contract } from "#specbind/contract";
import { rejectionResponse } from "../rejections.ts";
import { bindContract } from "../runtime/contract/bind.ts";
import type { PlainResponse, ResponsePolicy } from "../runtime/contract/response.ts";
import { streamOf } from "../runtime/contract/streams.ts";
import { type ContractEnv, serveContract } from "../runtime/http/hono.ts";
import { listen } from "../runtime/http/listen.ts";

const contract: Contract = {
  format: 1,
  validators: 1,
  operations: {
    watch: {
      method: "GET",
      path: "/watch",
      security: [],
      parameters: [],
      responses: { 200: { headers: [], mediaTypes: { "text/event-stream": {} } } },
    },
  },
  unmatched: {},
  sensitive: [],
};

/** Records what happens to the stream of `items`, and what is reported to the server. */
function watched(change: Partial<PlainResponse>, responsePolicy: ResponsePolicy, items: unknown[] = []) {
  const events: string[] = [];
  const rest = items.values();
  const body: AsyncIterable<unknown> = {
    [Symbol.asyncIterator]: () => ({
      next: async () => {
        const { done, value } = rest.next();
        if (value instanceof Error) throw value;
        events.push(done ? "ended" : "read");
        return { done: done === true, value };
      },
      return: async () => {
        events.push("returned");
        return { done: true, value: undefined };
      },
    }),
  };
  const app = new Hono<ContractEnv>();
  const bound = bindContract({
    contract,
    handlers: { watch: () => ({ status: 200, body, ...change }) },
    authenticate: {},
    reject: ({ reason }) => ({ status: 500, body: { reason } }),
    fail: (error) => {
      events.push(String(error));
      return { status: 500 };
    },
    requestIdOf: () => "r",
    onViolation: ({ problems }) => void events.push(...problems.map(({ message }) => message)),
    responsePolicy,
    maxContentBytes: 100,
  });
  serveContract(app, bound);
  return { app, events };
}

it.each<[string, Partial<PlainResponse>, ResponsePolicy, string, string[]]>([
  ["for HEAD", {}, "enforce", "HEAD", ["returned"]],
  ["of an undocumented status", { status: 201 }, "enforce", "GET", ["is not documented", "returned"]],
  ["of an undocumented media type", { headers: { "Content-Type": "text/html" } }, "off", "GET", ["returned"]],
])(
  "a stream %s is not read, and its iterator is asked to return",
  async (_, change, policy, method, expected) => {
    const { app, events } = watched(change, policy, ["data: 1\n\n"]);
    const response = await app.request("/watch", { method });
    await response.text();
    expect(events).toEqual(expected);
  },
);

it("a stream ends when its iterable ends, and texts are sent as UTF-8", async () => {
  const { app, events } = watched({}, "enforce", ["data: ä\n", Buffer.from("\n")]);
  expect(await (await app.request("/watch")).text()).toBe("data: ä\n\n");
  expect(events).toEqual(["read", "read", "ended"]);
});

it.each([
  ["throws", new Error("broken"), ["read", "Error: broken", "returned"]],
  [
    "has other items than bytes",
    {},
    ["read", "read", "TypeError: a stream must consist of bytes or strings", "returned"],
  ],
])("a stream that %s is reported, and its caller sees that it is incomplete", async (_, item, expected) => {
  const { app, events } = watched({}, "enforce", ["data: 1\n\n", item]);
  const server = await listen(app, {
    host: "127.0.0.1",
    port: 0,
    reject: rejectionResponse,
    onMalformed: () => {},
  });
  const response = await fetch(`${server.url}/watch`);
  await expect(response.text()).rejects.toThrow("terminated");
  await expect((await app.request("/watch")).text()).resolves.toBe("");
  expect(await server.stop(1000)).toBe(0);
  expect(events.slice(0, expected.length)).toEqual(expected);
});

/** Returns an iterable whose first item arrives when the test says so, and a list of what happens to it. */
function pending() {
  const item = Promise.withResolvers<IteratorResult<unknown>>();
  const events: string[] = [];
  const returned = async () => {
    events.push("returned");
    return { done: true as const, value: undefined };
  };
  const body = { [Symbol.asyncIterator]: () => ({ next: () => item.promise, return: returned }) };
  return { item, events, body };
}

it.each([
  ["has other items than bytes", { done: false, value: {} }],
  ["throws", new Error("broken")],
])("a stream that %s is asked to return, even if nothing cancels it", async (_, end) => {
  const { item, events, body } = pending();
  const read = streamOf(body).getReader().read();
  if (end instanceof Error) item.reject(end);
  else item.resolve(end);
  await expect(read).rejects.toThrow();
  expect(events).toEqual(["returned"]);
});

it("an item that arrives after the caller has gone is not reported as a failure", async () => {
  const { item, events, body } = pending();
  const failed = (error: unknown) => events.push(String(error)) > 0;
  const turn = () => new Promise((resolve) => setImmediate(resolve));
  const reader = streamOf(body, failed).getReader();
  const read = reader.read();
  // The stream asks for the item before the end of this turn, and has handled it before the end of the other.
  await turn();
  await reader.cancel();
  item.resolve({ done: false, value: "data: late" });
  expect(await read).toMatchObject({ done: true });
  await turn();
  expect(events).toEqual(["returned"]);
});
