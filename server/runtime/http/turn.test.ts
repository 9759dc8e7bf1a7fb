import { IncomingMessage } from "node:http";
import { Socket } from "node:net";
import { Hono } from "hono";
import { expect, it, vi } from "vitest";
import { rejectionResponse } from "../../rejections.ts";
import { RawConnection } from "../../testing/http.ts";
import { generousLimits } from "../../testing/service.ts";
import type { ContractEnv } from "./hono.ts";
import { type Listening, listen } from "./listen.ts";
import { QueuedResponse, TurnQueue } from "./turn.ts";

const responseMs = 400;
const get = (path: string) =>
  `GET ${path} HTTP/1.1\r\nHost: a\r\nX-Request-Id: 0b6f3c1e-6a52-4d0e-9d6f-2f3a5d1c7e11\r\n\r\n`;

/** Starts a server. Each path has a function that makes its response within one turn of the event loop. */
async function serve(paths: { readonly [path: string]: (connection: { destroy(): void }) => BodyInit }) {
  const app = new Hono<ContractEnv>();
  for (const [path, run] of Object.entries(paths))
    app.get(path, (c) => {
      const headers = path === "/wrong" ? { "X-Wrong": "a\nb" } : { "X-Right": "1" };
      return new Response(run(socketOf(c.env)), { headers });
    });
  const server = await listen(app, {
    host: "127.0.0.1",
    port: 0,
    limits: { ...generousLimits, maxConnections: 200, responseMs },
    reject: rejectionResponse,
    onMalformed: () => {},
  });
  return { ...server, [Symbol.asyncDispose]: () => server.stop(1000).then(() => {}) };
}

function socketOf({ incoming }: ContractEnv["Bindings"]): { destroy(): void } {
  return incoming?.socket as { destroy(): void };
}

it("a header that HTTP does not allow becomes a 500, and the other responses of the turn are sent", async () => {
  const printed = vi.spyOn(console, "error").mockImplementation(() => {});
  await using server = await serve({ "/": () => "right", "/wrong": () => "wrong" });
  using connection = await RawConnection.open(server.url);
  connection.write(get("/") + get("/wrong") + get("/"));
  const statuses = [];
  for (let count = 0; count < 3; count += 1) statuses.push((await connection.response())?.status);
  expect(statuses).toEqual([200, 500, 200]);
  expect(printed.mock.calls).toEqual([[expect.objectContaining({ code: "ERR_INVALID_CHAR" })]]);
  printed.mockRestore();
});

it("a caller that disconnects before the end of the turn does not affect others", async () => {
  await using server = await serve({
    "/": () => "right",
    "/gone": (socket) => {
      socket.destroy();
      return "gone";
    },
  });
  using gone = await RawConnection.open(server.url);
  using other = await RawConnection.open(server.url);
  gone.write(get("/gone"));
  other.write(get("/"));
  expect(await gone.response()).toBeUndefined();
  expect((await other.response())?.body).toBe("right");
});

it("a server that stops before the end of the turn still sends the response, with Connection: close", async () => {
  const stopping: Promise<number>[] = [];
  const served: Listening[] = [];
  await using server = await serve({
    "/": () => {
      for (const each of served) stopping.push(each.stop(2000));
      return "last";
    },
  });
  served.push(server);
  using connection = await RawConnection.open(server.url);
  connection.write(get("/"));
  expect(await connection.response()).toMatchObject({
    body: "last",
    head: expect.stringMatching(/connection: close/i),
  });
  expect(await Promise.all(stopping)).toEqual([0]);
});

it("a server that stops closes a connection whose response began before the stop and ended long after it", async () => {
  let end = () => {};
  const slow = () =>
    new ReadableStream({
      start(controller) {
        controller.enqueue(Buffer.from("begun"));
        end = () => controller.close();
      },
    });
  await using server = await serve({ "/": () => "right", "/slow": slow });
  using connection = await RawConnection.open(server.url);
  using unused = await RawConnection.open(server.url);
  connection.write(get("/slow"));
  await expect.poll(() => connection.unread).toContain("begun");
  const stopped = server.stop(60_000);
  // The server closes a connection without a request only when it has waited for one.
  expect(await unused.response()).toBeUndefined();
  end();
  await expect.poll(() => connection.ended).toBe(true);
  expect(connection.unread).toMatch(
    /^HTTP\/1.1 200 OK\r\n[\s\S]*connection: keep-alive[\s\S]*begun\r\n0\r\n\r\n$/i,
  );
  expect(await stopped).toBe(0);
});

it("a server that stops closes a connection with a part of a header, and does not count it as a request", async () => {
  await using server = await serve({ "/": () => "right" });
  using partial = await RawConnection.open(server.url);
  using other = await RawConnection.open(server.url);
  partial.write("GET / HTTP/1.1\r\nHost:");
  other.write(get("/"));
  expect((await other.response())?.status).toBe(200);
  expect(await server.stop(60_000)).toBe(0);
  expect(await partial.response()).toBeUndefined();
  expect(partial.unread).toBe("");
});

it("a caller that ends its half of the connection while the server begins to stop gets the response", async () => {
  await using server = await serve({ "/": () => "right" });
  const connections = await Promise.all(Array.from({ length: 20 }, () => RawConnection.open(server.url)));
  for (const connection of connections) {
    connection.write(get("/"));
    connection.end();
  }
  const stopped = server.stop(2000);
  const statuses = await Promise.all(connections.map(async (each) => (await each.response())?.status));
  expect(statuses).toEqual(Array(20).fill(200));
  expect(await stopped).toBe(0);
});

it("a caller that ends its half of the connection right after a request gets the response", async () => {
  await using server = await serve({ "/": () => "right" });
  const connections = await Promise.all(Array.from({ length: 20 }, () => RawConnection.open(server.url)));
  for (const connection of connections) {
    connection.write(get("/"));
    connection.end();
  }
  const statuses = await Promise.all(connections.map(async (each) => (await each.response())?.status));
  expect(statuses).toEqual(Array(20).fill(200));
});

it("a malformed body that arrives after its streamed response has begun gets no second response", async () => {
  const slow = () => new ReadableStream({ start: (controller) => controller.enqueue(Buffer.from("begun")) });
  await using server = await serve({ "/slow": slow });
  using connection = await RawConnection.open(server.url);
  connection.write("GET /slow HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n");
  await expect.poll(() => connection.unread).toContain("begun");
  connection.write("no chunk\r\n");
  await expect.poll(() => connection.ended).toBe(true);
  expect(connection.unread).toMatch(/^HTTP\/1.1 200 OK\r\n[\s\S]*\r\n\r\n5\r\nbegun\r\n$/);
});

it("all responses are sent, even if there are more than one turn writes", async () => {
  await using server = await serve({ "/": () => "right" });
  const connections = await Promise.all(Array.from({ length: 150 }, () => RawConnection.open(server.url)));
  for (const connection of connections) connection.write(get("/"));
  const statuses = await Promise.all(connections.map(async (each) => (await each.response())?.status));
  for (const connection of connections) connection[Symbol.dispose]();
  expect(statuses).toEqual(Array(150).fill(200));
});

it("a server with more requests than one turn begins does not delay the requests of another server", async () => {
  const begun: string[] = [];
  const queueOf = (name: string) =>
    new TurnQueue({ begin: () => begun.push(name), unread: () => {}, failed: () => expect.fail() });
  const response = () => new QueuedResponse(new IncomingMessage(new Socket()));
  const [busy, other] = [queueOf("busy"), queueOf("other")];
  for (let count = 0; count < 200; count += 1) busy.begin(response());
  other.begin(response());
  await new Promise((resolve) => setImmediate(resolve));
  expect([begun.length < 200, begun.at(-1)]).toEqual([true, "other"]);
});

it("the time to read a response begins when it is written", async () => {
  const blockedMs = responseMs + 100;
  await using server = await serve({
    "/": () => {
      // Delays the end of the turn for longer than a caller may take to read.
      const until = performance.now() + blockedMs;
      while (performance.now() < until);
      return "x".repeat(3_000_000);
    },
  });
  using connection = await RawConnection.open(server.url);
  connection.write(get("/"));
  expect((await connection.response())?.body.length).toBe(3_000_000);
});

it("a caller that does not read a stream is disconnected, and the stream is cancelled", async () => {
  const { promise: cancelled, resolve } = Promise.withResolvers<string>();
  const cancel = () => resolve("cancelled");
  await using server = await serve({
    "/": () =>
      new ReadableStream({ pull: (controller) => controller.enqueue(Buffer.alloc(1_000_000)), cancel }),
  });
  using connection = await RawConnection.open(server.url);
  connection.stopReading();
  connection.write(get("/"));
  expect(await cancelled).toBe("cancelled");
});
