import { connect, createServer, type Socket } from "node:net";
import { setTimeout } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { RawConnection } from "../../testing/http.ts";
import { generousLimits, startService, type TestService } from "../../testing/service.ts";

let service: TestService;
beforeAll(async () => {
  service = await startService({ limits: { ...generousLimits, headerMs: 500 } });
});
afterAll(() => service[Symbol.asyncDispose]());

const isServing = async () => (await service.send({ method: "GET", path: "/healthz" })).status === 200;

const tunnel = "CONNECT a:1 HTTP/1.1\r\nHost: a\r\n";
const tunnels: [string, string][] = [
  ["", `${tunnel}\r\n`],
  [" with a body", `${tunnel}Content-Length: 9\r\n\r\n123`],
];

it.each(tunnels)("a caller that resets a CONNECT%s does not affect others", async (_, request) => {
  for (let count = 0; count < 5; count += 1) {
    const connection = await RawConnection.open(service.url);
    connection.write(request);
    // The answer to another caller proves that the server has read the request.
    if (count > 0) await isServing();
    connection.reset();
    expect(await isServing()).toBe(true);
  }
});

describe("a caller that never closes its connection is disconnected after", () => {
  it.each<[string, string, number]>([
    ...tunnels.map(([title, request]): [string, string, number] => [`a CONNECT${title}`, request, 400]),
    ["a line that is not HTTP", "HELLO\r\n\r\n", 400],
    ["a header that does not arrive in time", "GET /healthz HTTP/1.1\r\nHost: a\r\n", 408],
    [
      "a response with Connection: close",
      "GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n",
      200,
    ],
  ])("%s", async (_, request, status) => {
    using connection = await RawConnection.open(service.url, { allowHalfOpen: true });
    connection.write(request);
    expect((await connection.response())?.status).toBe(status);
    await expect
      .poll(() => {
        // Without data, a caller does not notice that the server has closed the connection.
        connection.write("\r\n");
        return connection.ended;
      })
      .toBe(true);
  });
});

/** Forwards connections to the server. Each byte, each end and each reset arrives `delayMs` later. */
async function delayed(url: string, delayMs: number) {
  const later = (run: () => void) => void setTimeout(delayMs).then(run);
  const forward = (from: Socket, to: Socket) => {
    from.on("data", (bytes) => later(() => to.write(bytes)));
    from.on("end", () => later(() => to.end()));
    from.on("error", () => later(() => to.resetAndDestroy()));
  };
  const proxy = createServer({ allowHalfOpen: true }, (near) => {
    const far = connect({ port: Number(new URL(url).port), host: "127.0.0.1", allowHalfOpen: true });
    forward(near, far);
    forward(far, near);
  });
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  const address = proxy.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return { url: `http://127.0.0.1:${port}`, [Symbol.dispose]: () => void proxy.close() };
}

it.each(["close", "keep-alive"])(
  "a caller at a distance of 300 ms that still sends its body gets the whole 413 and no reset: Connection: %s",
  async (connectionHeader) => {
    using far = await delayed(service.url, 300);
    using connection = await RawConnection.open(far.url);
    connection.write(
      `POST /v1/users/login HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${service.acme.publishableKey}\r\n` +
        `Content-Type: application/json\r\nContent-Length: 100000000\r\nConnection: ${connectionHeader}\r\n\r\n`,
    );
    let received: Awaited<ReturnType<RawConnection["response"]>>;
    const pending = connection.response().then((response) => {
      received = response;
    });
    await expect
      .poll(() => {
        connection.write("x".repeat(1000));
        return received !== undefined || connection.ended;
      })
      .toBe(true);
    await pending;
    expect(JSON.parse(received?.body ?? "null")).toMatchObject({ error: { code: "content_too_large" } });
    expect(await connection.restIsReset()).toBe(false);
  },
);
