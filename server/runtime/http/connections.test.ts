import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { IncomingMessage } from "node:http";
import { Socket } from "node:net";
import { expect, it } from "vitest";
import { rejectionResponse } from "../../rejections.ts";
import { RawConnection } from "../../testing/http.ts";
import { generousLimits, startService, type TestService } from "../../testing/service.ts";
import { Connections } from "./connections.ts";
import { listen } from "./listen.ts";
import { QueuedResponse, TurnQueue } from "./turn.ts";

const limits = { ...generousLimits, responseMs: 300 };
const request = (path: string, id: string) =>
  `GET ${path} HTTP/1.1\r\nHost: a\r\nX-Request-Id: ${id}\r\n\r\n`;
const other = "0b6f3c1e-6a52-4d0e-9d6f-2f3a5d1c7e11";
const traceIdOf = (n: number) => `${n}`.padStart(32, "0");
const requests = (count: number, path = "/healthz") =>
  Array.from({ length: count }, (_, n) => request(path, traceIdOf(n))).join("");
const mebibyte = 1024 * 1024;
const idsIn = ({ logged }: TestService) =>
  logged.filter(({ msg }) => msg === "request completed").map(({ request_id }) => request_id);

it("processes all requests of a connection in their order, up to the most that may be open", async () => {
  await using own = await startService({ limits });
  using connection = await RawConnection.open(own.url);
  const ids = Array.from({ length: 100 }, (_, n) => traceIdOf(n));
  for (const _ of [1, 2]) {
    connection.write(requests(100));
    const responses = [];
    for (const _ of ids) responses.push((await connection.response())?.head);
    expect(responses.map((head) => /^x-request-id: (.*)\r$/im.exec(head ?? "")?.[1])).toEqual(ids);
  }
});

it("closes a connection with more open requests than allowed, and does not begin its waiting requests", async () => {
  await using own = await startService({ limits });
  using connection = await RawConnection.open(own.url);
  connection.write(requests(101));
  expect(await connection.response()).toBeUndefined();
  expect((await own.send({ method: "GET", path: "/readyz" })).status).toBe(200);
  expect(idsIn(own).length).toBeLessThan(10);
});

it("does not parse requests after the one that exceeds the limit", async () => {
  await using own = await startService({ limits });
  using connection = await RawConnection.open(own.url);
  let read = 0;
  const onRead = () => {
    read += 1;
  };
  subscribe("http.server.request.start", onRead);
  connection.write(requests(1000));
  expect(await connection.response()).toBeUndefined();
  unsubscribe("http.server.request.start", onRead);
  expect(read).toBe(101);
});

it("closes a connection with a fifth open request if all connections together have 20,000", () => {
  const failed = () => ({ status: 500, headers: {}, body: "" });
  const connections = new Connections(new TurnQueue({ begin() {}, unread() {}, failed }));
  connections.hold();
  const open = (requests: number) => {
    const socket = new Socket().on("error", () => {});
    connections.accept(socket);
    for (let count = 0; count < requests; count += 1)
      connections.add(new QueuedResponse(new IncomingMessage(socket)));
    return socket;
  };
  for (let count = 0; count < 199; count += 1) open(100);
  const before = [open(95), open(5)];
  const after = [open(4), open(5)];
  expect([...before, ...after].map(({ destroyed }) => destroyed)).toEqual([false, false, false, true]);
});

it("serves other connections between the requests of one connection", async () => {
  await using own = await startService({ limits });
  using many = await RawConnection.open(own.url);
  using one = await RawConnection.open(own.url);
  many.write(requests(100));
  one.write(request("/healthz", other));
  expect((await one.response())?.status).toBe(200);
  for (let n = 0; n < 100; n += 1) await many.response();
  expect(idsIn(own)).toHaveLength(101);
  expect(idsIn(own).indexOf(other)).toBeLessThan(50);
});

it("closes the connection of a caller who does not read responses, and drops its waiting requests", async () => {
  await using own = await startService({ limits });
  using connection = await RawConnection.open(own.url);
  connection.stopReading();
  let sent = 0;
  const batch = 10;
  // The system buffers some megabytes of responses for a caller that does not read.
  await expect
    .poll(() => {
      const isHeldUp = idsIn(own).length < sent;
      // Empty lines before a request are ignored (RFC 9112, section 2.2).
      connection.write(isHeldUp ? "\r\n" : requests(batch, "/openapi.json"));
      if (!isHeldUp) sent += batch;
      return connection.ended;
    })
    .toBe(true);
  expect(idsIn(own).length).toBeLessThan(sent);
});

it("keeps no data of a closed connection, not even data that the operating system has received", async () => {
  await using own = await startService({ limits: { ...limits, maxConnections: 1 } });
  using connection = await RawConnection.open(own.url);
  connection.stopReading();
  let sent = 0;
  // The server allows only one connection. If it accepts a new connection, it has closed the old one.
  const isGone = async () => {
    if (idsIn(own).length === sent) {
      connection.write(requests(10, "/openapi.json"));
      sent += 10;
    }
    return own.send({ method: "GET", path: "/healthz" }).then(
      () => true,
      () => false,
    );
  };
  await expect.poll(isGone).toBe(true);
  expect(await connection.restIsReset()).toBe(true);
});

it("does not limit the unread bytes of a single caller, not even after another caller has read its response", async () => {
  await using server = await serverOf({ large: 8 * mebibyte, huge: 48 * mebibyte });
  for (const path of ["/large", "/huge"]) {
    using connection = await RawConnection.open(server.url);
    connection.write(`GET ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`);
    expect(await connection.restIsReset()).toBe(false);
  }
});

it("closes the connections with the most unread bytes if all callers together leave too many, and serves others", async () => {
  await using stack = new AsyncDisposableStack();
  const server = stack.use(await serverOf({ large: 8 * mebibyte, small: 5 }));
  const open = async () => stack.use(await RawConnection.open(server.url));
  const other = await open();
  const slow: RawConnection[] = [];
  for (let count = 0; count < 10; count += 1) {
    const connection = await open();
    connection.stopReading();
    connection.write(request("/large", traceIdOf(count)));
    slow.push(connection);
    other.write(request("/small", traceIdOf(count)));
    expect((await other.response())?.body).toBe("xxxxx");
  }
  // Three responses are less than 32 MB, and four are more.
  await expect
    .poll(() => {
      for (const connection of slow) connection.write("\r\n");
      return slow.filter(({ ended }) => ended).length;
    })
    .toBe(7);
});

/** @param sizes the bytes of each path's body */
async function serverOf(sizes: Readonly<Record<string, number>>) {
  const app = {
    fetch: ({ url }: Request) => new Response("x".repeat(sizes[new URL(url).pathname.slice(1)] ?? 0)),
  };
  const server = await listen(app, {
    host: "127.0.0.1",
    port: 0,
    reject: rejectionResponse,
    onMalformed: () => {},
    limits: generousLimits,
  });
  return { url: server.url, [Symbol.asyncDispose]: async () => void (await server.stop(0)) };
}
