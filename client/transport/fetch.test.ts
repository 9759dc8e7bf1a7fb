import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { plainUser, rightPassword, startService, type TestService } from "../../server/testing/service.ts";
import { createClientOver } from "../create-client.ts";
import { ContentNotSendableError } from "../errors.ts";
import { json, startRawServer } from "../testing/raw-server.ts";
import { transport } from "./fetch.ts";

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service[Symbol.asyncDispose]());

const clientOf = (baseUrl: string) =>
  createClientOver(transport, { baseUrl, apiKey: service.acme.secretKey });
const thrownBy = (promise: Promise<unknown>) =>
  promise.then(
    (result) => Promise.reject(new Error("nothing was thrown", { cause: result })),
    (error: unknown) => error,
  );

describe("where only fetch sends", () => {
  it("a GET that needs content is refused by the operation's name, before anything is sent", async () => {
    await using server = await startRawServer((socket) => socket.write(json("200 OK", {})));
    const body = { commission: { title: "t", type: "supply", default_value: 1 } };
    const errors = [
      await thrownBy(clientOf(server.url).submitCommission({ body })),
      await thrownBy(clientOf(server.url).GET("/", { body })),
      await thrownBy(clientOf(server.url).submitCommission({ body: undefined as never })),
    ];
    for (const error of errors) {
      expect(error).toBeInstanceOf(ContentNotSendableError);
      expect(error).toMatchObject({
        name: "ContentNotSendableError",
        operationId: "submitCommission",
        message:
          "submitCommission needs content with GET, which fetch cannot send. Call it from Node, or through a server of yours.",
      });
    }
    expect(server.connections).toEqual([]);
  });

  it("content of a GET that is not its default is refused too, rather than left out", async () => {
    await using server = await startRawServer((socket) => socket.write(json("200 OK", {})));
    const body: Record<string, never> = JSON.parse('{"more":1}');
    expect(
      await thrownBy(clientOf(server.url).getWebhook({ params: { path: { webhook_id: 7 } }, body })),
    ).toBeInstanceOf(ContentNotSendableError);
    expect(server.connections).toEqual([]);
  });

  it.each([[{}], [{ body: {} }]])("the default content of a GET is left out (%j)", async (init) => {
    await using server = await startRawServer((socket) => socket.write(json("200 OK", {})));
    await clientOf(server.url).getWebhook({ params: { path: { webhook_id: 7 } }, ...init });
    expect(
      server.received.map(({ line, headers, content }) => ({
        line,
        content,
        length: headers["content-length"],
        type: headers["content-type"],
        chunked: headers["transfer-encoding"],
      })),
    ).toEqual([
      {
        line: "GET /v1/webhooks/7 HTTP/1.1",
        content: "",
        length: undefined,
        type: "application/json",
        chunked: undefined,
      },
    ]);
  });

  it("the service answers a GET whose default content was left out", async () => {
    const { id, url, events } = service.acme.webhook;
    expect(await clientOf(service.url).getWebhook({ params: { path: { webhook_id: id } } })).toMatchObject({
      status: 200,
      data: { status: true, data: { webhook: { id, url, events } } },
    });
  });

  it("a POST has its content", async () => {
    const user = { ...plainUser, uuid: "device-1", password: rightPassword };
    expect((await clientOf(service.url).loginUser({ body: { user } })).status).toBe(200);
  });
});
