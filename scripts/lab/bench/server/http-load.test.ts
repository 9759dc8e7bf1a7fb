import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import type { Load } from "./http-load.ts";
import { startLoad } from "./running.ts";

const body = '{"title":"0000000000"}';
const request = `POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: ${body.length}\r\n\r\n${body}`;

async function loaded(listener: RequestListener, rate: Pick<Load, "perSecond"> = {}): Promise<unknown> {
  const server = createServer(listener).listen(0, "127.0.0.1");
  await once(server, "listening");
  await using loader = startLoad();
  const { port } = server.address() as AddressInfo;
  try {
    const counterAt = request.indexOf("0000000000");
    return await loader.ask({ port, connections: 3, ms: 200, request, counterAt, ...rate });
  } finally {
    server.close();
  }
}

test("each response is counted once, with or without a length, and each request has a different number", async () => {
  const received: string[] = [];
  const result = await loaded(async (incoming, outgoing) => {
    received.push(await text(incoming));
    const count = received.length;
    outgoing.writeHead(count % 3 === 0 ? 503 : 200, count % 5 === 0 ? { "content-length": 4 } : {});
    outgoing.write("{}");
    outgoing.end("{}");
  });
  expect(received.length).toBeGreaterThanOrEqual(3);
  expect(new Set(received).size).toBe(received.length);
  expect(result).toMatchObject({
    loaded: { requests: received.length, rejected: { 503: Math.floor(received.length / 3) } },
  });
});

test("with a rate, no more requests are sent", async () => {
  let requests = 0;
  const listener: RequestListener = (incoming, outgoing) => {
    requests += 1;
    incoming.resume();
    outgoing.end();
  };
  await loaded(listener, { perSecond: 100 });
  expect(requests).toBeGreaterThanOrEqual(3);
  expect(requests).toBeLessThanOrEqual(20);
});

test("a connection that the server closes is an error", async () => {
  const result = await loaded((incoming) => incoming.socket.end());
  expect(result).toEqual({ error: "Error: the server closed a connection" });
});
