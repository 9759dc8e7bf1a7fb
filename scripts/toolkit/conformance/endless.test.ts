/** Runs the command on services whose responses have no end. */
import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Writable } from "node:stream";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, it } from "vitest";
import { conform } from "./run-conform.ts";
import { type ResponseLimits, sendRequest } from "./send.ts";

/** Runs the command on a service whose `POST /notes` responds without end. The next operation is `GET /notes/1`. */
async function run(respond: (response: ServerResponse) => void, limits?: ResponseLimits) {
  const server = createServer((request, response) => {
    if (request.method === "POST") respond(response);
    else response.writeHead(200, { "content-type": "application/json", "x-count": "0" }).end("[]");
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const lines: string[] = [];
  const output = { write: (text: string) => lines.push(...text.trimEnd().split("\n")) };
  const status = await conform(
    {
      spec: "scripts/toolkit/conformance/fixtures/notes.yaml",
      url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
      headers: [
        ["Authorization", "Bearer k-1"],
        ["X-Tenant", "acme"],
      ],
      generate: false,
      seed: 1,
      lenient: false,
      thorough: false,
      only: [],
      mayReject: false,
      strict: false,
      format: "text" as const,
      ...(limits && { limits }),
    },
    { stdout: output, stderr: output, isColoured: false },
  );
  server.close().closeAllConnections();
  return { status, lines: lines.slice(0, 4).map((line) => line.replace(/curl .*\/v1/, "curl …")) };
}

const found = (problem: string) => ({
  status: 1,
  lines: [
    "FAIL  createNote  responds to its examples as documented (no request)",
    `        ${problem}, so this check ends here`,
    `          curl …/notes' -H 'Content-Type: application/json' -H "Authorization: Bearer $API_KEY" -H "X-Tenant: $API_X_TENANT" --data-raw '{"text":"Buy milk."}'`,
    "ok    getNote  responds to its examples as documented (200 ×1)",
  ],
});

/** Writes as fast as the other side reads, until the connection ends. */
function flood(to: Writable, bytes: Uint8Array): void {
  const next = (): void => {
    while (!to.destroyed && to.write(bytes));
  };
  to.on("drain", next).on("error", () => {});
  next();
}

it("a body without end is a finding, and the next operation is checked", async () => {
  const letters = Buffer.alloc(1_000_000, "x");
  const result = await run((response) => {
    response.writeHead(201, { "content-type": "application/json" });
    flood(response, letters);
  });
  expect(result).toEqual(found("the response has more than 10 MB"));
});

it("1xx responses without end are a finding, and the next operation is checked", async () => {
  const result = await run(({ socket }) => {
    if (socket) flood(socket, Buffer.from("HTTP/1.1 103 Early Hints\r\n\r\n".repeat(100)));
  });
  expect(result).toEqual(found("the service sent more than 100 responses with 1xx"));
});

it.each(["HTTP/1.1 201 Created\r\nContent-Type:", "HTTP/1.1 201 Created\r\nContent-Length: 9\r\n\r\n{"])(
  "a connection that ends after %j is a finding, and the next operation is checked",
  async (begun) => {
    const result = await run(({ socket }) => socket?.end(begun));
    expect(result).toEqual(found("the connection ended in the middle of the response (ECONNRESET)"));
  },
);

it("a header without end is a finding, and the next operation is checked", async () => {
  const result = await run(({ socket }) => {
    socket?.write("HTTP/1.1 201 Created\r\n");
    if (socket) flood(socket, Buffer.from("X-More: and more\r\n".repeat(100)));
  });
  expect(result).toEqual(found("the response has too long a header (HPE_HEADER_OVERFLOW)"));
});

it("a change of the protocol is a finding, and the next operation is checked", async () => {
  const result = await run(({ socket }) => {
    socket?.write("HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: other\r\n\r\n");
  });
  expect(result).toEqual(found("the service switched to another protocol (status 101)"));
});

it("the largest size of a response is not reserved", async () => {
  const server = createServer((_, response) => response.end("short"));
  await once(server.listen(0, "127.0.0.1"), "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const request = { method: "GET", target: "/", headers: [], body: Buffer.alloc(0) };
  const { body } = await sendRequest(url, request, { bytes: 2 ** 50, ms: 30_000 });
  server.close();
  expect(Buffer.from(body).toString()).toBe("short");
});

it("a body in chunks of one byte needs no object for each chunk", async () => {
  setFlagsFromString("--expose-gc");
  const collectGarbage = runInNewContext("gc");
  const used: number[] = [];
  const measure = () => {
    collectGarbage();
    used.push(process.memoryUsage().heapUsed);
  };
  const result = await run(
    ({ socket }) => {
      measure();
      socket?.write("HTTP/1.1 201 Created\r\nTransfer-Encoding: chunked\r\n\r\n");
      if (socket) flood(socket, Buffer.from("1\r\n \r\n".repeat(20_000)));
      socket?.once("drain", measure);
    },
    { bytes: 400_000, ms: 30_000 },
  );
  expect(result).toEqual(found("the response has more than 0.4 MB"));
  expect(used).toHaveLength(2);
  expect((used[1] ?? 0) - (used[0] ?? 0)).toBeLessThan(20_000_000);
});

it.each<[string, (response: ServerResponse) => () => void]>([
  [
    "body",
    (response) => {
      response.writeHead(201, { "content-type": "application/json" });
      return () => response.write(" ");
    },
  ],
  [
    "header",
    ({ socket }) => {
      socket?.write("HTTP/1.1 201 Created\r\nX-Slow: ");
      return () => socket?.write("x");
    },
  ],
])("a %s of which a byte arrives from time to time is a finding", async (_, begin) => {
  const timers: NodeJS.Timeout[] = [];
  const result = await run(
    (response) => {
      timers.push(setInterval(begin(response), 20));
    },
    { bytes: 10_000_000, ms: 500 },
  );
  for (const timer of timers) clearInterval(timer);
  expect(result.lines[1]).toContain("the response did not end within 0.5 seconds, so this check ends here");
});
