/** Tests the service with requests that are generated from the spec, and checks the responses against it. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { AnyResult } from "#specbind/client";
import type { OperationContract } from "#specbind/contract";
import type { SettledExchange } from "#specbind/server";
import { createClient } from "../../client/index.ts";
import { validateResponse } from "../../client/validate.ts";
import type { OperationCalls } from "../../generated/client.ts";
import { contract } from "../../generated/contract.ts";
import document from "../../generated/openapi.json" with { type: "json" };
import { operationChecks } from "../../scripts/toolkit/conformance/checks/operation-checks.ts";
import { type HttpRequest, type HttpResponse, jsonIn } from "../../scripts/toolkit/conformance/exchange.ts";
import { readParameter } from "../../scripts/toolkit/conformance/exchange-check.ts";
import { modelOf } from "../../scripts/toolkit/conformance/operation-model.ts";
import type { ParameterValues } from "../../scripts/toolkit/conformance/requests.ts";
import { sendRequest } from "../../scripts/toolkit/conformance/send.ts";
import {
  placesAt,
  type Rejections,
  type ServiceUnderTest,
} from "../../scripts/toolkit/conformance/service-under-test.ts";
import { deletesLast, type Suite, serviceChecks, suiteOf } from "../../scripts/toolkit/conformance/suite.ts";
import { type Json, type JsonObject, valueAt } from "../../scripts/toolkit/openapi/document.ts";
import { createApiKey } from "../domain/api-keys.ts";
import { StoreUnavailableError } from "../store/store.ts";
import { plainUser, rightPassword, startService, type TestService } from "../testing/service.ts";

/** Each seed makes different requests. */
const seed = Number(process.env.CONFORMANCE_SEED ?? 1);
const validRequests = 30;
const operations = deletesLast(modelOf(document).operations);
// The contract and the client have the same operations, because both are generated from the spec.
const operationIds = Object.keys(contract.operations) as (keyof OperationCalls)[];

let service: TestService;
const settled: SettledExchange[] = [];
let suite: Suite;
beforeAll(async () => {
  service = await startService({
    settings: { LOGIN_ATTEMPTS_PER_ADDRESS: "1000000" },
    onSettled: (exchange) => settled.push(exchange),
  });
  suite = suiteOf(await underTest(service), { seed, validRequests, requestsEach: 2 });
});
afterAll(() => service[Symbol.asyncDispose]());

async function underTest({ url, store, acme, logged }: TestService): Promise<ServiceUnderTest> {
  const issued = () =>
    createApiKey({ store, clock: Date.now }, { tenant_id: acme.tenant.id, kind: "secret" });
  const [revoked, mistyped] = [await issued(), await issued()];
  await store.apiKeys.revoke({ id: revoked.id }, Date.now());
  return {
    document,
    send: (request) => sendRequest(url, withoutAddress(request, acme.publishableKey)),
    placesIn: (response) => placesAt(response, "/error/problems"),
    reasonOf: ({ headers }) => {
      const id = headers.find(([name]) => name.toLowerCase() === "x-request-id")?.[1];
      const entry = logged.find(({ level, request_id }) => Number(level) >= 50 && request_id === id);
      return entry && JSON.stringify(entry);
    },
    credentials: {
      apiKey: {
        valid: [
          { text: acme.secretKey, roles: ["secret"] },
          { text: acme.publishableKey, roles: ["publishable"] },
        ],
        invalid: {
          revoked: revoked.secret,
          mistyped: mistyped.secret.replace(/.$/, (last) => (last === "a" ? "b" : "a")),
          "of an unknown form": "key",
          "with characters that keys do not contain": "k e y",
        },
      },
    },
    rejections: { codeIn: codeOf, expected: rejections },
    undeclaredHeaders: [],
    maxContentBytes: 65_536,
    known: { getWebhook: { "path /webhook_id": acme.webhook.id } },
    settle: { submitCommission: ascending, loginUser: ofAUser },
  };
}

/** Removes the header that the service accepts only with a secret key. */
function withoutAddress(request: HttpRequest, publishableKey: string): HttpRequest {
  if (!request.headers.some(([, value]) => value.endsWith(publishableKey))) return request;
  const headers = request.headers.filter(([name]) => name !== "X-End-User-Address");
  return { ...request, headers };
}

/** The statuses and codes that the spec's descriptions promise. */
const rejections: Required<Rejections["expected"]> = {
  route_not_found: { status: 404, code: "route_not_found" },
  method_not_allowed: { status: 405, code: "method_not_allowed" },
  credential_missing: { status: 401, code: "api_key_missing" },
  credential_invalid: { status: 401, code: "api_key_invalid" },
  role_missing: { status: 403, code: "api_key_kind_forbidden" },
  content_too_large: { status: 413, code: "content_too_large" },
  media_type_unsupported: { status: 415, code: "unsupported_media_type" },
  content_coding_unsupported: { status: 415, code: "unsupported_media_type" },
  malformed_content: { status: 400, code: "malformed_content" },
  request_invalid: { status: 422, code: "request_invalid" },
};

function codeOf({ body }: HttpResponse): string | undefined {
  return String(valueAt(jsonIn(body), "/error/code"));
}

/** Makes slabs follow the rules that the schema cannot express: they ascend, and only the last has no upper limit. */
function ascending(body: Json): Json {
  const { commission } = body as { commission: JsonObject };
  const rules = (commission.commission_data ?? []) as JsonObject[];
  const settled = rules.map((rule) => {
    const slabs = (rule.slab_value ?? []) as JsonObject[];
    const slab_value = slabs.map((slab, index) => ({
      ...slab,
      from: index * 10,
      to: index === slabs.length - 1 ? -1 : index * 10 + 5,
    }));
    return rule.slab_value === undefined ? rule : { ...rule, slab_value };
  });
  return { commission: { ...commission, ...(commission.commission_data && { commission_data: settled }) } };
}

/** Chooses the only supported authentication flow. Without a token, also chooses a user who needs no code. */
function ofAUser(body: Json): Json {
  const { user } = body as { user: JsonObject };
  const known = user.token === undefined ? { ...plainUser, password: rightPassword } : {};
  return { user: { ...user, ...known, ...(user.auth_type !== undefined && { auth_type: 3 }) } };
}

describe.each(operations)(`$id (seed ${seed})`, ({ id }) => {
  // Vitest shortens the texts of `$name`.
  it.each(Object.values(operationChecks).map(({ name }) => name))("%s", async (name) => {
    const check = suite.checks.find((each) => each.operationId === id && each.name === name);
    expect(await check?.run()).toEqual([]);
  });

  const operationId = operationIds.find((each) => each === id);
  // The client has no function for a twin.
  if (operationId === undefined) return;

  it("gets the valid calls of the client unchanged, and responds to them as documented", async () => {
    const client = callsOf(service);
    const calls = suite.calls().get(operationId) ?? [];
    expect(
      calls.length,
      `${operationId}: no call can be made from the spec's examples. Add \`examples\` to its parameters and its body`,
    ).toBeGreaterThan(validRequests);
    for (const { parameters, body } of calls) {
      settled.length = 0;
      // The arguments have the right types, because the suite and the client's types come from the same spec.
      const result = await client[operationId]({ params: parameters, body } as never);
      const status = result?.response.status ?? 0;
      expect({
        body,
        status: result?.status,
        problems: problemsOf(result),
        fails: status >= 500,
      }).toEqual({ body, status, problems: undefined, fails: false });
      const given = body ?? defaultContent(operationId);
      expect(settled.map(received)).toEqual([{ operationId, parameters, body: given }]);
    }
  });
});

/** Returns a request as the conformance suite reads it. */
function received({ operation: operationId, request, bodyBytes }: SettledExchange): unknown {
  const operation = operations.find(({ id }) => id === operationId);
  if (operation === undefined || request === undefined) return { operationId };
  const headers = operation.parameters.flatMap(({ in: place, name }): [string, string][] => {
    const value = place === "header" ? request.header(name) : undefined;
    return value === undefined ? [] : [[name, value]];
  });
  const sent = { target: `${request.path}?${request.query}`, headers };
  const parameters: { [place: string]: { [name: string]: Json } } = {};
  for (const parameter of operation.parameters) {
    const read = readParameter(operation, sent, parameter);
    const { in: place, name } = parameter;
    if (read && "value" in read) parameters[place] = { ...parameters[place], [name]: read.value };
  }
  return {
    operationId,
    parameters: parameters satisfies ParameterValues,
    body: bodyBytes?.byteLength ? JSON.parse(Buffer.from(bodyBytes).toString("utf8")) : undefined,
  };
}

/** Returns the spec's default for a missing request body. */
function defaultContent(operationId: keyof OperationCalls): unknown {
  const { requestBody }: Partial<OperationContract> = contract.operations[operationId];
  const [media] = Object.values(requestBody?.mediaTypes ?? {});
  return media?.complete?.(undefined);
}

/** Returns the client's functions by operation. A response that violates its schema counts as undocumented. */
function callsOf({ url, acme }: TestService): Readonly<Record<keyof OperationCalls, Call>> {
  return createClient({
    baseUrl: url,
    apiKey: acme.secretKey,
    validate: validateResponse,
  }) satisfies OperationCalls;
}
type Call = (init: never) => Promise<AnyResult>;

function problemsOf(result: AnyResult | undefined): unknown {
  return (result?.error as { error?: { problems?: unknown } } | undefined)?.error?.problems;
}

it.each([
  ["fails", new Error("unforeseen"), 500],
  ["cannot be reached", new StoreUnavailableError(), 503],
])("responds to every call as documented if the store %s", async (_, failure, status) => {
  const findActiveByHash = () => Promise.reject(failure);
  await using failing = await startService({
    wrapStore: (store) => ({ ...store, apiKeys: { ...store.apiKeys, findActiveByHash } }),
  });
  const calls = callsOf(failing);
  for (const operationId of operationIds) {
    const [first] = suite.calls().get(operationId) ?? [];
    const result = await calls[operationId]({
      params: first?.parameters,
      body: first?.body,
      maxRetries: 0,
    } as never);
    expect({ operationId, status: result?.status }).toEqual({ operationId, status });
  }
});

/** Places for which the suite makes no request, as the failed test prints them. Each needs a test of its own. */
const untested: readonly string[] = [];

describe(`the service (seed ${seed})`, () => {
  it.each(Object.values(serviceChecks))("%s", async (name) => {
    expect(await suite.checks.find((each) => each.name === name)?.run()).toEqual([]);
  });

  it("is tested with requests for everything in its spec", () => {
    const omitted = suite.omissions().map(({ operationId, place, why }) => `${operationId} ${place}: ${why}`);
    const fix = "write a test for each place below, and add its line to `untested` in this file";
    expect(omitted, fix).toEqual(untested);
  });
});
