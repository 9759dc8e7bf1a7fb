import { describe, expect, it } from "vitest";
import { type Contract, contract, type Problem } from "../../generated/contract.ts";
import { placeOf, type SpecMessage, specMessages, specOperations } from "../testing/spec.ts";

const { operations, unmatched }: Contract = contract;

/** The contract's validator for a message of the spec. */
function validatorOf({ operationId, status }: SpecMessage) {
  const operation = operationId === undefined ? undefined : operations[operationId];
  const responses = operation?.responses ?? unmatched;
  const { mediaTypes } = (status === undefined ? operation?.content : responses[status]) ?? {};
  return mediaTypes?.["application/json"]?.validate;
}

describe("the generated contract", () => {
  it("has the operations of the spec, with their methods and paths", () => {
    expect(
      Object.entries(operations).map(([id, { method, twin, path }]) => ({ id, method, twin, path })),
    ).toEqual(
      specOperations.map(({ operationId, method, twin, path }) => ({ id: operationId, method, twin, path })),
    );
  });

  it("has the statuses of each operation in the spec", () => {
    expect(Object.entries(operations).map(([id, { responses }]) => [id, Object.keys(responses)])).toEqual(
      specOperations.map(({ operationId, responses }) => [operationId, Object.keys(responses)]),
    );
  });

  it("accepts every example of the spec", () => {
    const checked = specMessages.flatMap((message) => {
      const validate = validatorOf(message);
      return [...message.examples].map(([name, value]) => {
        const problems: Problem[] = [];
        return { at: `${placeOf(message)} ${name}`, accepted: validate?.(value, problems), problems };
      });
    });
    expect(checked.length).toBeGreaterThan(60);
    expect(checked.filter(({ accepted }) => accepted !== true)).toEqual([]);
  });

  it("removes undeclared properties", () => {
    const project = operations.getWebhook?.responses[200]?.mediaTypes["application/json"]?.project;
    const webhook = { id: 1, url: "https://shop.test/", events: ["order.created"] };
    expect(
      project?.({ status: true, secret: 1, data: { webhook: { ...webhook, tenant_id: "t" }, x: 2 } }),
    ).toEqual({
      status: true,
      data: { webhook },
    });
  });
});
