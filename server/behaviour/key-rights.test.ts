/**
 * Which key may call which operation. The table is written by hand: all other tests read `security` from the spec, so
 * they do not notice if it becomes looser.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { contract } from "../../generated/contract.ts";
import { createApiKey, type WantedApiKey } from "../domain/api-keys.ts";
import { plainUser, rightPassword, startService, type TestService } from "../testing/service.ts";

/** `own` keys are restricted to the operation, `other` keys to all other operations. */
const columns = [
  ...["none", "wrong", "expired", "revoked"],
  ...["secret", "secret, own", "secret, other"],
  ...["publishable", "publishable, own", "publishable, other"],
];
type Rights = readonly number[];
const secretOnly: Rights = [401, 401, 401, 401, 200, 200, 403, 403, 403, 403];
const everyKind: Rights = [401, 401, 401, 401, 200, 200, 403, 200, 200, 403];

type Operation = keyof typeof rights;

/** A change of `security` needs a change of its row. A new operation can get a row, too. */
const rights = {
  submitCommission: { GET: secretOnly, QUERY: secretOnly },
  loginUser: { POST: everyKind },
  getWebhook: { GET: secretOnly, QUERY: secretOnly },
};

const requests: { readonly [Id in Operation]: () => { path: string; body: unknown } } = {
  submitCommission: () => ({
    path: "/",
    body: { commission: { title: "Flat", type: "supply", default_value: 10 } },
  }),
  loginUser: () => ({
    path: "/v1/users/login",
    body: { user: { ...plainUser, uuid: "device", password: rightPassword } },
  }),
  getWebhook: () => ({ path: `/v1/webhooks/${service.acme.webhook.id}`, body: {} }),
};

const ids = Object.keys(rights) as Operation[];
const rows = ids.flatMap((id) =>
  Object.entries<Rights>(rights[id]).map(([method, statuses]) => ({ id, method, statuses })),
);

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service[Symbol.asyncDispose]());

/** @returns undefined if the column has no key */
async function keyOf(column: string, id: Operation): Promise<string | undefined> {
  if (column === "none") return undefined;
  const { store, acme } = service;
  const [kind = "", restriction] = column.split(", ");
  const operations = ids.filter((each) => (restriction === "own") === (each === id));
  const wanted: WantedApiKey = {
    tenant_id: acme.tenant.id,
    kind: kind === "publishable" ? kind : "secret",
    ...(restriction !== undefined && { operations }),
    ...(kind === "expired" && { expires_at: service.time }),
  };
  const key = await createApiKey({ store, clock: () => service.time }, wanted);
  if (kind === "revoked") await store.apiKeys.revoke({ id: key.id }, service.time);
  return kind === "wrong" ? key.secret.replace(/.$/, (last) => (last === "a" ? "b" : "a")) : key.secret;
}

describe.each(rows)("$method $id", ({ id, method, statuses }) => {
  it.each(columns.map((column, index) => [column, statuses[index]]))(
    "with key: %s → %d",
    async (column, want) => {
      const key = await keyOf(String(column), id);
      const { status } = await service.send({ method, ...(key !== undefined && { key }), ...requests[id]() });
      expect(status).toBe(want);
    },
  );
});

it("has every method of its operations", () => {
  const operations: { readonly [id: string]: { method: string; twin?: string } } = contract.operations;
  const methods = ids.flatMap((id) => {
    const { method, twin } = operations[id] ?? {};
    return [method ?? [], twin ?? []].flat().map((each) => `${each} ${id}`);
  });
  expect(rows.map((row) => `${row.method} ${row.id}`).toSorted()).toEqual(methods.toSorted());
});
