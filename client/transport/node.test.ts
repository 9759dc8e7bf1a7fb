import { execFile } from "node:child_process";
import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { ContentRequest } from "../content-request.ts";
import { http, json, startRawServer } from "../testing/raw-server.ts";
import { transport } from "./node.ts";

/** A GET with content goes by node:http, a POST by fetch. What this file promises holds for both. */
const ways = ["GET", "POST"];
const requestOf = (url: string, method = "GET", init: RequestInit = {}) =>
  new ContentRequest(url, { method, body: "{}", redirect: "manual", ...init });
const thrownBy = (promise: Promise<unknown>) =>
  promise.then(
    () => Promise.reject(new Error("nothing was thrown")),
    (error: unknown) => error,
  );
const messageAndCause = (error: unknown) => {
  if (!(error instanceof Error)) return error;
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message;
};

describe("framing", () => {
  it.each(ways)("sends the content of a %s once, with its length in bytes", async (method) => {
    await using server = await startRawServer((socket) => socket.write(json("200 OK", {})));
    const headers = { "content-type": "application/json", "x-extra": "1" };
    const response = await transport.send(requestOf(`${server.url}/a?b=c`, method, { body: '"ä"', headers }));
    await response.text();
    expect(server.received).toEqual([
      {
        connection: 1,
        line: `${method} /a?b=c HTTP/1.1`,
        headers: expect.objectContaining({
          host: new URL(server.url).host,
          connection: "keep-alive",
          "content-length": "4",
          "content-type": "application/json",
          "x-extra": "1",
        }),
        content: '"ä"',
      },
    ]);
    expect(server.received[0]?.headers).not.toHaveProperty("transfer-encoding");
    expect(server.connections[0]?.rest).toBe("");
  });

  it("lets no header of the caller change the framing, nor ask for a coding that nobody decodes", async () => {
    await using server = await startRawServer((socket) => socket.write(json("200 OK", {})));
    const headers = { "transfer-encoding": "chunked", "content-length": "1", "accept-encoding": "gzip" };
    await (await transport.send(requestOf(server.url, "GET", { headers }))).text();
    expect(server.received.map((request) => request.headers)).toEqual([
      {
        host: new URL(server.url).host,
        connection: "keep-alive",
        "content-length": "2",
        "accept-encoding": "identity",
      },
    ]);
    expect(server.connections[0]?.rest).toBe("");
  });

  it("of a GET with content to an https URL is inside TLS", async () => {
    let first: Buffer | undefined;
    const server = createServer((socket) =>
      socket.once("data", (bytes: Buffer) => {
        first = bytes;
        socket.destroy();
      }),
    ).listen(0, "127.0.0.1");
    await once(server, "listening");
    await using _ = { [Symbol.asyncDispose]: async () => void server.close() };
    const { port } = server.address() as AddressInfo;
    await thrownBy(transport.send(requestOf(`https://127.0.0.1:${port}/`)));
    const handshake = 22;
    expect(first?.[0]).toBe(handshake);
  });

  it("sends a GET without content with no length at all", async () => {
    await using server = await startRawServer((socket) => socket.write(json("200 OK", {})));
    await (await transport.send(new ContentRequest(server.url))).text();
    expect(server.received.map(({ line, headers }) => [line, headers["content-length"]])).toEqual([
      ["GET / HTTP/1.1", undefined],
    ]);
  });
});

describe("connections", () => {
  it.each([
    [json("200 OK", {})],
    ["HTTP/1.1 204 No Content\r\n\r\n"],
    [http("500 Internal Server Error", undefined, "")],
    [http("302 Found", "text/html", "moved", "Location: /elsewhere\r\n")],
    ["HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n"],
  ])("are used again after a GET with content that was answered %j", async (answer) => {
    await using server = await startRawServer((socket) => socket.write(answer));
    for (let count = 0; count < 5; count++) await (await transport.send(requestOf(server.url))).text();
    expect(server.received.map(({ connection }) => connection)).toEqual([1, 1, 1, 1, 1]);
  });

  it("serve as many requests at once as there are", async () => {
    const waiting: Socket[] = [];
    await using server = await startRawServer((socket) => {
      if (waiting.push(socket) === 20) for (const each of waiting) each.write(json("200 OK", {}));
    });
    const all = Array.from({ length: 20 }, async () => (await transport.send(requestOf(server.url))).text());
    expect(await Promise.all(all)).toEqual(all.map(() => "{}"));
  });

  it.each(ways)("that are idle after a %s do not keep the process from exiting", async (method) => {
    await using server = await startRawServer((socket) => socket.write(json("200 OK", {})));
    const script = `
      const { transport } = await import(${JSON.stringify(new URL("./node.ts", import.meta.url))});
      const { ContentRequest } = await import(${JSON.stringify(new URL("../content-request.ts", import.meta.url))});
      const request = new ContentRequest(${JSON.stringify(server.url)}, { method: "${method}", body: "{}" });
      console.log(await (await transport.send(request)).text());`;
    const started = performance.now();
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ["--input-type=module", "--eval", script],
      {
        timeout: 10_000,
      },
    );
    expect({ stdout, connections: server.connections.length }).toEqual({ stdout: "{}\n", connections: 1 });
    expect(performance.now() - started).toBeLessThan(3_000);
  });
});

describe("answers", () => {
  it.each(ways)("of a %s come with status, reason, headers and body as sent", async (method) => {
    await using server = await startRawServer((socket) =>
      socket.write(http("502 Bad Gateway", "text/html", "<h1>ä</h1>", "X-Twice: 1\r\nX-Twice: 2\r\n")),
    );
    const response = await transport.send(requestOf(server.url, method));
    expect({
      status: response.status,
      statusText: response.statusText,
      headers: Object.fromEntries(response.headers),
      text: await response.text(),
    }).toEqual({
      status: 502,
      statusText: "Bad Gateway",
      headers: { "content-length": "11", "content-type": "text/html", "x-twice": "1, 2" },
      text: "<h1>ä</h1>",
    });
  });

  it.each(
    ways.flatMap((method) => [
      [method, "500", "", http("500 Internal Server Error", undefined, "")] as const,
      [method, "204", "", "HTTP/1.1 204 No Content\r\n\r\n"] as const,
      [method, "205", "", "HTTP/1.1 205 Reset Content\r\nContent-Length: 0\r\n\r\n"] as const,
      [method, "304", "", "HTTP/1.1 304 Not Modified\r\n\r\n"] as const,
      [method, "307", "", http("307 Temporary Redirect", undefined, "", "Location: /elsewhere\r\n")] as const,
      [method, "200", "{}", `HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n${json("200 OK", {})}`] as const,
    ]),
  )("of a %s may be %s with the body %j", async (method, status, text, answer) => {
    await using server = await startRawServer((socket) => socket.write(answer));
    const response = await transport.send(requestOf(server.url, method));
    expect({ status: String(response.status), text: await response.text() }).toEqual({ status, text });
    expect(server.received.map(({ line }) => line)).toEqual([`${method} / HTTP/1.1`]);
  });
});

describe("an exchange rejects", () => {
  it.each(ways)("where the body of the answer to a %s breaks off", async (method) => {
    await using server = await startRawServer((socket) =>
      socket.end(
        'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"status":',
      ),
    );
    const response = await transport.send(requestOf(server.url, method));
    expect([response.status, messageAndCause(await thrownBy(response.text()))]).toEqual([
      200,
      method === "GET" ? "aborted" : "terminated: other side closed",
    ]);
  });

  it.each(ways)("where the chunks of the answer to a %s break off", async (method) => {
    await using server = await startRawServer((socket) =>
      socket.end('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{"a":\r\n'),
    );
    const response = await transport.send(requestOf(server.url, method));
    expect(await thrownBy(response.text())).toBeInstanceOf(Error);
  });

  it.each(
    ways.flatMap((method) => [
      [method, "closes the connection", (socket: Socket) => socket.end()] as const,
      [method, "resets the connection", (socket: Socket) => socket.resetAndDestroy()] as const,
      [method, "does not speak HTTP", (socket: Socket) => socket.end("SSH-2.0-OpenSSH\r\n")] as const,
      [
        method,
        "switches protocols unasked",
        (socket: Socket) =>
          socket.write("HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n"),
      ] as const,
    ]),
  )("where a %s is sent to a server that %s", async (method, _, answer) => {
    await using server = await startRawServer(answer);
    expect(await thrownBy(transport.send(requestOf(server.url, method)))).toBeInstanceOf(Error);
    expect(server.received.length).toBe(1);
  });

  it("where a GET is answered with a status that no Response can have", async () => {
    await using server = await startRawServer((socket) => socket.write(http("999 No", undefined, "")));
    expect(await thrownBy(transport.send(requestOf(server.url)))).toBeInstanceOf(RangeError);
    await closed(server.connections[0]?.socket);
  });

  it.each(ways)("where nobody listens for a %s", async (method) => {
    const server = await startRawServer(() => {});
    await server[Symbol.asyncDispose]();
    expect(messageAndCause(await thrownBy(transport.send(requestOf(server.url, method))))).toMatch(
      /connect ECONNREFUSED 127\.0\.0\.1:\d+$/,
    );
  });
});

describe("abort", () => {
  it.each(ways)("sends nothing of a %s whose signal is aborted already", async (method) => {
    await using server = await startRawServer((socket) => socket.write(json("200 OK", {})));
    const request = requestOf(server.url, method, { signal: AbortSignal.abort(new Error("too late")) });
    expect(await thrownBy(transport.send(request))).toBeInstanceOf(Error);
    expect(server.received).toEqual([]);
  });

  it.each(ways)("ends a %s that waits for its answer, and its connection", async (method) => {
    const controller = new AbortController();
    await using server = await startRawServer(() => controller.abort(new Error("enough")));
    expect(
      await thrownBy(transport.send(requestOf(server.url, method, { signal: controller.signal }))),
    ).toBeInstanceOf(Error);
    await closed(server.connections[0]?.socket);
  });

  it.each(ways)("ends a %s whose answer is being read, and its connection", async (method) => {
    const controller = new AbortController();
    await using server = await startRawServer((socket) =>
      socket.write("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{"),
    );
    const response = await transport.send(requestOf(server.url, method, { signal: controller.signal }));
    const reading = thrownBy(response.text());
    controller.abort(new Error("enough"));
    expect(await reading).toBeInstanceOf(Error);
    await closed(server.connections[0]?.socket);
  });
});

async function closed(socket: Socket | undefined): Promise<void> {
  if (socket !== undefined && !socket.closed) await once(socket, "close");
}
