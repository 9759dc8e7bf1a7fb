import { expect, it } from "vitest";
import type { Contract } from "#specbind/contract";
import { contract } from "../../../generated/contract.ts";

const { operations }: Contract = contract;

it("removes undeclared properties", () => {
  const project = operations.getWebhook?.responses[200]?.mediaTypes["application/json"]?.project;
  const webhook = { id: 1, url: "https://shop.test/", events: ["order.created"] };
  expect(
    project?.({ status: true, secret: 1, data: { webhook: { ...webhook, tenant_id: "t" }, x: 2 } }),
  ).toEqual({ status: true, data: { webhook } });
});
