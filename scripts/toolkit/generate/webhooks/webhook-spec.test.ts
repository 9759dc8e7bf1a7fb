import { expect, it } from "vitest";
import { entriesOf } from "../../openapi/document.ts";
import { operationsIn } from "../../openapi/grammar.ts";
import { webhookDocumentOf } from "./webhook-spec.ts";

const responses = { "204": { description: "Noted." } };
const post = (operationId?: string) => ({ post: { ...(operationId && { operationId }), responses } });

it("a webhook has its `operationId` as its name, or else its key, and the nearest identifier if these are not unique identifiers", () => {
  const separate = webhookDocumentOf({
    openapi: "3.1.1",
    info: { title: "Shop", version: "1.0.0" },
    paths: {
      "/orders": {
        post: {
          operationId: "createOrder",
          responses,
          callbacks: {
            shipped: { "{$request.body#/url}": post("orderShipped") },
            lost: { "{$request.body#/lost}": post("orderLost") },
            failed: { "{$request.body#/failed}": post("orderLost") },
          },
        },
      },
    },
    webhooks: {
      "new-order": post(),
      newOrder: post(),
      "order.changed": post("changeOrder"),
      removed: post("order removed"),
      ping: { get: { responses }, ...post("pingByPost") },
      later: post("then"),
    },
  });
  const names = entriesOf(separate?.document.paths).flatMap(([path, item]) =>
    operationsIn(item).map(({ method, operation }) => `${method} ${path} ${operation.operationId}`),
  );
  expect(names).toEqual([
    "POST /new-order newOrder2",
    "POST /newOrder newOrder",
    "POST /order.changed changeOrder",
    "POST /removed orderRemoved",
    "GET /ping pingGet",
    "POST /ping pingByPost",
    "POST /later then2",
    "POST /createOrder/shipped orderShipped",
    "POST /createOrder/lost createOrderLost",
    "POST /createOrder/failed createOrderFailed",
  ]);
  expect(separate?.callbacks.map(({ name, id }) => `${name} ${id}`)).toEqual([
    "shipped orderShipped",
    "lost createOrderLost",
    "failed createOrderFailed",
  ]);
});
