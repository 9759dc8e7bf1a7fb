/** Tests how expiry, restriction and rotation of an API key affect its callers, and how its uses are stored. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createApiKey, rotateApiKey, type WantedApiKey } from "../domain/api-keys.ts";
import { databases } from "../testing/databases.ts";
import { startService, type TestService } from "../testing/service.ts";

describe.each(databases)("on $name", ({ create }) => {
  const stack = new AsyncDisposableStack();
  let service: TestService;
  beforeAll(async () => {
    const { url, remove } = await create();
    stack.defer(remove);
    service = stack.use(await startService({ settings: { DATABASE_URL: url } }));
  });
  afterAll(() => stack.disposeAsync());

  test("a key gets the same response as a revoked one from the moment of its expiry", async () => {
    const [expiring, revoked] = [await createKey({ expires_at: service.time + 1000 }), await createKey()];
    await service.store.apiKeys.revoke({ id: revoked.id }, service.time);
    service.time += 999;
    expect((await getWebhook(expiring)).status).toBe(200);
    service.time += 1;
    const rejected = await getWebhook(expiring);
    const expected = await getWebhook(revoked);
    expect(rejected).toEqual({ ...expected, headers: { ...expected.headers, date: rejected.headers.date } });
    expect(rejected).toMatchObject({ status: 401, body: { error: { code: "api_key_invalid" } } });
  });

  test("a restricted key may call only its operations, and only if its kind allows them", async () => {
    const commission = { title: "Flat", type: "supply", default_value: 10 };
    const submit = ({ secret: key }: { secret: string }) =>
      service.send({ method: "GET", path: "/", key, body: { commission } });
    const both = await createKey({ operations: ["getWebhook", "submitCommission"] });
    expect([(await getWebhook(both)).status, (await submit(both)).status]).toEqual([200, 200]);
    const one = await createKey({ operations: ["submitCommission"] });
    expect((await submit(one)).status).toBe(200);
    expect(await getWebhook(one)).toMatchObject({
      status: 403,
      body: { error: { code: "api_key_kind_forbidden" } },
    });
    const useless = await createKey({ kind: "publishable", operations: ["getWebhook"] });
    expect((await getWebhook(useless)).status).toBe(403);
  });

  test("a rotated key works until the overlap ends, and its successor has the same name and operations", async () => {
    const wanted = { name: "Invoices", operations: ["getWebhook"] };
    const { id, secret } = await createKey(wanted);
    const found = await service.store.apiKeys.find(id);
    const about = { store: service.store, clock: () => service.time };
    const rotated = found && (await rotateApiKey(about, found, { overlapMs: 1000, expires_at: null }));
    if (rotated === undefined) throw new Error("The key was not rotated.");
    const { successor } = rotated;
    expect(successor).toMatchObject({ ...wanted, kind: "secret", tenant_id: found?.tenant_id });
    const statuses = async () =>
      (await Promise.all([getWebhook({ secret }), getWebhook(successor)])).map(({ status }) => status);
    service.time += 999;
    expect(await statuses()).toEqual([200, 200]);
    service.time += 1;
    expect(await statuses()).toEqual([401, 200]);
  });

  test("the last use of a key is stored, even if the request was rejected, unless the key has expired", async () => {
    const { store, time } = service;
    const [used, expired] = [await createKey({ operations: [] }), await createKey({ expires_at: time })];
    expect((await getWebhook(expired)).status).toBe(401);
    expect((await getWebhook(used)).status).toBe(403);
    await service.keyUses.stop();
    expect((await store.apiKeys.find(used.id))?.last_used_at).toBe(time);
    expect((await store.apiKeys.find(expired.id))?.last_used_at).toBeNull();
  });

  function createKey(wanted: Partial<WantedApiKey> = {}) {
    const { store, acme } = service;
    const key = { tenant_id: acme.tenant.id, kind: "secret", ...wanted } as const;
    return createApiKey({ store, clock: () => service.time }, key);
  }

  function getWebhook({ secret: key }: { secret: string }) {
    const path = `/v1/webhooks/${service.acme.webhook.id}`;
    return service.send({
      method: "GET",
      path,
      key,
      headers: { "x-request-id": "0b6f3c1e-6a52-4d0e-9d6f-2f3a5d1c7e11" },
    });
  }
});
