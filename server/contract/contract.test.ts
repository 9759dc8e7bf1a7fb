import { describe, expect, it } from "vitest";
import { type Contract, contract, type Problem, type Validate } from "../../generated/contract.ts";
import document from "../../generated/openapi.json" with { type: "json" };

const { operations, unmatched }: Contract = contract;
type Media = { examples: Record<string, { value: unknown }> };
const problemsIn = (validate: Validate | undefined, value: unknown): Problem[] => {
  const problems: Problem[] = [];
  validate?.(value, problems);
  return problems;
};
const resolve = (value: { $ref?: string }): { content: { "application/json": Media } } => {
  const found =
    value.$ref === undefined
      ? value
      : (document.components.responses as Record<string, object>)[value.$ref.split("/").at(-1) ?? ""];
  return found as { content: { "application/json": Media } };
};

const operationDocuments = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
);

describe("the generated contract", () => {
  it("has the operations of the spec, with their methods and paths", () => {
    expect(Object.entries(operations).map(([id, { method, path }]) => ({ id, method, path }))).toEqual(
      operationDocuments.map(({ path, method, operation }) => ({ id: operation.operationId, method, path })),
    );
  });

  it("has the statuses of the spec for each", () => {
    for (const { operation } of operationDocuments) {
      expect(Object.keys(operations[operation.operationId]?.responses ?? {})).toEqual(
        Object.keys(operation.responses),
      );
    }
  });

  it("accepts every example of the spec", () => {
    const checked: string[] = [];
    const check = (at: string, validate: Validate | undefined, media: Media): void => {
      for (const [name, { value }] of Object.entries(media.examples)) {
        expect({ at: `${at} ${name}`, problems: problemsIn(validate, value) }).toEqual({
          at: `${at} ${name}`,
          problems: [],
        });
        checked.push(`${at} ${name}`);
      }
    };
    for (const { operation } of operationDocuments) {
      const own = operations[operation.operationId];
      check(
        `${operation.operationId} content`,
        own?.content?.mediaTypes["application/json"]?.validate,
        operation.requestBody.content["application/json"],
      );
      for (const [status, response] of Object.entries(operation.responses)) {
        const validate = own?.responses[Number(status)]?.mediaTypes["application/json"]?.validate;
        check(
          `${operation.operationId} ${status}`,
          validate,
          resolve(response as { $ref?: string }).content["application/json"],
        );
      }
    }
    for (const [status, response] of Object.entries(document["x-unmatched-responses"])) {
      check(
        `unmatched ${status}`,
        unmatched[Number(status)]?.mediaTypes["application/json"]?.validate,
        response.content["application/json"],
      );
    }
    expect(checked.length).toBeGreaterThan(60);
  });

  it("lets no undeclared property leave", () => {
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
