/** The mock sends examples of webhooks to a receiver, and follows the callbacks of requests. */
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { beforeAll, expect, it } from "vitest";
import { errorResponses } from "#specbind/server";
import { isSignedWebhook } from "#specbind/standard-webhooks";
import { send } from "../../../server/testing/http.ts";
import { type MockedWebhooks, outgoingWebhooks } from "./outgoing-webhooks.ts";
import { type Mocked, readInterface, startMock } from "./start-mock.ts";

const secret = `whsec_${Buffer.alloc(32, 1).toString("base64")}`;
let mocked: Mocked;
let webhooks: MockedWebhooks;
beforeAll(async () => {
  mocked = await readInterface("scripts/toolkit/generate/fixtures/accept/webhooks.yaml");
  if (mocked.webhooks === undefined) throw new Error("the fixture has no webhooks");
  webhooks = mocked.webhooks;
});

/** Keeps what arrives, and responds with the status. */
async function startReceiver(status = 204) {
  const received: { line: string; body: string; isSigned: boolean }[] = [];
  const server = createServer(async (request, response) => {
    const { method, url, headers } = request;
    const { "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": signature } = headers;
    const bytes = Buffer.concat(await request.toArray());
    const isSigned = await isSignedWebhook([secret], String(id), String(timestamp), String(signature), bytes);
    received.push({ line: `${method} ${url}`, body: bytes.toString(), isSigned });
    response.writeHead(status).end();
    server.emit("received");
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  return {
    received,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/in`,
    arrival: () => once(server, "received"),
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
    },
  };
}

it("sends the example of a webhook with a signature, and accepts only documented responses", async () => {
  await using receiver = await startReceiver();
  const lines: string[] = [];
  const outgoing = outgoingWebhooks(webhooks, 1, (line) => lines.push(line));
  const results = [
    await outgoing.send("orderCancelled", receiver.url, secret),
    await outgoing.send("newOrder", receiver.url),
    await outgoing.send("oldOrder", receiver.url),
    await outgoing.send("orderCancelled", "http://127.0.0.1:9"),
  ];
  expect(receiver.received).toEqual([
    { line: "POST /in", body: '{"type":"order.cancelled","id":7}', isSigned: true },
    { line: "POST /in", body: '{"type":"newOrder","order":{"id":7,"title":"Emma"}}', isSigned: false },
  ]);
  expect([results, lines]).toEqual([
    [true, false, false, false],
    [
      `orderCancelled: POST ${receiver.url} 204`,
      `newOrder: POST ${receiver.url} 204; status 204 is not documented`,
      expect.stringMatching(/^there is no webhook oldOrder; choose one of newOrder, orderCancelled, /),
      "orderCancelled: POST http://127.0.0.1:9: no response (ECONNREFUSED)",
    ],
  ]);
});

it("says how to sign what a receiver rejects", async () => {
  await using receiver = await startReceiver(401);
  const lines: string[] = [];
  const outgoing = outgoingWebhooks(webhooks, 1, (line) => lines.push(line));
  await outgoing.send("orderCancelled", receiver.url);
  await outgoing.send("orderCancelled", receiver.url, secret);
  const rejected = `orderCancelled: POST ${receiver.url} 401; status 401 is not documented`;
  expect(lines).toEqual([`${rejected}; sign it with --secret`, rejected]);
});

it("sends the callbacks of a request to this machine only", async () => {
  await using receiver = await startReceiver();
  const lines: string[] = [];
  const reject = errorResponses(mocked.contract);
  const server = await startMock({ ...mocked, reject }, { host: "127.0.0.1", port: 0 }, 1, (line) =>
    lines.push(line),
  );
  try {
    const order = (callbackUrl: string) => ({ title: "Emma", callbackUrl });
    const arrival = receiver.arrival();
    await send(server.url, { method: "POST", path: "/orders", body: order(receiver.url) });
    await arrival;
    await send(server.url, { method: "POST", path: "/orders", body: order("http://10.0.0.1/in") });
    await send(server.url, { method: "POST", path: "/orders", body: { title: "Emma" } });
  } finally {
    await server.stop(0);
  }
  expect(receiver.received[0]).toEqual({
    line: "POST /in",
    body: '{"id":1,"title":"Emma"}',
    isSigned: false,
  });
  expect(lines).toEqual(
    expect.arrayContaining([
      "createOrderShipped: not sent to http://10.0.0.1/in, because the mock sends callbacks only to this machine\n",
      "createOrderShipped: options /url `$request.body#/callbackUrl` has no value in this request\n",
    ]),
  );
});
