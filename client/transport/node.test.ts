import { execFile } from "node:child_process";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { once } from "node:events";
import { createServer as createHttpServer, type IncomingMessage } from "node:http";
import { createServer as createHttpsServer } from "node:https";
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";
import type { TLSSocket } from "node:tls";
import { promisify } from "node:util";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { afterEach, describe, expect, it, vi } from "vitest";
import { ContentRequest } from "../content-request.ts";
import type { TlsOptions } from "../options.ts";
import { certificate, privateKey } from "../testing/certificate.ts";
import { closed, http, json, startRawServer, thrownBy } from "../testing/raw-server.ts";
import { createTransport } from "./node.ts";
import { BodyTooLargeError } from "./transport.ts";

const transport = createTransport({});
const methods = ["GET", "POST"];
const requestOf = (url: string, method = "GET", init: RequestInit = {}) =>
  new ContentRequest(url, { method, body: "{}", redirect: "manual", ...init });
const send = async (request: ContentRequest, { maxBytes = 1_000_000, over = transport } = {}) => {
  const { response, bytes } = await over.exchange(request, maxBytes);
  const { status, statusText, headers } = response;
  return { status, statusText, headers: Object.fromEntries(headers), text: Buffer.from(bytes).toString() };
};
async function listening(server: Server) {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    [Symbol.asyncDispose]: async () => {
      if ("closeAllConnections" in server)
        (server as ReturnType<typeof createHttpServer>).closeAllConnections();
      server.close();
    },
  };
}

describe("framing", () => {
  it.each(methods)("sends the body of a %s once, with its length in bytes", async (method) => {
    await using server = await startRawServer((socket) => socket.write(json("200 OK", {})));
    const headers = { "content-type": "application/json", "x-extra": "1" };
    await send(requestOf(`${server.url}/a?b=c`, method, { body: '"ä"', headers }));
    expect(server.received).toEqual([
      {
        connection: 1,
        line: `${method} /a?b=c HTTP/1.1`,
        headers: {
          host: new URL(server.url).host,
          connection: "keep-alive",
          "accept-encoding": "gzip, br",
          "content-length": "4",
          "content-type": "application/json",
          "x-extra": "1",
        },
        content: '"ä"',
      },
    ]);
    expect(server.connections[0]?.rest).toBe("");
  });

  it.each([
    ["GET", undefined],
    ["DELETE", undefined],
    ["POST", "0"],
  ])("sends a %s without a body with the Content-Length %s", async (method, length) => {
    await using server = await startRawServer((socket) => socket.write(json("200 OK", {})));
    await send(new ContentRequest(server.url, { method }));
    const headers = server.received.map((request) => request.headers);
    expect(headers.map((each) => [each["content-length"], each["transfer-encoding"]])).toEqual([
      [length, undefined],
    ]);
  });

  it("and Accept-Encoding cannot be changed by the caller's headers", async () => {
    await using server = await startRawServer((socket) => socket.write(json("200 OK", {})));
    const headers = { "transfer-encoding": "chunked", "content-length": "1", "accept-encoding": "zstd" };
    await send(requestOf(server.url, "GET", { headers }));
    expect(server.received.map((request) => request.headers)).toEqual([
      {
        host: new URL(server.url).host,
        connection: "keep-alive",
        "content-length": "2",
        "accept-encoding": "gzip, br",
      },
    ]);
    expect(server.connections[0]?.rest).toBe("");
  });

  it("writes a form with the boundary that its header has", async () => {
    await using server = await startRawServer((socket) => socket.write(json("200 OK", {})));
    const body = new FormData();
    body.append("name", "ä");
    await send(new ContentRequest(server.url, { method: "POST", body }));
    const [request] = server.received;
    const boundary = /^multipart\/form-data; boundary=(.+)$/.exec(
      request?.headers["content-type"] ?? "",
    )?.[1];
    expect(request?.content.replaceAll("\r\n", "|")).toBe(
      `--${boundary}|Content-Disposition: form-data; name="name"||ä|--${boundary}--|`.concat(
        request?.content.endsWith("--\r\n") ? "" : "never",
      ),
    );
  });
});

describe("connections", () => {
  it.each([
    [json("200 OK", {})],
    [json("500 Internal Server Error", {})],
    [http("200 OK", "application/json", gzipSync("{}").toString("latin1"), "Content-Encoding: identity\r\n")],
    ["HTTP/1.1 204 No Content\r\n\r\n"],
    [http("302 Found", undefined, "", "Location: /elsewhere\r\n")],
    ["HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n"],
  ])("are reused after a response of %j", async (reply) => {
    await using server = await startRawServer((socket) => socket.write(reply));
    for (let count = 0; count < 5; count++) await send(requestOf(server.url, methods[count % 2]));
    expect(server.received.map(({ connection }) => connection)).toEqual([1, 1, 1, 1, 1]);
  });

  it("are opened, one for each simultaneous request", async () => {
    const waiting: Socket[] = [];
    await using server = await startRawServer((socket) => {
      if (waiting.push(socket) === 20) for (const each of waiting) each.write(json("200 OK", {}));
    });
    const all = Array.from({ length: 20 }, () => send(requestOf(server.url)));
    expect((await Promise.all(all)).map(({ text }) => text)).toEqual(all.map(() => "{}"));
  });

  /** Resets each connection at its second request, as if the server had closed the idle connection at this moment. */
  const startForgetfulServer = () => {
    const used = new Set<number>();
    return startRawServer((socket, { connection }) => {
      if (used.has(connection)) socket.resetAndDestroy();
      else socket.write(json("200 OK", {}));
      used.add(connection);
    });
  };

  it("that the server has just closed are replaced for a GET until one works", async () => {
    await using server = await startForgetfulServer();
    await Promise.all([1, 2, 3].map(() => send(requestOf(server.url))));
    const { status, text } = await send(requestOf(server.url));
    expect([status, text]).toEqual([200, "{}"]);
    const [, , , ...after] = server.received.map(({ connection }) => connection);
    expect(after.at(-1)).toBe(4);
    expect(after.slice(0, -1).every((connection) => connection <= 3)).toBe(true);
    expect(after.length).toBeGreaterThan(1);
  });

  it("that the server has just closed are not replaced for a POST, because the server may have processed it", async () => {
    await using server = await startForgetfulServer();
    await send(requestOf(server.url, "POST"));
    expect(await thrownBy(send(requestOf(server.url, "POST")))).toMatchObject({ code: "ECONNRESET" });
    expect(server.received.map(({ connection }) => connection)).toEqual([1, 1]);
  });

  it("are closed one second before the time that the server announces in Keep-Alive", async () => {
    await using server = await startRawServer((socket) =>
      socket.write(json("200 OK", {}, "Keep-Alive: timeout=1\r\n")),
    );
    for (let count = 0; count < 3; count++) await send(requestOf(server.url));
    expect(server.received.map(({ connection }) => connection)).toEqual([1, 2, 3]);
  });

  it("that are idle are closed before the server closes them", async () => {
    await using server = await startRawServer((socket) =>
      socket.write(json("200 OK", {}, "Keep-Alive: timeout=2\r\n")),
    );
    await send(requestOf(server.url));
    await closed(server.connections[0]?.socket);
  });

  it("and timers are released, however an exchange ends", async () => {
    await using server = await startRawServer((socket, { line }) => {
      if (line.includes("/fine")) socket.write(json("200 OK", {}));
      if (line.includes("/long"))
        socket.write(`HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n${"x".repeat(50)}`);
      if (line.includes("/reset")) socket.resetAndDestroy();
    });
    const script = `
      import { createTransport } from ${JSON.stringify(new URL("./node.ts", import.meta.url))};
      import { ContentRequest } from ${JSON.stringify(new URL("../content-request.ts", import.meta.url))};
      const { exchange } = createTransport({});
      const send = (path, signal) =>
        exchange(new ContentRequest(${JSON.stringify(server.url)} + path, { body: "{}", signal }), 10)
          .then(({ response }) => response.status, (error) => error.message);
      const controller = new AbortController();
      const silent = send("/silent", controller.signal);
      const ends = [await send("/fine"), await send("/long"), await send("/reset")];
      controller.abort(new Error("enough"));
      ends.push(await silent);
      const isAlive = () => process.getActiveResourcesInfo().some((each) => /^(TCP|TLS|Timeout)/.test(each));
      while (isAlive()) await new Promise((resolve) => setImmediate(resolve));
      console.log(JSON.stringify(ends));`;
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ["--input-type=module", "--eval", script],
      {
        timeout: 30_000,
      },
    );
    expect(JSON.parse(stdout)).toEqual([
      200,
      "the response body is larger than 10 bytes",
      "read ECONNRESET",
      "enough",
    ]);
  });
});

describe("responses", () => {
  it("have the status, reason, headers and body that the server sent", async () => {
    await using server = await startRawServer((socket) =>
      socket.write(http("502 Bad Gateway", "text/html", "<h1>ä</h1>", "X-Twice: 1\r\nX-Twice: 2\r\n")),
    );
    expect(await send(requestOf(server.url))).toEqual({
      status: 502,
      statusText: "Bad Gateway",
      headers: { "content-length": "11", "content-type": "text/html", "x-twice": "1, 2" },
      text: "<h1>ä</h1>",
    });
  });

  it.each([
    ["500", "", http("500 Internal Server Error", undefined, "")],
    ["204", "", "HTTP/1.1 204 No Content\r\n\r\n"],
    ["204", "", "HTTP/1.1 204 No Content\r\nContent-Encoding: gzip\r\n\r\n"],
    ["205", "", "HTTP/1.1 205 Reset Content\r\nContent-Length: 0\r\n\r\n"],
    ["205", "", "HTTP/1.1 205 Reset Content\r\nContent-Length: 2\r\n\r\nhi"],
    ["304", "", "HTTP/1.1 304 Not Modified\r\n\r\n"],
    ["307", "", http("307 Temporary Redirect", undefined, "", "Location: /elsewhere\r\n")],
    ["200", "{}", `HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n${json("200 OK", {})}`],
    ["200", "{}", `HTTP/1.1 100 Continue\r\n\r\n${json("200 OK", {})}`],
  ])("can have %s and the body %j", async (status, text, reply) => {
    await using server = await startRawServer((socket) => socket.write(reply));
    const responses = [await send(requestOf(server.url, "GET")), await send(requestOf(server.url, "POST"))];
    expect(responses.map((each) => [String(each.status), each.text])).toEqual([
      [status, text],
      [status, text],
    ]);
    expect(server.received.map(({ line }) => line)).toEqual(["GET / HTTP/1.1", "POST / HTTP/1.1"]);
  });

  it.each([
    ["gzip", gzipSync('{"a":"ä"}')],
    ["x-gzip", gzipSync('{"a":"ä"}')],
    ["GZip", gzipSync('{"a":"ä"}')],
    ["br", brotliCompressSync('{"a":"ä"}')],
  ])("with the encoding %s are decoded", async (coding, body) => {
    await using server = await startRawServer((socket) => {
      socket.write(
        `HTTP/1.1 200 OK\r\nContent-Encoding: ${coding}\r\nContent-Length: ${body.length}\r\n\r\n`,
      );
      socket.write(body);
    });
    expect(await send(requestOf(server.url))).toMatchObject({ status: 200, text: '{"a":"ä"}' });
    await send(requestOf(server.url));
    expect(server.received.map(({ connection }) => connection)).toEqual([1, 1]);
  });
});

describe("an exchange rejects and closes its connection", () => {
  const tooLarge = new BodyTooLargeError(1000);
  const bomb = gzipSync(Buffer.alloc(1_000_000));

  it.each<[why: string, expected: unknown, reply: (socket: Socket) => void]>([
    ["if the server closes the connection", { code: "ECONNRESET" }, (socket) => socket.end()],
    ["if the server resets the connection", { code: "ECONNRESET" }, (socket) => socket.resetAndDestroy()],
    [
      "if the connection breaks during the body",
      { message: "aborted" },
      (socket) => socket.end("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{"),
    ],
    [
      "if the connection breaks during a compressed body",
      { code: "Z_BUF_ERROR" },
      (socket) => {
        socket.write("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nConnection: close\r\n\r\n");
        socket.end(bomb.subarray(0, 20));
      },
    ],
    [
      "if the server switches the protocol without a request to do so",
      { message: "the connection closed without a response" },
      (socket) =>
        socket.write("HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n"),
    ],
    [
      "if the server returns an invalid status",
      { message: "the server returned the status 999, which is invalid in HTTP" },
      (socket) => socket.write(http("999 No", undefined, "")),
    ],
    [
      "as soon as the body is larger than the limit",
      tooLarge,
      (socket) => socket.write(`HTTP/1.1 200 OK\r\nContent-Length: 5000\r\n\r\n${"x".repeat(1001)}`),
    ],
    [
      "as soon as the decoded body is larger than the limit",
      tooLarge,
      (socket) => {
        socket.write("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 9999999\r\n\r\n");
        socket.write(bomb);
      },
    ],
  ])("%s", async (_, expected, reply) => {
    await using server = await startRawServer(reply);
    for (const [index, method] of methods.entries()) {
      const error = await thrownBy(send(requestOf(server.url, method), { maxBytes: 1000 }));
      if (expected instanceof Error) expect(error).toStrictEqual(expected);
      else expect(error).toMatchObject(expected as object);
      expect([error instanceof Error, transport.isUnsent?.(error)]).toEqual([true, false]);
      expect(server.received.length).toBe(index + 1);
      await closed(server.connections[index]?.socket);
    }
  });

  it("or keeps it if the response is complete, for example with a wrong Content-Encoding", async () => {
    await using server = await startRawServer((socket) =>
      socket.write(http("200 OK", undefined, "plain text", "Content-Encoding: gzip\r\n")),
    );
    for (const method of methods)
      expect(await thrownBy(send(requestOf(server.url, method)))).toMatchObject({ code: "Z_DATA_ERROR" });
    expect(server.received.map(({ connection }) => connection)).toEqual([1, 1]);
  });

  it.each(methods)(
    "if no server accepts the connection for a %s, and the error shows that nothing was sent",
    async (method) => {
      const server = await startRawServer(() => {});
      await server[Symbol.asyncDispose]();
      const error = await thrownBy(send(requestOf(server.url, method)));
      expect(error).toMatchObject({ code: "ECONNREFUSED", syscall: "connect" });
      expect(transport.isUnsent?.(error)).toBe(true);
    },
  );

  it("if the host name has no address, and the error shows that nothing was sent", async () => {
    const error = await thrownBy(send(requestOf("http://nowhere.invalid/")));
    expect(transport.isUnsent?.(error)).toBe(true);
  });
});

describe("abort", () => {
  const reason = new Error("enough");

  it.each(methods)("sends nothing of a %s if its signal is already aborted", async (method) => {
    await using server = await startRawServer((socket) => socket.write(json("200 OK", {})));
    expect(await thrownBy(send(requestOf(server.url, method, { signal: AbortSignal.abort(reason) })))).toBe(
      reason,
    );
    expect(server.received).toEqual([]);
  });

  it("ends an exchange that is opening its connection", async () => {
    const controller = new AbortController();
    const sockets: Socket[] = [];
    // Sends nothing, so the TLS handshake never ends.
    const server = createServer((socket) => {
      sockets.push(socket.resume());
      socket.on("error", () => {});
      controller.abort(reason);
    });
    await using address = await listening(server);
    const url = `https://127.0.0.1:${address.port}/`;
    expect(await thrownBy(send(requestOf(url, "GET", { signal: controller.signal })))).toBe(reason);
    await closed(sockets[0]);
  });

  it("ends an exchange that waits for its response", async () => {
    const controller = new AbortController();
    await using server = await startRawServer(() => controller.abort(reason));
    expect(await thrownBy(send(requestOf(server.url, "GET", { signal: controller.signal })))).toBe(reason);
    await closed(server.connections[0]?.socket);
  });

  it("ends an exchange whose response is being read", async () => {
    const controller = new AbortController();
    await using server = await startRawServer((socket) =>
      socket.write("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{"),
    );
    const abort = () => controller.abort(reason);
    subscribe("http.client.response.finish", abort);
    try {
      expect(await thrownBy(send(requestOf(server.url, "GET", { signal: controller.signal })))).toBe(reason);
    } finally {
      unsubscribe("http.client.response.finish", abort);
    }
    await closed(server.connections[0]?.socket);
  });
});

describe("TLS", () => {
  /** Starts a server that responds with the name in the caller's certificate, if there is one. */
  const startTlsServer = async (requestCert = false) => {
    const server = createHttpsServer(
      { cert: certificate, key: privateKey, ca: certificate, requestCert, rejectUnauthorized: requestCert },
      (req, res) => {
        const { subject } = (req.socket as TLSSocket).getPeerCertificate();
        req.resume();
        res.end(String(subject?.CN));
      },
    );
    server.on("tlsClientError", () => {});
    const { port, ...disposable } = await listening(server);
    return { url: `https://127.0.0.1:${port}/`, ...disposable };
  };
  const over = (tls: TlsOptions) => ({ over: createTransport({ tls }) });
  const servername = "service.test";

  it("trusts a certificate of the given authorities for the given host name", async () => {
    await using server = await startTlsServer();
    expect(await send(requestOf(server.url), over({ ca: certificate, servername }))).toMatchObject({
      status: 200,
      text: "undefined",
    });
  });

  it("sends the given client certificate", async () => {
    await using server = await startTlsServer(true);
    const tls = { ca: [certificate], cert: certificate, key: privateKey, servername };
    expect((await send(requestOf(server.url, "POST"), over(tls))).text).toBe("service.test");
  });

  it.each<[why: string, tls: TlsOptions, code: string]>([
    ["whose certificate no trusted authority has signed", {}, "DEPTH_ZERO_SELF_SIGNED_CERT"],
    ["whose certificate has another host name", { ca: certificate }, "ERR_TLS_CERT_ALTNAME_INVALID"],
  ])("rejects a server %s", async (_, tls, code) => {
    await using server = await startTlsServer();
    expect(await thrownBy(send(requestOf(server.url), over(tls)))).toMatchObject({ code });
  });
});

describe("a proxy from the environment", () => {
  afterEach(() => {
    vi.unstubAllEnvs();
    vi.restoreAllMocks();
  });

  /** Starts a proxy that forwards requests, opens tunnels and records both. */
  const startProxy = async () => {
    const asked: string[] = [];
    const note = ({ method, url, headers }: IncomingMessage, content: string) =>
      asked.push(`${method} ${url} ${headers["content-length"] ?? "-"} ${content}`);
    const server = createHttpServer(async (req, res) => {
      let content = "";
      for await (const chunk of req) content += chunk;
      note(req, content);
      res.end("by proxy");
    });
    server.on("connect", (req: IncomingMessage, client: Socket) => {
      note(req, "");
      const upstream = connect(Number(req.url?.split(":")[1]), "127.0.0.1", () => {
        client.write("HTTP/1.1 200 Connection Established\r\n\r\n");
        upstream.pipe(client).pipe(upstream);
      });
      upstream.on("error", () => client.destroy());
      client.on("error", () => upstream.destroy());
    });
    const { port, ...disposable } = await listening(server);
    return { url: `http://127.0.0.1:${port}`, asked, ...disposable };
  };

  it("gets requests for http URLs, including the body and `Content-Length` of a GET", async () => {
    await using proxy = await startProxy();
    vi.stubEnv("HTTP_PROXY", proxy.url);
    const reply = await send(requestOf("http://service.test/a?b"), { over: createTransport({ tls: {} }) });
    expect([reply.text, proxy.asked]).toEqual(["by proxy", ["GET http://service.test/a?b 2 {}"]]);
  });

  it("gets only a tunnel for https URLs, and cannot read the traffic", async () => {
    await using proxy = await startProxy();
    vi.stubEnv("HTTPS_PROXY", proxy.url);
    const server = createHttpsServer({ cert: certificate, key: privateKey }, (req, res) => {
      req.resume();
      res.end("within");
    });
    await using address = await listening(server);
    const over = createTransport({ tls: { ca: certificate, servername: "service.test" } });
    const reply = await send(requestOf(`https://127.0.0.1:${address.port}/a`), { over });
    expect([reply.text, proxy.asked]).toEqual(["within", [`CONNECT 127.0.0.1:${address.port} - `]]);
  });

  it("gets no requests for hosts in NO_PROXY", async () => {
    await using proxy = await startProxy();
    await using server = await startRawServer((socket) => socket.write(json("200 OK", {})));
    vi.stubEnv("HTTP_PROXY", proxy.url);
    vi.stubEnv("NO_PROXY", "127.0.0.1");
    const reply = await send(requestOf(server.url), { over: createTransport({ tls: {} }) });
    expect([reply.text, proxy.asked]).toEqual(["{}", []]);
  });

  it.each([
    ["20.20.2", 1],
    ["22.20.0", 1],
    ["22.21.0", 0],
    ["24.4.1", 1],
    ["24.5.0", 0],
    ["26.10.0", 0],
  ])("causes a warning if Node %s cannot use it: %i", (node, warnings) => {
    const emitWarning = vi.spyOn(process, "emitWarning").mockReturnValue();
    vi.spyOn(process, "versions", "get").mockReturnValue({ ...process.versions, node });
    vi.stubEnv("https_proxy", "http://proxy.test");
    createTransport({ tls: {} });
    const message = `https_proxy is set, but Node ${node} does not use proxies. Use Node 22.21 or newer`;
    expect(emitWarning.mock.calls).toEqual(warnings === 1 ? [[message]] : []);
  });
});
