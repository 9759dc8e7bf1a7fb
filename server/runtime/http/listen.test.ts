import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { RawConnection } from "../../testing/http.ts";
import { generousLimits, startService, type TestService } from "../../testing/service.ts";

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service[Symbol.asyncDispose]());

const commission = JSON.stringify({ commission: { title: "Raw", type: "supply", default_value: 1 } });

/** Returns a request as text. The `framing` lines define where its body ends. */
function raw(target: string, framing: string[], body = "", key = service.acme.secretKey): string {
  const lines = [
    `GET ${target} HTTP/1.1`,
    "Host: 127.0.0.1",
    `Authorization: Bearer ${key}`,
    "Content-Type: application/json",
    ...framing,
  ];
  return `${lines.join("\r\n")}\r\n\r\n${body}`;
}

const sized = (body: string) => raw("/", [`Content-Length: ${Buffer.byteLength(body)}`], body);
const chunk = (text: string) => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`;
const chunked = (...texts: string[]) =>
  raw("/", ["Transfer-Encoding: chunked"], `${texts.map(chunk).join("")}0\r\n\r\n`);
/** Returns a request for a webhook, with an empty object as its body. */
const lookUp = ({ acme } = service) =>
  raw(`/v1/webhooks/${acme.webhook.id}`, ["Content-Length: 2"], "{}", acme.secretKey);

/** Sends text on a new connection and returns the first response. */
async function responseTo(request: string, { url } = service) {
  using connection = await RawConnection.open(url);
  connection.write(request);
  // Waits for the response, because the connection closes at the end of this function.
  return await connection.response();
}

const bodyOf = (response: { body: string } | undefined) => JSON.parse(response?.body ?? "null");
const codeOf = (response: { body: string } | undefined) => bodyOf(response)?.error?.code;

describe("after a GET with a body, the connection can be used for the next request", () => {
  it.each<[string, () => string, number, string | undefined]>([
    ["sent with a length", () => sized(commission), 200, undefined],
    [
      "sent in chunks",
      () => chunked(commission.slice(0, 7), commission.slice(7, 8), commission.slice(8)),
      200,
      undefined,
    ],
    [
      "too large by its Content-Length",
      () => sized(JSON.stringify("x".repeat(70_000))),
      413,
      "content_too_large",
    ],
    [
      "too large after several chunks",
      () =>
        chunked(
          ..."x"
            .repeat(10)
            .split("")
            .map((x) => x.repeat(9_000)),
        ),
      413,
      "content_too_large",
    ],
    [
      "not read because the key is wrong",
      () => raw("/", ["Content-Length: 9000"], "y".repeat(9000), "sk_wrong"),
      401,
      "api_key_invalid",
    ],
    [
      "sent to an unknown path",
      () => raw("/nowhere", ["Content-Length: 5"], "hello"),
      404,
      "route_not_found",
    ],
  ])("if the body is %s", async (_, request, status, code) => {
    using connection = await RawConnection.open(service.url);
    connection.write(request() + lookUp());
    const first = await connection.response();
    const second = await connection.response();
    expect({ status: first?.status, code: codeOf(first), second: second?.status }).toEqual({
      status,
      code,
      second: 200,
    });
  });
});

describe("a body that does not arrive", () => {
  it("gets no response and affects no other request if its sender disconnects", async () => {
    {
      using connection = await RawConnection.open(service.url);
      connection.write(raw("/", ["Content-Length: 500"], '{"commission":'));
    }
    expect((await service.send({ method: "GET", path: "/healthz" })).status).toBe(200);
  });

  it("gets 400 if its sender ends half-way and still reads", async () => {
    using connection = await RawConnection.open(service.url);
    connection.write(raw("/", ["Content-Length: 500"], '{"commission":'));
    connection.end();
    const response = await connection.response();
    expect({ status: response?.status, code: codeOf(response) }).toEqual({
      status: 400,
      code: "malformed_request",
    });
  });

  it("does not keep a connection open if the body is endless and is not read", async () => {
    using connection = await RawConnection.open(service.url);
    connection.write(raw("/", ["Content-Length: 100000000"], "z".repeat(1000)));
    expect((await connection.response())?.status).toBe(413);
    expect(await connection.response()).toBeUndefined();
  });
});

describe("slow senders", () => {
  const limits = { ...generousLimits, headerMs: 900, requestMs: 1200, keepAliveMs: 300 };
  const late = {
    status: 408,
    body: {
      status: false,
      error: {
        code: "malformed_request",
        message: "The request did not arrive in time.",
        request_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      },
    },
  };

  /** Sends a part of a request again and again until there is a response. Meanwhile, sends other requests. */
  async function trickle(start: string, part: string) {
    await using own = await startService({ limits });
    using connection = await RawConnection.open(own.url);
    connection.write(start.replace("KEY", own.acme.secretKey));
    let hasResponse = false;
    const pending = connection.response().finally(() => {
      hasResponse = true;
    });
    const others: number[] = [];
    await expect
      .poll(async () => {
        connection.write(part);
        others.push((await own.send({ method: "GET", path: "/healthz" })).status);
        return hasResponse;
      })
      .toBe(true);
    return {
      response: await pending,
      others: new Set(others),
      next: await connection.response(),
      logged: own.logged,
    };
  }

  it.each<[string, string, string]>([
    ["header", "GET /healthz HTTP/1.1\r\nHost: a\r\nX-Slow: ", "x"],
    [
      "body with a length",
      "GET / HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer KEY\r\nContent-Length: 60000\r\n\r\n",
      " ",
    ],
    [
      "body in chunks",
      "GET / HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer KEY\r\nTransfer-Encoding: chunked\r\n\r\n",
      "1\r\n \r\n",
    ],
  ])("of a %s get 408 and are disconnected, while others are served", async (_, start, part) => {
    const { response, others, next, logged } = await trickle(start, part);
    expect({ status: response?.status, body: bodyOf(response) }).toEqual(late);
    expect(next).toBeUndefined();
    expect(others).toEqual(new Set([200]));
    expect(logged).toContainEqual(expect.objectContaining({ msg: "rejected malformed HTTP", status: 408 }));
  });

  it("who never send anything are disconnected", async () => {
    await using own = await startService({ limits });
    using connection = await RawConnection.open(own.url);
    expect((await connection.response())?.status).toBe(408);
    expect(await connection.response()).toBeUndefined();
  });

  it("cannot keep an idle connection longer than its time limit", async () => {
    await using own = await startService({ limits });
    using connection = await RawConnection.open(own.url);
    connection.write("GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n");
    expect((await connection.response())?.status).toBe(200);
    expect(await connection.response()).toBeUndefined();
  });

  it.each([
    ["after a response", "GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n"],
    ["before the first request", ""],
  ])("cannot keep an idle connection with empty lines %s", async (_, request) => {
    await using own = await startService({ limits });
    using connection = await RawConnection.open(own.url);
    connection.write(request);
    await expect
      .poll(() => {
        connection.write("\r\n");
        return connection.ended;
      })
      .toBe(true);
  });
});

describe("limits", () => {
  const limits = { ...generousLimits, maxHeaderBytes: 2048, maxConnections: 2 };
  const tooLarge = "The request header is too large.";

  it.each<[string, string]>([
    ["is too large", `X-Large: ${"x".repeat(3000)}\r\n`],
    ["has too many lines", "a:\r\n".repeat(100)],
  ])("a header that %s gets 431", async (_, header) => {
    await using own = await startService({ limits });
    const response = await responseTo(`GET /healthz HTTP/1.1\r\nHost: a\r\n${header}\r\n`, own);
    expect({ status: response?.status, ...bodyOf(response).error }).toMatchObject({
      status: 431,
      code: "malformed_request",
      message: tooLarge,
    });
  });

  it("a header of a hundred lines is accepted", async () => {
    const response = await responseTo(`GET /healthz HTTP/1.1\r\nHost: a\r\n${"a:\r\n".repeat(99)}\r\n`);
    expect(response?.status).toBe(200);
  });

  it("connections over the limit are closed, and the open ones continue", async () => {
    await using own = await startService({ limits });
    const request = "GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n";
    using first = await RawConnection.open(own.url);
    using second = await RawConnection.open(own.url);
    for (const connection of [first, second]) {
      connection.write(request);
      expect((await connection.response())?.status).toBe(200);
    }
    using third = await RawConnection.open(own.url);
    third.write(request);
    expect(await third.response()).toBeUndefined();
    first.write(request);
    expect((await first.response())?.status).toBe(200);
  });
});

describe("a caller that waits before it sends a body", () => {
  const head = (target: string, length: number, key = service.acme.secretKey) =>
    raw(target, [`Content-Length: ${length}`, "Expect: 100-continue"], "", key);

  it("gets 100 Continue when the body is needed", async () => {
    using connection = await RawConnection.open(service.url);
    connection.write(head("/", commission.length));
    expect(await connection.interim()).toBe(100);
    connection.write(commission);
    expect((await connection.response())?.status).toBe(200);
  });

  it.each<[string, () => string, number]>([
    ["the key is wrong", () => head("/", 10, "sk_wrong"), 401],
    ["a publishable key is not enough", () => head("/", 10, service.acme.publishableKey), 403],
    ["the body is one byte too large", () => head("/", 65_537), 413],
    ["the path is unknown", () => head("/nowhere", 10), 404],
  ])("is rejected without 100 Continue if %s", async (_, request, status) => {
    using connection = await RawConnection.open(service.url);
    connection.write(request());
    // The first status would be 100 if the server wanted the body.
    expect((await connection.response())?.status).toBe(status);
    expect(await connection.response()).toBeUndefined();
  });
});

describe("malformed HTTP", () => {
  it.each<[string, string]>([
    ["a line that is not a request", "HELLO\r\n\r\n"],
    ["two hosts", "GET /healthz HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n"],
    ["a tunnel", "CONNECT a:80 HTTP/1.1\r\nHost: a\r\n\r\n"],
  ])("responds to %s with the error body", async (_, request) => {
    const response = await responseTo(request);
    const body = bodyOf(response);
    expect(service.logged).toContainEqual(
      expect.objectContaining({ request_id: body?.error?.request_id, msg: "rejected malformed HTTP" }),
    );
    expect({ status: response?.status, head: response?.head, body }).toEqual({
      status: 400,
      head: expect.stringMatching(/^x-content-type-options: nosniff\r$/im),
      body: {
        status: false,
        error: {
          code: "malformed_request",
          message: "The request is not valid HTTP.",
          request_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        },
      },
    });
  });
});

describe("unusual HTTP", () => {
  it("HTTP/1.0 needs no Host header", async () => {
    expect((await responseTo("GET /healthz HTTP/1.0\r\n\r\n"))?.status).toBe(200);
  });

  it("HTTP/1.0 with Transfer-Encoding gets 400, and nothing after it is read", async () => {
    using connection = await RawConnection.open(service.url);
    const framing = "Connection: keep-alive\r\nTransfer-Encoding: chunked";
    connection.write(`GET /healthz HTTP/1.0\r\n${framing}\r\n\r\n0\r\n\r\n${lookUp().repeat(3)}`);
    expect(await connection.response()).toMatchObject({
      status: 400,
      head: expect.stringMatching(/connection: close/i),
    });
    expect(await connection.response()).toBeUndefined();
  });

  it("an unknown expectation is ignored", async () => {
    const response = await responseTo("GET /healthz HTTP/1.1\r\nHost: a\r\nExpect: more\r\n\r\n");
    expect(response?.status).toBe(200);
  });

  it("a request to upgrade the protocol is ignored, and the response contains Connection: close", async () => {
    using connection = await RawConnection.open(service.url);
    connection.write(
      raw("/", [`Content-Length: ${commission.length}`, "Connection: Upgrade", "Upgrade: h2c"], commission),
    );
    expect(await connection.response()).toMatchObject({
      status: 200,
      head: expect.stringMatching(/connection: close/i),
    });
    expect(await connection.response()).toBeUndefined();
  });

  it("responses to complete requests come before the response to malformed bytes after them", async () => {
    const webhook = lookUp();
    using connection = await RawConnection.open(service.url);
    connection.write(`${webhook}${webhook}garbage\r\n\r\n`);
    const responses = [await connection.response(), await connection.response(), await connection.response()];
    expect(responses.map((response) => response?.status)).toEqual([200, 200, 400]);
    expect(await connection.response()).toBeUndefined();
  });

  it.each(["BREW", "get", "GETT"])("the unknown method %s gets 501 and an error body", async (method) => {
    const response = await responseTo(`${method} / HTTP/1.1\r\nHost: a\r\n\r\n`);
    expect({ status: response?.status, ...bodyOf(response).error }).toMatchObject({
      status: 501,
      code: "method_not_allowed",
      message: "No path supports this method.",
    });
  });

  it.each([
    ["a request line with more errors than an unknown method", "GET,POST / HTTP/1.1"],
    ["an unknown method of another protocol", "BREW / HTTP/2.0"],
    ["a target with a fragment", "GET /healthz#top HTTP/1.1"],
  ])("%s gets 400", async (_, line) => {
    expect((await responseTo(`${line}\r\nHost: a\r\n\r\n`))?.status).toBe(400);
  });

  it("the response to a malformed request contains the caller's request id", async () => {
    const response = await responseTo(
      "GET / HTTP/1.1\r\nX-Request-Id: 0b6f3c1e-6a52-4d0e-9d6f-2f3a5d1c7e11\r\n\r\n",
    );
    expect(bodyOf(response)).toMatchObject({ error: { request_id: "0b6f3c1e-6a52-4d0e-9d6f-2f3a5d1c7e11" } });
  });
});

describe("a server that will stop", () => {
  it("continues to respond, and ends each connection after a response with Connection: close", async () => {
    await using own = await startService();
    const webhook = lookUp(own);
    using open = await RawConnection.open(own.url);
    open.write(webhook);
    expect(await open.response()).toMatchObject({
      status: 200,
      head: expect.stringMatching(/connection: keep-alive/i),
    });
    own.drain();
    using fresh = await RawConnection.open(own.url);
    for (const connection of [open, fresh]) {
      connection.write(webhook);
      expect(await connection.response()).toMatchObject({
        status: 200,
        head: expect.stringMatching(/connection: close/i),
      });
      expect(await connection.response()).toBeUndefined();
    }
  });

  it("responds to a request that the caller sent while the server began to stop", async () => {
    await using own = await startService();
    const webhook = lookUp(own);
    using connection = await RawConnection.open(own.url);
    connection.write(webhook);
    expect((await connection.response())?.status).toBe(200);
    const stopped = own.stop(2000);
    connection.write(webhook);
    expect(await connection.response()).toMatchObject({
      status: 200,
      head: expect.stringMatching(/connection: close/i),
    });
    expect(await stopped).toBe(0);
  });

  it("responds to every pipelined request, and only the last response contains Connection: close", async () => {
    await using own = await startService();
    const webhook = lookUp(own);
    own.drain();
    using connection = await RawConnection.open(own.url);
    connection.write(webhook.repeat(20));
    const ends: boolean[] = [];
    for (let response = await connection.response(); response; response = await connection.response())
      ends.push(/connection: close/i.test(response.head));
    expect(ends).toEqual([...Array(19).fill(false), true]);
  });
});

describe("stopping", () => {
  it("responds to accepted requests and accepts no new connections", async () => {
    await using own = await startService();
    const definition = { title: "Last", type: "supply", default_value: 1 };
    using connection = await RawConnection.open(own.url);
    const body = JSON.stringify({ commission: definition });
    const head = raw("/", [`Content-Length: ${body.length}`], "", own.acme.secretKey);
    connection.write(head);
    // This response proves that the server has read the head of the other request.
    await own.send({ method: "GET", path: "/healthz" });
    const stopped = own.stop(2000);
    connection.write(body);
    expect((await connection.response())?.status).toBe(200);
    expect(await stopped).toBe(0);
    await expect(RawConnection.open(own.url)).rejects.toThrow("ECONNREFUSED");
  });

  it("closes open connections at the deadline and returns the number of requests that were cut off", async () => {
    await using own = await startService();
    using connection = await RawConnection.open(own.url);
    connection.write(raw("/", ["Content-Length: 10"], "{", own.acme.secretKey));
    await own.send({ method: "GET", path: "/healthz" });
    expect(await own.stop(50)).toBe(1);
    expect(await connection.response()).toBeUndefined();
    await expect(RawConnection.open(own.url)).rejects.toThrow("ECONNREFUSED");
  });
});
