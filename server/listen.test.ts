import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { RawConnection } from "./testing/http.ts";
import { startService, type TestService } from "./testing/service.ts";

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service[Symbol.asyncDispose]());

const commission = JSON.stringify({ commission: { title: "Raw", type: "supply", default_value: 1 } });

/** A request by hand; `framing` lines say where its content ends. */
function raw(target: string, framing: string[], content = "", key = service.acme.secretKey): string {
  const lines = [
    `GET ${target} HTTP/1.1`,
    "Host: 127.0.0.1",
    `Authorization: Bearer ${key}`,
    "Content-Type: application/json",
    ...framing,
  ];
  return `${lines.join("\r\n")}\r\n\r\n${content}`;
}

const sized = (content: string) => raw("/", [`Content-Length: ${Buffer.byteLength(content)}`], content);
const chunk = (text: string) => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`;
const chunked = (...texts: string[]) =>
  raw("/", ["Transfer-Encoding: chunked"], `${texts.map(chunk).join("")}0\r\n\r\n`);
const codeOf = (answer: { body: string } | undefined) => JSON.parse(answer?.body ?? "null")?.error?.code;

describe("GET with content leaves the connection fit for the next request", () => {
  it.each<[string, () => string, number, string | undefined]>([
    ["sized", () => sized(commission), 200, undefined],
    ["chunked", () => chunked(commission), 200, undefined],
    [
      "chunked in pieces",
      () => chunked(commission.slice(0, 7), commission.slice(7, 8), commission.slice(8)),
      200,
      undefined,
    ],
    ["absent", () => raw("/", []), 422, "request_invalid"],
    ["of no bytes", () => raw("/", ["Content-Length: 0"]), 422, "request_invalid"],
    ["chunked of no bytes", () => chunked(), 422, "request_invalid"],
    ["an empty object", () => sized("{}"), 422, "request_invalid"],
    ["malformed", () => sized('{"commission":'), 400, "malformed_content"],
    [
      "oversized by its announced size",
      () => sized(JSON.stringify("x".repeat(70_000))),
      413,
      "content_too_large",
    ],
    [
      "oversized while it is chunked",
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
      "left unread behind a wrong key",
      () => raw("/", ["Content-Length: 9000"], "y".repeat(9000), "sk_wrong"),
      401,
      "api_key_invalid",
    ],
    ["sent to no operation", () => raw("/nowhere", ["Content-Length: 5"], "hello"), 404, "route_not_found"],
  ])("%s", async (_, request, status, code) => {
    using connection = await RawConnection.open(service.url);
    connection.write(request() + raw(`/v1/webhooks/${service.acme.webhook.id}`, ["Content-Length: 2"], "{}"));
    const first = await connection.response();
    const second = await connection.response();
    expect({ status: first?.status, code: codeOf(first), second: second?.status }).toEqual({
      status,
      code,
      second: 200,
    });
  });
});

describe("content that does not arrive", () => {
  it("gets no answer and harms nobody when its sender goes away", async () => {
    {
      using connection = await RawConnection.open(service.url);
      connection.write(raw("/", ["Content-Length: 500"], '{"commission":'));
    }
    expect((await service.send({ method: "GET", path: "/healthz" })).status).toBe(200);
  });

  it("gets 400 when its sender ends half-way and still listens", async () => {
    using connection = await RawConnection.open(service.url);
    connection.write(raw("/", ["Content-Length: 500"], '{"commission":'));
    connection.end();
    const answer = await connection.response();
    expect({ status: answer?.status, code: codeOf(answer) }).toEqual({
      status: 400,
      code: "malformed_request",
    });
  });

  it("does not hold a connection that sends without end what nobody reads", async () => {
    using connection = await RawConnection.open(service.url);
    connection.write(raw("/", ["Content-Length: 100000000"], "z".repeat(1000)));
    expect((await connection.response())?.status).toBe(413);
    expect(await connection.response()).toBeUndefined();
  });
});

describe("malformed HTTP", () => {
  it.each<[string, string]>([
    ["a line that is no request", "HELLO\r\n\r\n"],
    ["a request without a host", "GET /healthz HTTP/1.1\r\n\r\n"],
    ["two hosts", "GET /healthz HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n"],
    ["a tunnel", "CONNECT a:80 HTTP/1.1\r\nHost: a\r\n\r\n"],
    ["a host that is none", "GET /healthz HTTP/1.1\r\nHost: a b\r\n\r\n"],
    [
      "two different lengths",
      "GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab",
    ],
    [
      "a length beside chunks",
      "GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    ],
    ["a chunk that is none", "GET / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n"],
    ["a backslash in the path", "GET /a\\b HTTP/1.1\r\nHost: a\r\n\r\n"],
  ])("gives %s the one envelope", async (_, request) => {
    using connection = await RawConnection.open(service.url);
    connection.write(request);
    const answer = await connection.response();
    const body = JSON.parse(answer?.body ?? "null");
    expect(service.logged).toContainEqual(
      expect.objectContaining({ request_id: body?.error?.request_id, msg: "answered malformed HTTP" }),
    );
    expect({ status: answer?.status, body }).toEqual({
      status: 400,
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

describe("the edges of HTTP", () => {
  const status = async (request: string) => {
    using connection = await RawConnection.open(service.url);
    connection.write(request);
    return (await connection.response())?.status;
  };

  it("HTTP/1.0 needs no host", async () => {
    expect(await status("GET /healthz HTTP/1.0\r\n\r\n")).toBe(200);
  });

  it("an unknown expectation is passed over", async () => {
    expect(await status("GET /healthz HTTP/1.1\r\nHost: a\r\nExpect: more\r\n\r\n")).toBe(200);
  });

  it("answers to whole requests come before the one to malformed bytes behind them", async () => {
    const webhook = raw(`/v1/webhooks/${service.acme.webhook.id}`, ["Content-Length: 2"], "{}");
    using connection = await RawConnection.open(service.url);
    connection.write(`${webhook}${webhook}garbage\r\n\r\n`);
    const answers = [await connection.response(), await connection.response(), await connection.response()];
    expect(answers.map((answer) => answer?.status)).toEqual([200, 200, 400]);
    expect(await connection.response()).toBeUndefined();
  });

  it("an answer to a malformed request carries the caller's own request id", async () => {
    using connection = await RawConnection.open(service.url);
    connection.write("GET / HTTP/1.1\r\nX-Request-Id: mine\r\n\r\n");
    expect(JSON.parse((await connection.response())?.body ?? "null")).toMatchObject({
      error: { request_id: "mine" },
    });
  });
});

describe("stopping", () => {
  it("answers what it has accepted and takes nothing new", async () => {
    await using own = await startService();
    const definition = { title: "Last", type: "supply", default_value: 1 };
    using connection = await RawConnection.open(own.url);
    const content = JSON.stringify({ commission: definition });
    const head = raw("/", [`Content-Length: ${content.length}`], "", own.acme.secretKey);
    connection.write(head);
    // The request is accepted once the server has read its head, which the answer to an interim look proves.
    await own.send({ method: "GET", path: "/healthz" });
    const stopped = own.stop(2000);
    connection.write(content);
    expect((await connection.response())?.status).toBe(200);
    expect(await stopped).toBe(true);
    await expect(own.send({ method: "GET", path: "/healthz" })).rejects.toThrow("ECONNREFUSED");
  });

  it("cuts off what is still open at the deadline, and says so", async () => {
    await using own = await startService();
    using connection = await RawConnection.open(own.url);
    connection.write(raw("/", ["Content-Length: 10"], "{", own.acme.secretKey));
    await own.send({ method: "GET", path: "/healthz" });
    expect(await own.stop(50)).toBe(false);
    expect(await connection.response()).toBeUndefined();
  });
});
