import type { Socket } from "node:net";
import { describe, expect, it } from "vitest";
import { ContentRequest } from "../content-request.ts";
import { createClient, createClientOver } from "../create-client.ts";
import { ContentNotSendableError } from "../errors.ts";
import { closed, http, json, startRawServer, thrownBy } from "../testing/raw-server.ts";
import { createTransport } from "./fetch.ts";

const clientOf = (baseUrl: string) => createClientOver(createTransport, { baseUrl, apiKey: "sk_1" });

const exchange = (url: string, { maxBytes = 1000, signal = new AbortController().signal } = {}) =>
  createTransport({}).exchange(new ContentRequest(url, { redirect: "manual", signal }), maxBytes);

describe("an exchange with fetch", () => {
  it("returns the received response, even a redirect, which it does not follow", async () => {
    await using server = await startRawServer((socket) =>
      socket.write(http("302 Found", "text/plain", "ä", "Location: /elsewhere\r\n")),
    );
    const { response, bytes } = await exchange(server.url);
    expect([response.status, Buffer.from(bytes).toString()]).toEqual([302, "ä"]);
    expect(server.received.map(({ line }) => line)).toEqual(["GET / HTTP/1.1"]);
  });

  const part = `HTTP/1.1 200 OK\r\nContent-Length: 5000\r\n\r\n${"x".repeat(1001)}`;
  it.each<[why: string, message: string, reply: (socket: Socket) => void]>([
    ["if there is no response", "fetch failed", (socket) => socket.resetAndDestroy()],
    ["if the connection breaks during the body", "terminated", (socket) => socket.end(part.slice(0, -900))],
    [
      "as soon as the body is larger than the limit",
      "the response body is larger than 1000 bytes",
      (socket) => socket.write(part),
    ],
  ])("rejects %s, and closes its connection", async (_, message, reply) => {
    await using server = await startRawServer(reply);
    expect(await thrownBy(exchange(server.url))).toMatchObject({ message });
    await closed(server.connections[0]?.socket);
  });

  it.each<[when: string, reply: (socket: Socket, abort: () => void) => void]>([
    ["no response has arrived", (_, abort) => abort()],
    [
      "the response is being read",
      (socket, abort) => socket.write(part.slice(0, -900), () => setImmediate(abort)),
    ],
  ])("that is aborted while %s rejects with the reason and closes its connection", async (_, reply) => {
    const controller = new AbortController();
    const reason = new Error("enough");
    await using server = await startRawServer((socket) => reply(socket, () => controller.abort(reason)));
    expect(await thrownBy(exchange(server.url, { signal: controller.signal }))).toBe(reason);
    await closed(server.connections[0]?.socket);
  });

  it("is not created with options that fetch does not have", () => {
    const message = "createClient: options /tls is not supported by fetch";
    expect(() => createTransport({ tls: {} })).toThrow(message);
    const options = { baseUrl: "http://a.test", apiKey: "pk_1", tls: {}, fetch };
    expect(() => createClient(options)).toThrow(message);
  });
});

describe("with fetch as the only transport", () => {
  it("a GET that needs a body is rejected with the operation's name, before anything is sent", async () => {
    await using server = await startRawServer((socket) => socket.write(json("200 OK", {})));
    const body = { commission: { title: "t", type: "supply", default_value: 1 } };
    const errors = [
      await thrownBy(clientOf(server.url).submitCommission({ body })),
      await thrownBy(clientOf(server.url).GET("/", { body })),
    ];
    for (const error of errors) {
      expect(error).toBeInstanceOf(ContentNotSendableError);
      expect(error).toMatchObject({
        name: "ContentNotSendableError",
        operationId: "submitCommission",
        message: "submitCommission: needs a body with GET, which fetch cannot send. Call it from Node",
      });
    }
    expect(server.connections).toEqual([]);
  });

  it("a GET whose body is not the default is rejected, and not sent without its body", async () => {
    await using server = await startRawServer((socket) => socket.write(json("200 OK", {})));
    const body: Record<string, never> = JSON.parse('{"more":1}');
    expect(
      await thrownBy(clientOf(server.url).getWebhook({ params: { path: { webhook_id: 7 } }, body })),
    ).toBeInstanceOf(ContentNotSendableError);
    expect(server.connections).toEqual([]);
  });

  it.each([[{}], [{ body: {} }]])("the default body of a GET is left out (%j)", async (init) => {
    await using server = await startRawServer((socket) => socket.write(json("200 OK", {})));
    await clientOf(server.url).getWebhook({ params: { path: { webhook_id: 7 } }, ...init });
    expect(
      server.received.map(({ line, headers, content }) => ({
        line,
        content,
        length: headers["content-length"],
        type: headers["content-type"],
        chunked: headers["transfer-encoding"],
      })),
    ).toEqual([
      {
        line: "GET /v1/webhooks/7 HTTP/1.1",
        content: "",
        length: undefined,
        type: "application/json",
        chunked: undefined,
      },
    ]);
  });

  it("a POST has its body", async () => {
    await using server = await startRawServer((socket) => socket.write(json("200 OK", {})));
    const user = { uuid: "u", mobile: "1", dial_code: "91", password: "p", type: "customer" };
    await clientOf(server.url).loginUser({ body: { user } });
    expect(server.received.map(({ content }) => content)).toEqual([JSON.stringify({ user })]);
  });
});
