import { execFile } from "node:child_process";
import { once } from "node:events";
import { createServer as createHttpServer } from "node:http";
import { createServer as createHttpsServer } from "node:https";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import type { TLSSocket } from "node:tls";
import { promisify } from "node:util";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { TlsOptions } from "../options.ts";
import { RequestWithBody } from "../request-with-body.ts";
import { certificate, privateKey } from "../testing/certificate.ts";
import { closed, http, json, startRawServer, thrownBy } from "../testing/raw-server.ts";
import { createTransport } from "./node.ts";
import { BodyTooLargeError, receiveWhole } from "./transport.ts";

const transport = createTransport({});
const methods = ["GET", "POST"];
const requestOf = (url: string, method = "GET", init: RequestInit = {}) =>
  new RequestWithBody(url, { method, body: "{}", redirect: "manual", ...init });
const send = async (request: RequestWithBody, { maxBytes = 1_000_000, over = transport } = {}) => {
  const [response, bytes] = await over.exchange(request, maxBytes, receiveWhole);
  const { status, statusText, headers } = response;
  return { status, statusText, headers: Object.fromEntries(headers), text: Buffer.from(bytes).toString() };
};
async function portOf(server: Server): Promise<number> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return (server.address() as AddressInfo).port;
}

describe("framing", () => {
  it.each(methods)(
    "of a %s has the length of the body in bytes, whatever headers the caller sets",
    async (method) => {
      await using server = await startRawServer((socket) => socket.write(json("200 OK", {})));
      const framing = { "transfer-encoding": "chunked", "content-length": "1", "accept-encoding": "zstd" };
      const headers = { "content-type": "application/json", "x-extra": "1", ...framing };
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
          body: '"ä"',
        },
      ]);
      expect(server.connections[0]?.rest).toBe("");
    },
  );

  it.each([
    ["GET", undefined],
    ["POST", "0"],
  ])("of a %s without a body has the Content-Length %s", async (method, length) => {
    await using server = await startRawServer((socket) => socket.write(json("200 OK", {})));
    await send(new RequestWithBody(server.url, { method }));
    const { "content-length": sent, "transfer-encoding": coding } = server.received[0]?.headers ?? {};
    expect([sent, coding]).toEqual([length, undefined]);
  });

  it("of a form has the boundary that its header contains", async () => {
    await using server = await startRawServer((socket) => socket.write(json("200 OK", {})));
    const form = new FormData();
    form.append("name", "ä");
    await send(new RequestWithBody(server.url, { method: "POST", body: form }));
    const { body, headers } = server.received[0] ?? {};
    const sent = new Response(body, { headers: headers ?? {} });
    expect([...(await sent.formData())]).toEqual([["name", "ä"]]);
  });
});

describe("connections", () => {
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

  it("and timers are released, however an exchange ends", async ({ signal }) => {
    await using server = await startRawServer((socket, { line }) => {
      if (line.includes("/fine")) socket.write(json("200 OK", {}));
      if (line.includes("/long"))
        socket.write(`HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n${"x".repeat(50)}`);
      if (line.includes("/reset")) socket.resetAndDestroy();
    });
    const script = `
      import { createTransport } from ${JSON.stringify(new URL("./node.ts", import.meta.url))};
      import { RequestWithBody } from ${JSON.stringify(new URL("../request-with-body.ts", import.meta.url))};
      import { receiveWhole } from ${JSON.stringify(new URL("./transport.ts", import.meta.url))};
      const { exchange } = createTransport({});
      const send = (path, signal) =>
        exchange(new RequestWithBody(${JSON.stringify(server.url)} + path, { body: "{}", signal }), 10, receiveWhole)
          .then(([response]) => response.status, (error) => error.message);
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
      { signal },
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
    ["500", "{}", json("500 Internal Server Error", {})],
    ["200", "{}", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n"],
    ["200", "{}", http("200 OK", undefined, "{}", "Content-Encoding: identity\r\n")],
    ["200", "{}", `HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n${json("200 OK", {})}`],
    ["204", "", "HTTP/1.1 204 No Content\r\nContent-Encoding: gzip\r\n\r\n"],
    ["205", "", "HTTP/1.1 205 Reset Content\r\nContent-Length: 2\r\n\r\nhi"],
    ["304", "", "HTTP/1.1 304 Not Modified\r\n\r\n"],
    ["307", "", http("307 Temporary Redirect", undefined, "", "Location: /elsewhere\r\n")],
  ])("can have %s and the body %j, and their connection is reused", async (status, text, raw) => {
    await using server = await startRawServer((socket) => socket.write(raw));
    const responses = [await send(requestOf(server.url, "GET")), await send(requestOf(server.url, "POST"))];
    const shown = { status: Number(status), text };
    expect(responses).toMatchObject([shown, shown]);
    expect(server.received.map(({ connection, line }) => [connection, line])).toEqual([
      [1, "GET / HTTP/1.1"],
      [1, "POST / HTTP/1.1"],
    ]);
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

  it.each<[why: string, expected: unknown, respond: (socket: Socket) => void]>([
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
  ])("%s", async (_, expected, respond) => {
    await using server = await startRawServer(respond);
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

  it("if the host name has no address, and the error shows that nothing was sent", async () => {
    const error = await thrownBy(send(requestOf("http://nowhere.invalid/")));
    expect(transport.isUnsent?.(error)).toBe(true);
  });
});

describe("abort", () => {
  const reason = new Error("enough");

  it("sends nothing if its signal is already aborted", async () => {
    await using server = await startRawServer((socket) => socket.write(json("200 OK", {})));
    expect(await thrownBy(send(requestOf(server.url, "GET", { signal: AbortSignal.abort(reason) })))).toBe(
      reason,
    );
    expect(server.received).toEqual([]);
  });

  it("ends an exchange that is opening its connection", async () => {
    const controller = new AbortController();
    const sockets: Socket[] = [];
    // Sends nothing, so the TLS handshake never ends.
    await using server = createServer((socket) => {
      sockets.push(socket.resume());
      socket.on("error", () => {});
      controller.abort(reason);
    });
    const url = `https://127.0.0.1:${await portOf(server)}/`;
    expect(await thrownBy(send(requestOf(url, "GET", { signal: controller.signal })))).toBe(reason);
    await closed(sockets[0]);
  });
});

describe("TLS", () => {
  /** Starts a server that requires a certificate, and responds with the name in it. */
  const startTlsServer = async () => {
    const options = { requestCert: true, rejectUnauthorized: true };
    const server = createHttpsServer(
      { cert: certificate, key: privateKey, ca: certificate, ...options },
      (req, res) => {
        req.resume();
        res.end((req.socket as TLSSocket).getPeerCertificate().subject.CN);
      },
    );
    server.on("tlsClientError", () => {});
    const url = `https://127.0.0.1:${await portOf(server)}/`;
    return { url, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
  };
  const over = (tls: TlsOptions) => ({ over: createTransport({ tls }) });

  it("trusts the given authorities for the given host name, and sends the given client certificate", async () => {
    await using server = await startTlsServer();
    const tls = { ca: [certificate], cert: certificate, key: privateKey, servername: "service.test" };
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

  /** Starts a proxy that responds to requests, rejects tunnels, and records both. */
  const startProxy = async (names = ["HTTP_PROXY", "HTTPS_PROXY"]) => {
    const asked: string[] = [];
    const server = createHttpServer(async (req, res) => {
      const body = Buffer.concat(await req.toArray());
      asked.push(`${req.method} ${req.url} ${req.headers["content-length"]} ${body}`);
      res.end("by proxy");
    });
    server.on("connect", (req, socket) => {
      asked.push(`${req.method} ${req.url}`);
      socket.destroy();
    });
    const url = `http://127.0.0.1:${await portOf(server)}`;
    for (const name of names) vi.stubEnv(name, url);
    return { asked, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
  };

  it.each(["HTTP_PROXY", "http_proxy"])(
    "in %s gets requests for http URLs, including the body and `Content-Length` of a GET",
    async (name) => {
      await using proxy = await startProxy([name]);
      const response = await send(requestOf("http://service.test/a?b"), {
        over: createTransport({ tls: {} }),
      });
      expect([response.text, proxy.asked]).toEqual(["by proxy", ["GET http://service.test/a?b 2 {}"]]);
    },
  );

  it.each(["HTTPS_PROXY", "https_proxy"])(
    "in %s gets only a tunnel for https URLs, and cannot read the traffic",
    async (name) => {
      await using proxy = await startProxy([name]);
      await thrownBy(send(requestOf("https://service.test/a"), { over: createTransport({ tls: {} }) }));
      expect(proxy.asked).toEqual(["CONNECT service.test:443"]);
    },
  );

  it("gets no requests for hosts in NO_PROXY", async () => {
    await using proxy = await startProxy();
    await using server = await startRawServer((socket) => socket.write(json("200 OK", {})));
    vi.stubEnv("NO_PROXY", "127.0.0.1");
    await send(requestOf(server.url), { over: createTransport({ tls: {} }) });
    expect(proxy.asked).toEqual([]);
  });

  it.each([
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
