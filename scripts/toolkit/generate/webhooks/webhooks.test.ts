/** The sender and the receiver that are generated from a document, over real sockets. */
import { createHmac } from "node:crypto";
import { Hono } from "hono";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { contractApp, type PlainResponse } from "#specbind/server";
import { thrownBy } from "../../../../client/runtime/testing/raw-server.ts";
import { send } from "../../../../server/testing/http.ts";
import {
  type GeneratedWebhooks,
  generatedWebhooks,
  removeGenerated,
  type Served,
  serve,
} from "./testing/generated-webhooks.ts";

let generated: GeneratedWebhooks;
beforeAll(async () => {
  generated = await generatedWebhooks();
});
afterAll(removeGenerated);
afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

const secret = `whsec_${Buffer.alloc(32, 1).toString("base64")}`;
const otherSecret = `whsec_${Buffer.alloc(32, 2).toString("base64")}`;
const order = { id: 7, title: "Emma" };
const body = { type: "newOrder", order };
const params = { header: { "X-Topic": "orders" } };
const anyUrl = () => true;
const fail = (message: string): never => {
  throw new Error(message);
};
const anyAddress = () => true;

const ofSender =
  "allowUrl, allowAddress, secret, sign, attemptTimeoutMs, headers, timeoutMs, maxRetries, maxResponseBytes, hooks, validate, tls";
const ofDelivery = "url, secret, id, attemptTimeoutMs, params, body, headers, timeoutMs, maxRetries, signal";

interface Call {
  readonly request: { readonly body: unknown; readonly query: unknown; readonly header: unknown };
  readonly webhook: { readonly id: string; readonly sentAt: Date; readonly isRepeated: boolean };
}

/** A receiver that keeps what its handlers get. */
async function startReceiver(
  respond: (call: number) => PlainResponse = () => ({ status: 200, body: { accepted: true } }),
  options: object = { secret },
) {
  const calls: Call[] = [];
  const take = (request: Call["request"], { c }: { c: { var: Pick<Call, "webhook"> } }) => {
    calls.push({ request, webhook: c.var.webhook });
    return respond(calls.length);
  };
  const app = generated.receiver(
    {
      newOrder: take,
      orderCancelled(...call: Parameters<typeof take>) {
        take(...call);
        return { status: 204 };
      },
    },
    options,
  );
  return Object.assign(await serve(app), { calls });
}

const senderWith = (options: object = {}) =>
  generated.sender({ allowUrl: anyUrl, allowAddress: anyAddress, secret, ...options });

/** The signature by Node's own function, so that a mistake in ours is found. */
function signatureOf(id: string, timestamp: string, text: string, key = secret): string {
  const mac = createHmac("sha256", Buffer.from(key.slice("whsec_".length), "base64"));
  return `v1,${mac.update(`${id}.${timestamp}.${text}`).digest("base64")}`;
}

const now = () => Math.floor(Date.now() / 1000);

/** Sends a signed webhook without the sender. */
function deliver(
  { url }: Pick<Served, "url">,
  {
    id = "msg_1",
    timestamp = String(now()),
    text = JSON.stringify(body),
    sent = "",
    path = "/newOrder",
    headers = {},
  } = {},
) {
  return send(url, {
    method: "POST",
    path,
    body: sent || text,
    headers: {
      "x-topic": "orders",
      "webhook-id": id,
      "webhook-timestamp": timestamp,
      "webhook-signature": signatureOf(id, timestamp, text),
      ...headers,
    },
  });
}

describe("a webhook", () => {
  it("is received with its defaults, and its result is discriminated by status", async () => {
    await using receiver = await startReceiver();
    const result = await senderWith().newOrder({ url: `${receiver.url}/newOrder`, params, body });
    expect([result.status, result.data]).toEqual([200, { accepted: true }]);
    expect(receiver.calls).toEqual([
      {
        request: {
          path: {},
          query: { urgent: false },
          header: { "X-Topic": "orders" },
          cookie: {},
          body: { ...body, copies: 1 },
        },
        webhook: {
          id: expect.stringMatching(/^msg_[\da-f-]{36}$/),
          sentAt: expect.any(Date),
          isRepeated: false,
        },
      },
    ]);
    expect(Math.abs(Number(receiver.calls[0]?.webhook.sentAt) - Date.now())).toBeLessThan(5_000);
  });

  it("may contain what callers otherwise only receive, and not what they only send", async () => {
    await using receiver = await startReceiver();
    const withPassword = { ...body, order: { ...order, password: "hush" } };
    const url = `${receiver.url}/newOrder`;
    expect(await thrownBy(senderWith().newOrder({ url, params, body: withPassword }))).toMatchObject({
      problems: [{ in: "body", pointer: "/order/password", message: expect.any(String) }],
    });
  });

  it("keeps the query of its URL, next to its own parameters", async () => {
    const urls: string[] = [];
    const app = new Hono().post("*", (c) => {
      urls.push(c.req.url);
      return c.json({ accepted: true });
    });
    await using server = await serve(app);
    await senderWith().newOrder({
      url: `${server.url}/in?key=a%20b#part`,
      params: { ...params, query: { urgent: true } },
      body,
    });
    expect(urls).toEqual([`${server.url}/in?key=a%20b&urgent=true`]);
  });

  it("is sent again with the same id and body, and a new signature, if the receiver is busy", async () => {
    vi.spyOn(Math, "random").mockReturnValue(0);
    const sent: { id: string | undefined; isSigned: boolean }[] = [];
    const app = new Hono().post("*", async (c) => {
      const [id = "", timestamp = "", signature] = ["id", "timestamp", "signature"].map(
        (name) => c.req.header(`webhook-${name}`) ?? "",
      );
      sent.push({ id, isSigned: signature === signatureOf(id, timestamp, await c.req.text()) });
      return sent.length < 3 ? c.body(null, 503) : c.json({ accepted: true });
    });
    await using server = await serve(app);
    const result = await senderWith().newOrder({ url: server.url, params, body, id: "msg_order_7" });
    expect([result.status, sent]).toEqual([200, Array(3).fill({ id: "msg_order_7", isSigned: true })]);
  });

  it("has the id that is signed, also if a header gives another one", async () => {
    await using receiver = await startReceiver();
    const headers = { "webhook-id": "other" };
    const { status } = await senderWith().newOrder({
      url: `${receiver.url}/newOrder`,
      params,
      body,
      headers,
      id: "msg_9",
    });
    expect([status, receiver.calls.map(({ webhook }) => webhook.id)]).toEqual([200, ["msg_9"]]);
  });

  it("is sent again at most as long as its time limit", async () => {
    // The waits are 250 ms, 500 ms and 1 second.
    vi.spyOn(Math, "random").mockReturnValue(0.5);
    let attempts = 0;
    const app = new Hono().post("*", (c) => {
      attempts += 1;
      return c.body(null, 503);
    });
    await using server = await serve(app);
    const init = { url: server.url, params, body, timeoutMs: 1_700 };
    const result = await senderWith({ maxRetries: 100 }).newOrder(init);
    expect([result.error.httpStatus, attempts]).toEqual([503, 3]);
  });

  it("is sent again if one attempt takes longer than its own time limit", async () => {
    vi.spyOn(Math, "random").mockReturnValue(0);
    let calls = 0;
    const app = new Hono().post("*", async (c) => {
      calls += 1;
      if (calls === 1) await new Promise(() => {});
      return c.json({ accepted: true });
    });
    await using server = await serve(app);
    const reasons: string[] = [];
    const onRetry = ({ error }: { error: Error }) => void reasons.push(error.message);
    const sender = senderWith({ attemptTimeoutMs: 500, hooks: [{ onRetry }] });
    expect((await sender.newOrder({ url: server.url, params, body })).status).toBe(200);
    expect(reasons).toEqual([
      `newOrder: no complete response arrived from ${server.url} (the attempt took longer than 500 ms)`,
    ]);
  });

  it.each<[what: string, options: object]>([
    ["allowUrl", { allowUrl: () => new Promise(() => {}) }],
    ["sign", { sign: () => new Promise(() => {}) }],
  ])("has a time limit, which includes %s", async (_, options) => {
    const init = { url: "http://127.0.0.1:9", params, body, timeoutMs: 50 };
    expect(await thrownBy(senderWith(options).newOrder(init))).toMatchObject({
      message: "newOrder: took longer than 50 ms",
    });
  });

  it("is not sent to the target of a redirect", async () => {
    let redirected = 0;
    const app = new Hono()
      .post("/to", (c) => {
        redirected += 1;
        return c.json({ accepted: true });
      })
      .post("*", (c) => c.redirect("/to", 307));
    await using server = await serve(app);
    const result = await senderWith().newOrder({ url: server.url, params, body });
    expect(result).toMatchObject({ status: "undocumented", error: { httpStatus: 307 } });
    expect(redirected).toBe(0);
  });

  it("can have another signature, which sender and receiver choose", async () => {
    const mac = (bytes: Uint8Array) => createHmac("sha256", "key").update(bytes).digest("hex");
    await using receiver = await startReceiver(undefined, {
      verify: (request: { header(name: string): string | undefined }, bytes: Uint8Array) =>
        request.header("x-hub") === mac(bytes)
          ? { id: "1", sentAt: new Date(0) }
          : "The X-Hub header is wrong.",
    });
    const sign = ({ body: bytes }: { body: Uint8Array }) => ({ "X-Hub": mac(bytes) });
    const init = { url: `${receiver.url}/newOrder`, params, body };
    expect((await senderWith({ sign }).newOrder(init)).status).toBe(200);
    const result = await senderWith({ sign: () => ({ "X-Hub": "0" }) }).newOrder(init);
    expect(result.error.text).toContain("The X-Hub header is wrong.");
  });

  it("has the credentials that it lists itself, and not those of the whole document", async () => {
    const keys: (string | undefined)[] = [];
    const app = new Hono().all("*", (c) => {
      keys.push(c.req.header("authorization"));
      return c.body(null, 204);
    });
    await using server = await serve(app);
    const sender = senderWith({ apiKey: "k1" });
    await sender.pingGet({ url: server.url });
    await sender.pingPost({ url: server.url });
    expect(keys[0]).toBe("Bearer k1");
  });
});

describe("nothing is sent", () => {
  const app = () => {
    const seen: string[] = [];
    const hono = new Hono().all("*", (c) => {
      seen.push(c.req.url);
      return c.json({ accepted: true });
    });
    return { hono, seen };
  };

  it.each<[why: string, init: object, message: string]>([
    ["if a property is missing", { body: { type: "newOrder" } }, "newOrder: body /order is required"],
    ["if a parameter is missing", { params: {} }, "newOrder: header /X-Topic is required"],
    [
      "if a parameter is not a documented value",
      { params: { header: { "X-Topic": "other" } } },
      'newOrder: header /X-Topic must be one of "orders", "tests"',
    ],
    [
      "if the URL is not one of HTTP",
      { url: "file:///etc/passwd" },
      "newOrder: options /url must begin with http:// or https://, without user and password",
    ],
    [
      "if the URL has a password",
      { url: "http://user:password@127.0.0.1" },
      "newOrder: options /url must begin with http:// or https://, without user and password",
    ],
    [
      "if its body has another media type",
      { headers: { "content-type": "text/plain" } },
      "newOrder: body Send the request body as application/json, with this Content-Type.",
    ],
    [
      "if an option is unknown",
      { middleware: [], retries: 1 },
      `newOrder: options /middleware is unknown. Use one of ${ofDelivery}. Does middleware belong into body or params?; options /retries is unknown. Did you mean maxRetries?`,
    ],
    ["if the id is not visible ASCII", { id: "a\nb" }, "newOrder: options /id must be visible ASCII"],
    [
      "if the secret is not one of Standard Webhooks",
      { secret: "hush" },
      "newOrder: options /secret must be `whsec_` and 24 to 64 bytes in base64",
    ],
  ])("%s", async (_, init, message) => {
    const { hono, seen } = app();
    await using server = await serve(hono);
    const error = await thrownBy(senderWith().newOrder({ url: server.url, params, body, ...init }));
    expect([error, seen]).toEqual([expect.objectContaining({ name: "InvalidCallError", message }), []]);
  });

  it.each([
    ["fails", () => Promise.reject(new Error("no key")), "no key"],
    ["throws an error", () => fail("no key"), "no key"],
    [
      "returns an invalid header",
      () => ({ "x y": "1" }),
      "newOrder: header /x y must have a valid header name",
    ],
  ])("if the signature of the application %s, and nothing is tried again", async (_, sign, message) => {
    const { hono, seen } = app();
    await using server = await serve(hono);
    const onRetry = vi.fn();
    const sender = senderWith({ sign, hooks: [{ onRetry }] });
    expect(await thrownBy(sender.newOrder({ url: server.url, params, body }))).toMatchObject({ message });
    expect([onRetry.mock.calls, seen]).toEqual([[], []]);
  });

  it("to private addresses through a proxy, which resolves only names that this machine does not know", async () => {
    const { hono, seen } = app();
    await using proxy = await serve(hono);
    vi.stubEnv("http_proxy", proxy.url);
    const sender = senderWith({ allowAddress: undefined });
    const result = await sender.newOrder({ url: "http://shop.invalid/in", params, body });
    expect([result.status, seen.length]).toEqual([200, 1]);
    for (const url of [`http://localhost:${proxy.port}/`, "http://10.1.2.3/", proxy.url])
      expect(await thrownBy(sender.newOrder({ url, params, body }))).toMatchObject({
        name: "InvalidCallError",
      });
    expect(seen.length).toBe(1);
  });

  it("if the application does not allow the URL, which it gets in its normal form", async () => {
    const { hono, seen } = app();
    await using server = await serve(hono);
    const asked: string[] = [];
    const allowUrl = async ({ href }: URL, name: string) => {
      asked.push(`${name} ${href}`);
      return false;
    };
    const error = await thrownBy(
      senderWith({ allowUrl }).newOrder({ url: `http://2130706433:${server.port}/a`, params, body }),
    );
    expect(error).toMatchObject({ message: "newOrder: options /url is not allowed by `allowUrl`" });
    expect([asked, seen]).toEqual([[`newOrder http://127.0.0.1:${server.port}/a`], []]);
  });

  it.each([
    "127.0.0.1",
    "2130706433",
    "0x7f.1",
    "0.0.0.0",
    "10.1.2.3",
    "172.31.255.1",
    "192.168.0.1",
    "169.254.169.254",
    "100.64.0.1",
    "[::1]",
    "[::]",
    "[::ffff:127.0.0.1]",
    "[::ffff:a9fe:a9fe]",
    "[64:ff9b::7f00:1]",
    "[fe80::1]",
    "[fd00::1]",
    "[2002:7f00:1::]",
    "[ff02::1]",
  ])("to the address %s, unless the application allows it", async (host) => {
    const url = `http://${host}:9/`;
    const error = await thrownBy(senderWith({ allowAddress: undefined }).newOrder({ url, params, body }));
    expect(error).toMatchObject({
      name: "InvalidCallError",
      message:
        "newOrder: options /url is not allowed by `allowAddress`: a sender connects only to public addresses",
    });
  });

  it("to a name that resolves to a private address, and no second look-up can change that", async () => {
    const { hono, seen } = app();
    await using server = await serve(hono);
    const url = `http://localhost:${server.port}/`;
    const error = await thrownBy(senderWith({ allowAddress: undefined }).newOrder({ url, params, body }));
    expect(error).toMatchObject({
      name: "InvalidCallError",
      message: expect.stringMatching(
        /resolves to (?:127\.0\.0\.1|::1), which is not allowed by `allowAddress`/,
      ),
    });
    expect(seen).toEqual([]);
    const addresses: string[] = [];
    const allowAddress = (address: string) => addresses.push(address) > 0;
    await senderWith({ allowAddress }).newOrder({ url, params, body });
    expect([addresses.length > 0, seen.length]).toEqual([true, 1]);
  });

  it.each<[what: string, options: object, message: RegExp]>([
    ["throws", { allowAddress: () => fail("no list of addresses") }, /no list of addresses/],
    ["returns a promise", { allowAddress: async () => false }, /`allowAddress`/],
    ["returns a text", { allowUrl: () => "no" }, /`allowUrl`/],
  ])("if the application's rule %s", async (_, options, message) => {
    const { hono, seen } = app();
    await using server = await serve(hono);
    for (const host of ["localhost", "127.0.0.1"]) {
      const url = `http://${host}:${server.port}/`;
      expect(String(await thrownBy(senderWith(options).newOrder({ url, params, body })))).toMatch(message);
    }
    expect(seen).toEqual([]);
  });

  it("to any public address without a reason", async () => {
    const { isPublicAddress } = await import("#specbind/sender");
    const addresses = ["1.1.1.1", "172.32.0.1", "2606:4700:4700::1111", "::1", "name"];
    expect(addresses.map(isPublicAddress)).toEqual([true, true, true, false, false]);
  });

  it("if the options of the sender are not valid, and all of them are named", () => {
    const options = { secret: "x", timeoutMs: 0, retries: 1, fetch };
    const problems = [
      "/timeoutMs must be a number above 0",
      "/retries is unknown. Did you mean maxRetries?",
      `/fetch is unknown. Use one of ${ofSender}, …`,
      "/allowUrl must be a function",
      "/secret must be `whsec_` and 24 to 64 bytes in base64",
    ];
    expect(() => generated.sender(options)).toThrow(
      expect.objectContaining({
        message: `sender: ${problems.map((each) => `options ${each}`).join("; ")}`,
      }),
    );
    expect(() => generated.sender(undefined as never)).toThrow(
      `sender: options must be an object with ${ofSender}, apiKey`,
    );
  });
});

describe("a receiver", () => {
  it("accepts a signature that another program made", async () => {
    await using receiver = await startReceiver();
    expect(await deliver(receiver)).toMatchObject({ status: 200, body: { accepted: true } });
  });

  const wrong = "The signature of the webhook is not valid.";
  const old = "The time stamp of the webhook differs by more than 300 seconds from this clock.";
  const text = JSON.stringify(body);
  const signedAs = (signature: string) => ({ headers: { "webhook-signature": signature } });
  it.each<[what: string, change: (at: number) => Parameters<typeof deliver>[1], detail: string]>([
    [
      "the signature of another secret",
      (at) => ({ timestamp: `${at}`, ...signedAs(signatureOf("msg_1", `${at}`, text, otherSecret)) }),
      wrong,
    ],
    ["a signature of version 2", () => signedAs("v2,AAAA"), wrong],
    ["a signature that is not base64", () => signedAs("v1,é"), wrong],
    ["a body that was written again", () => ({ sent: JSON.stringify(body, null, 1) }), wrong],
    ["another id", () => ({ headers: { "webhook-id": "msg_2" } }), wrong],
    ["another time stamp", (at) => ({ headers: { "webhook-timestamp": `${at + 100}` } }), wrong],
    ["a time stamp that is 301 seconds old", (at) => ({ timestamp: `${at - 301}` }), old],
    ["a time stamp that is 310 seconds ahead", (at) => ({ timestamp: `${at + 310}` }), old],
    ["a time stamp that is no number", () => ({ timestamp: "soon" }), old],
    [
      "no signature",
      () => signedAs(""),
      "Send the headers webhook-id, webhook-timestamp, webhook-signature.",
    ],
  ])("rejects %s with 401, before its handler is called", async (_, change, detail) => {
    await using receiver = await startReceiver();
    const { status, body: problem } = await deliver(receiver, change(now()));
    expect([status, problem, receiver.calls]).toEqual([401, expect.objectContaining({ detail }), []]);
  });

  it("accepts several signatures and several secrets while a secret is being changed", async () => {
    await using receiver = await startReceiver(undefined, { secret: [otherSecret, secret] });
    const timestamp = String(now());
    const other = signatureOf("msg_1", timestamp, "other");
    const right = signatureOf("msg_1", timestamp, text);
    const signature = `${other} v1a,AAAA ${right}`;
    expect((await deliver(receiver, { timestamp, headers: { "webhook-signature": signature } })).status).toBe(
      200,
    );
  });

  it("rejects a body that its schema does not allow, and names each problem", async () => {
    await using receiver = await startReceiver();
    const text = JSON.stringify({ ...body, copies: 0, order: { title: "" } });
    expect(await deliver(receiver, { text })).toMatchObject({
      status: 400,
      body: {
        code: "request_invalid",
        problems: [
          { in: "body", pointer: "/order/id" },
          { in: "body", pointer: "/order/title" },
          { in: "body", pointer: "/copies" },
        ],
      },
    });
    expect(receiver.calls).toEqual([]);
  });

  it("tells its handler that an id is repeated, unless the first attempt has failed", async () => {
    const log = vi.spyOn(console, "error").mockReturnValue();
    await using receiver = await startReceiver((call) => {
      if (call === 1) throw new Error("the database is down");
      return { status: 200, body: { accepted: true } };
    });
    const statuses: number[] = [];
    for (const id of ["msg_1", "msg_1", "msg_1", "msg_2"])
      statuses.push((await deliver(receiver, { id })).status);
    expect(statuses).toEqual([500, 200, 200, 200]);
    expect(receiver.calls.map(({ webhook }) => webhook.isRepeated)).toEqual([false, false, true, false]);
    expect(log).toHaveBeenCalledTimes(1);
  });

  it("lets a repetition wait for the first attempt, which may still fail", async () => {
    vi.spyOn(console, "error").mockReturnValue();
    let respond = (_: PlainResponse): void => {};
    const first = new Promise<PlainResponse>((resolve) => {
      respond = resolve;
    });
    await using receiver = await startReceiver((call) =>
      call === 1 ? (first as never) : { status: 200, body: { accepted: true } },
    );
    const attempts = [deliver(receiver), deliver(receiver)];
    await vi.waitFor(() => expect(receiver.calls).toHaveLength(1));
    await deliver(receiver, { id: "msg_2" });
    respond({ status: 410 });
    expect((await Promise.all(attempts)).map(({ status }) => status).toSorted()).toEqual([200, 410]);
    expect(receiver.calls.map(({ webhook }) => [webhook.id, webhook.isRepeated])).toEqual([
      ["msg_1", false],
      ["msg_2", false],
      ["msg_1", false],
    ]);
  });

  it("can remember ids in a memory of the application", async () => {
    const known = new Set(["msg_1"]);
    const kept: string[] = [];
    const seen = {
      add: async (id: string) => !known.has(id) && known.add(id).has(id),
      keep: async (id: string) => kept.push(id),
      delete: async (id: string) => known.delete(id),
    };
    await using receiver = await startReceiver(undefined, { secret, seen });
    await deliver(receiver);
    await deliver(receiver, { id: "msg_2", text: "{}" });
    await deliver(receiver, { id: "msg_3" });
    expect(receiver.calls.map(({ webhook }) => webhook.isRepeated)).toEqual([true, false]);
    expect([[...known], kept]).toEqual([["msg_1", "msg_3"], ["msg_3"]]);
  });

  it("receives all webhooks at `/`, and calls the handler whose schema matches", async () => {
    await using receiver = await startReceiver();
    const cancelled = JSON.stringify({ type: "order.cancelled", id: 7 });
    const statuses = [
      (await deliver(receiver, { path: "/" })).status,
      (await deliver(receiver, { path: "/", id: "msg_2", text: cancelled })).status,
      (await deliver(receiver, { path: "/order.cancelled", id: "msg_3", text: cancelled })).status,
    ];
    expect(statuses).toEqual([200, 204, 204]);
    expect(receiver.calls.map(({ request, webhook }) => [request.body, webhook.isRepeated])).toEqual([
      [{ ...body, copies: 1 }, false],
      [JSON.parse(cancelled), false],
      [JSON.parse(cancelled), false],
    ]);
    expect(
      await deliver(receiver, { path: "/", text: JSON.stringify({ type: "order.cancelled" }) }),
    ).toMatchObject({
      status: 400,
      body: { problems: [{ in: "body", pointer: "/id" }] },
    });
  });

  it("calls no handler at `/` if another webhook matches, or several", async () => {
    const called: unknown[] = [];
    const take = (request: Call["request"]) => {
      called.push(request.body);
      return { status: 200, body: { accepted: true } };
    };
    await using orders = await serve(generated.receiver({ newOrder: take }, { secret }));
    await using pings = await serve(generated.receiver({ pingPost: take }, { secret }));
    const cancelled = JSON.stringify({ type: "order.cancelled", id: 7 });
    const statuses = [
      (await deliver(orders, { path: "/", text: cancelled })).status,
      (await deliver(pings, { path: "/", text: JSON.stringify(body) })).status,
      // Several webhooks have no body.
      (await deliver(pings, { path: "/", text: "" })).status,
    ];
    expect([statuses, called]).toEqual([[404, 404, 404], []]);
    expect((await deliver(pings, { path: "/", text: "" })).body).toMatchObject({
      detail:
        "No webhook is received here. Send it to its own URL, or to / if its body matches no other webhook.",
    });
  });

  it.each([
    [{ newOrdr: () => ({ status: 204 }) }, /^receiver: there is no webhook `newOrdr`; use newOrder, /],
    [{}, /^receiver: write a handler for newOrder or /],
    [{ newOrder: undefined }, /^receiver: write a handler for /],
  ])("is not made with the handlers %j", (handlers, message) => {
    expect(() => generated.receiver(handlers as never, { secret })).toThrow(message);
  });

  it("rejects a webhook without a handler, and a wrong method", async () => {
    await using receiver = await startReceiver();
    expect((await deliver(receiver, { path: "/ping" })).status).toBe(404);
    expect((await send(receiver.url, { method: "PUT", path: "/newOrder", body: {} })).status).toBe(405);
    expect((await send(receiver.url, { method: "PUT", path: "/", body: {} })).status).toBe(405);
  });

  it("can be mounted in another app, and needs no socket", async () => {
    const app = new Hono().route(
      "/hooks",
      generated.receiver({ newOrder: () => ({ status: 200, body: { accepted: true } }) }, { secret }) as Hono,
    );
    const text = JSON.stringify(body);
    const timestamp = String(now());
    const headers = {
      "content-type": "application/json",
      "x-topic": "orders",
      "webhook-id": "a",
      "webhook-timestamp": timestamp,
      "webhook-signature": signatureOf("a", timestamp, text),
    };
    for (const path of ["/hooks/newOrder", "/hooks", "/hooks/"])
      expect([path, (await app.request(path, { method: "POST", headers, body: text })).status]).toEqual([
        path,
        200,
      ]);
  });

  it.each([[{}], [{ secret: [] }], [{ secret: "whsec_" }], [{ secret: `whsec_${"A".repeat(8)}` }]])(
    "is not made with the options %j",
    (options) => {
      expect(() => generated.receiver({ newOrder: () => ({ status: 410 }) }, options)).toThrow(
        /^receiver: the option `secret` /,
      );
    },
  );
});

describe("a callback", () => {
  const callbackApp = (handlers: object) =>
    contractApp({
      contract: generated.contract,
      handlers: {
        createOrder: () => ({ status: 201, body: order }),
        watchOrder: () => ({ status: 204 }),
        ...handlers,
      } as never,
      callbacks: generated.callbacks(senderWith()),
    });
  /** Keeps what arrives. */
  const listener = () => {
    const arrived: string[] = [];
    const app = new Hono().all("*", async (c) => {
      arrived.push(`${c.req.method} ${c.req.url} ${await c.req.text()}`);
      return c.body(null, 204);
    });
    return { app, arrived };
  };

  it("is sent to the URL in the body of the request, with a typed result", async () => {
    const { app, arrived } = listener();
    await using target = await serve(app);
    let status: unknown;
    const createOrder = async (
      _: unknown,
      { callbacks }: { callbacks: Record<string, (init: object) => Promise<{ status: unknown }>> },
    ) => {
      status = (await callbacks.shipped?.({ body: order }))?.status;
      return { status: 201, body: order };
    };
    await using service = await serve(callbackApp({ createOrder }));
    const newOrder = { title: "Emma", callbackUrl: `${target.url}/in?a=b` };
    expect((await send(service.url, { method: "POST", path: "/orders", body: newOrder })).status).toBe(201);
    expect([status, arrived]).toEqual([204, [`POST ${target.url}/in?a=b ${JSON.stringify(order)}`]]);
  });

  it("can take its URL from the path, the query and the headers, and encodes what is not its begin", async () => {
    const { app, arrived } = listener();
    await using target = await serve(app);
    const watchOrder = async (
      _: unknown,
      { callbacks }: { callbacks: Record<string, () => Promise<unknown>> },
    ) => {
      await callbacks.changed?.();
      await callbacks.changed2?.();
      return { status: 204 };
    };
    await using service = await serve(callbackApp({ watchOrder }));
    const path = `/orders/7?to=${encodeURIComponent(target.url)}`;
    await send(service.url, { method: "POST", path, headers: { "x-topic": "a&b=c" } });
    expect(arrived).toEqual([`POST ${target.url}/7?topic=a%26b%3Dc `, `PUT ${target.url}/ `]);
  });

  it.each([
    [
      "the request has no value for it",
      "createOrder",
      "shipped",
      "createOrderShipped: options /url `$request.body#/callbackUrl` has no value in this request",
    ],
    [
      "it needs the response",
      "watchOrder",
      "failed",
      "watchOrderFailed: options /url `$response.body#/url` needs the response, which does not exist yet; send the callback with the sender and its `url`",
    ],
  ])("is a clear error if %s", async (_, operation, callback, message) => {
    let error: unknown;
    const handle = async (
      _: unknown,
      { callbacks }: { callbacks: Record<string, (init: object) => Promise<unknown>> },
    ) => {
      error = await thrownBy(callbacks[callback]?.({ body: order }) ?? Promise.resolve());
      return operation === "createOrder" ? { status: 201, body: order } : { status: 204 };
    };
    await using service = await serve(callbackApp({ [operation]: handle }));
    const path = operation === "createOrder" ? "/orders" : "/orders/7?to=http%3A%2F%2Fa.test";
    await send(service.url, {
      method: "POST",
      path,
      body: operation === "createOrder" ? { title: "Emma" } : undefined,
    });
    expect(error).toMatchObject({ name: "InvalidCallError", message });
  });
});
