/** Runs the command on receivers of webhooks, and on services that send callbacks. */
import { createHmac } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it } from "vitest";
import { type ConformOptions, conform } from "../run-conform.ts";

const shop = "scripts/toolkit/generate/fixtures/accept/webhooks.yaml";
const secret = `whsec_${Buffer.alloc(32, 1).toString("base64")}`;
const defaults = {
  spec: shop,
  url: "",
  headers: [],
  generate: false,
  seed: 1,
  lenient: false,
  thorough: false,
  only: [],
  mayReject: false,
  strict: false,
  format: "text" as const,
};

async function run(options: Partial<ConformOptions>) {
  const lines: string[] = [];
  const write = (text: string) => lines.push(...text.split("\n").filter((line) => line !== ""));
  const output = { stdout: { write }, stderr: { write }, isColoured: false };
  return { status: await conform({ ...defaults, ...options }, output), lines };
}

type Received = IncomingMessage & { readonly body: string };

async function serve(respond: (request: Received, response: ServerResponse) => void | Promise<void>) {
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString("utf8");
    await respond(Object.assign(request, { body }), response);
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/in?key=1`,
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** A receiver of `order.cancelled` without any library. It lacks the steps in `without`. */
function receiver(...without: ("signature" | "body" | "time")[]) {
  return ({ headers, url, body }: Received, response: ServerResponse) => {
    const reject = (status: number) => void response.writeHead(status).end();
    const { "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": signature } = headers;
    const mac = createHmac("sha256", Buffer.alloc(32, 1))
      .update(`${id}.${timestamp}.${body}`)
      .digest("base64");
    if (url !== "/in?key=1" && !url?.startsWith("/in?key=1&")) return reject(404);
    if (!without.includes("signature") && signature !== `v1,${mac}`) return reject(401);
    if (!without.includes("time") && Math.abs(Date.now() / 1000 - Number(timestamp)) > 300)
      return reject(401);
    if (!/^application\/json(?:; *charset="?utf-8"?)?$/i.test(headers["content-type"] ?? ""))
      return reject(415);
    if (headers["content-encoding"] !== undefined) return reject(415);
    if (!without.includes("body") && !isCancelled(body)) return reject(422);
    response.writeHead(204).end();
  };
}

function isCancelled(body: string): boolean {
  try {
    const value = JSON.parse(body);
    return (
      !body.includes("\ufffd") &&
      Object.keys(value).toSorted().join() === "id,type" &&
      value.type === "order.cancelled" &&
      Number.isSafeInteger(value.id)
    );
  } catch {
    return false;
  }
}

const webhookName = "orderCancelled";
const failures = (lines: string[]) => lines.filter((line) => /^FAIL|^ {8}(?! )/.test(line));

describe("a receiver", () => {
  it("that rejects what the document and the signature do not allow conforms", async () => {
    await using server = await serve(receiver());
    const { status, lines } = await run({ url: server.url, webhookName, secret, generate: true });
    expect([status, failures(lines)]).toEqual([0, []]);
    expect(lines.find((line) => line.includes("wrong signature"))).toBe(
      "ok    orderCancelled  rejects a wrong signature, an old time stamp and a changed body, and accepts a repetition (204 ×2, 401 ×5)",
    );
  });

  it.each<[lacks: "signature" | "body" | "time", finding: string]>([
    ["signature", "a webhook without a signature: the response is 204, not 4xx"],
    ["time", "a webhook with a time stamp that is an hour old: the response is 204, not 4xx"],
    ["body", ": was accepted with 204"],
  ])("without the check of the %s does not conform", async (lacks, finding) => {
    await using server = await serve(receiver(lacks));
    const { status, lines } = await run({ url: server.url, webhookName, secret, generate: true });
    expect([status, lines]).toEqual([1, expect.arrayContaining([expect.stringContaining(finding)])]);
    expect(lines).toContain(
      "note  the commands have no signature, which would be valid for some minutes only",
    );
  });

  it("that rejects everything needs its secret", async () => {
    await using server = await serve(receiver());
    expect(await run({ url: server.url, webhookName })).toEqual({
      status: 2,
      lines: [
        "ok    orderCancelled  responds to its examples as documented (401 ×1)",
        `${server.url} rejected every request with 401 or 403; send the receiver's secret in --secret, or a valid credential, such as --header 'Authorization: Bearer KEY'`,
      ],
    });
  });

  it("is not checked if the document has no such webhook", async () => {
    expect(await run({ url: "http://127.0.0.1:9", webhookName: "orderCanceled" })).toEqual({
      status: 2,
      lines: [
        expect.stringMatching(
          /^the document has no webhook orderCanceled; --webhook takes one of newOrder, /,
        ),
      ],
    });
    expect(await run({ spec: "spec/openapi.yaml", url: "http://127.0.0.1:9", webhookName })).toEqual({
      status: 2,
      lines: ["the document has no webhooks and no callbacks; remove --webhook"],
    });
  });
});

/** Sends the callback `shipped` of each order. */
function service(callback: object) {
  return async ({ body }: Received, response: ServerResponse) => {
    const { callbackUrl } = JSON.parse(body);
    response.writeHead(201, { "content-type": "application/json" }).end('{"id":1,"title":"Emma"}');
    const headers = { "content-type": "application/json" };
    await fetch(callbackUrl, { method: "POST", headers, body: JSON.stringify(callback) });
  };
}

describe("the callbacks of a service", () => {
  it("arrive at a listener, and conform", async () => {
    await using server = await serve(service({ id: 1, title: "Emma" }));
    const { status, lines } = await run({ url: server.url.replace("/in?key=1", ""), only: ["createOrder"] });
    expect([status, lines.slice(0, 2)]).toEqual([
      0,
      [
        "ok    createOrder  responds to its examples as documented (201 ×1)",
        "ok    createOrderShipped  is sent as documented (204 ×1)",
      ],
    ]);
    expect(lines).toContain("note  createOrderLost: no callback arrived");
  });

  it("do not conform if their body does not", async () => {
    await using server = await serve(service({ id: "1", password: "hush", title: "Emma" }));
    const { status, lines } = await run({ url: server.url.replace("/in?key=1", ""), only: ["createOrder"] });
    expect([status, failures(lines)]).toEqual([
      1,
      [
        "FAIL  createOrderShipped  is sent as documented (204 ×1)",
        "        body /id violates `type: integer`",
        "        body /password is read-only",
      ],
    ]);
  });
});
