/** Sends requests generated from the document to the written handlers and validates the responses. */
import { afterAll, describe, expect, it } from "vitest";
import { operationChecks } from "../scripts/conformance/operation-checks.ts";
import { serviceChecks } from "../scripts/conformance/suite.ts";
import { isNotImplemented, operationIds, seed, startService } from "./testing/service.ts";

const service = await startService();
afterAll(() => service[Symbol.asyncDispose]());

const { suite, calls } = service;
const written: string[] = [];
for (const id of operationIds) {
  const call = calls.get(id);
  if (call !== undefined && !isNotImplemented(await service.call(id, call))) written.push(id);
}

describe.each(written)(`%s (seed ${seed})`, (id) => {
  it.each(Object.values(operationChecks))("%s", async (name) => {
    const check = suite.checks.find((each) => each.operationId === id && each.name === name);
    expect(await check?.run()).toEqual([]);
  });
});

it.skip.each(operationIds.filter((id) => !written.includes(id)))("%s is not written yet", () => {});

describe("the service", () => {
  it.each(Object.values(serviceChecks))("%s", async (name) => {
    expect(await suite.checks.find((each) => each.name === name)?.run()).toEqual([]);
  });
});
