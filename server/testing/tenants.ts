/** Tenants for tests. */
import { createApiKey } from "../domain/api-keys.ts";
import { createTenant, createWebhook } from "../domain/registration.ts";
import { openStore } from "../store/open.ts";
import type { Store, Tenant, Webhook } from "../store/store.ts";

export interface TestTenant {
  readonly tenant: Tenant;
  readonly secretKey: string;
  readonly secretKeyId: string;
  readonly publishableKey: string;
  readonly webhook: Webhook;
}

/** Creates a tenant with two keys and a webhook. */
export async function makeTenant(store: Store, name = "Acme", clock = Date.now): Promise<TestTenant> {
  const tenant = await createTenant(store, { name, auth_type: 3 });
  const secret = await createApiKey({ store, clock }, { tenant_id: tenant.id, kind: "secret" });
  const publishable = await createApiKey({ store, clock }, { tenant_id: tenant.id, kind: "publishable" });
  const webhook = await createWebhook(store, {
    tenant_id: tenant.id,
    url: `https://${name.toLowerCase()}.test/hooks`,
    events: ["order.created"],
  });
  return {
    tenant,
    secretKey: secret.secret,
    secretKeyId: secret.id,
    publishableKey: publishable.secret,
    webhook,
  };
}

/** Creates a tenant in the database of a server. */
export async function populate(databaseUrl: string): Promise<TestTenant> {
  const store = await openStore(databaseUrl);
  const made = await makeTenant(store);
  await store.close();
  return made;
}
