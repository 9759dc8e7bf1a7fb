/** Whoever subscribes is told of every exchange as it was, and the exchange is none the worse for it. */
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { afterAll, beforeAll, expect, it } from "vitest";
import { contract } from "../../generated/contract.ts";
import { RawConnection } from "../testing/http.ts";
import { startService, type TestService } from "../testing/service.ts";
import { exchangeChannel, type SettledExchange } from "./exchanges.ts";

let service: TestService;
const told: SettledExchange[] = [];
const listener = (exchange: unknown) => void told.push(exchange as SettledExchange);
beforeAll(async () => {
  service = await startService();
  subscribe(exchangeChannel, listener);
});
afterAll(async () => {
  unsubscribe(exchangeChannel, listener);
  await service[Symbol.asyncDispose]();
});

it("is told of an answer of a handler, of refusals, and of what was no HTTP", async () => {
  const path = `/v1/webhooks/${service.acme.webhook.id}`;
  const taken = await service.send({ method: "GET", path, key: service.acme.secretKey, content: {} });
  await service.send({ method: "GET", path: "/v1/webhooks/x", key: service.acme.secretKey });
  await service.send({ method: "GET", path: "/nowhere" });
  using connection = await RawConnection.open(service.url);
  connection.write("no HTTP\r\n\r\n");
  await connection.response();
  const shown = told.map(({ operationId, refusal, request, content, response, ...rest }) => ({
    contract: rest.contract === contract,
    operationId,
    refusal,
    target: request && new URL(request.url).pathname,
    content: content && Buffer.from(content).toString("utf8"),
    used: [...rest.usedParameters],
    status: response.status,
  }));
  const own = { contract: true, operationId: "getWebhook", refusal: undefined };
  expect(shown).toEqual([
    { ...own, target: path, content: "{}", used: ["path /webhook_id"], status: 200 },
    { ...own, refusal: "request_invalid", target: "/v1/webhooks/x", content: "", used: [], status: 422 },
    {
      contract: true,
      operationId: undefined,
      refusal: "route_not_found",
      target: "/nowhere",
      content: undefined,
      used: [],
      status: 404,
    },
    {
      contract: false,
      operationId: undefined,
      refusal: "request_malformed",
      target: undefined,
      content: undefined,
      used: [],
      status: 400,
    },
  ]);
  expect(await told[0]?.response.clone().json()).toEqual(taken.body);
});
