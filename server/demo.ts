import { randomBytes, randomUUID } from "node:crypto";
import { newApiKey } from "./domain/api-keys.ts";
import type { Clock } from "./domain/clock.ts";
import { mobileAndPassword } from "./domain/login.ts";
import { newUser } from "./domain/registration.ts";
import type { Store, Tenant } from "./store/store.ts";

/**
 * Returns a text with the keys of a new tenant, or undefined if a tenant exists. If several servers start at the same
 * time, only one creates the demo.
 */
export async function createDemo(store: Store, clock: Clock, url: string): Promise<string | undefined> {
  if ((await store.tenants.list()).length > 0) return undefined;
  const tenant: Tenant = { id: randomUUID(), name: "Demo", auth_type: mobileAndPassword };
  const secret = newApiKey(clock, { tenant_id: tenant.id, kind: "secret" });
  const publishable = newApiKey(clock, { tenant_id: tenant.id, kind: "publishable" });
  const user = {
    type: "customer",
    dial_code: "91",
    mobile: "9876543210",
    password: randomBytes(12).toString("base64url"),
  };
  const names = { first_name: "Asha", last_name: "Rao", email: "asha.rao@mail.test" };
  const isFirst = await store.tenants.createFirst(tenant, {
    apiKeys: [secret.record, publishable.record],
    users: [await newUser(tenant, { ...user, ...names })],
    webhooks: [{ tenant_id: tenant.id, url: "https://shop.test/hooks/orders", events: ["order.created"] }],
  });
  const [webhook] = isFirst ? await store.webhooks.list(tenant.id) : [];
  if (webhook === undefined) return undefined;
  const definition = {
    title: "Marketplace supply",
    type: "supply",
    default_value: 12.5,
    commission_data: [
      { category: [101, 102], type: 1, fixed_value: 8 },
      {
        category: [205],
        type: 2,
        slab_value: [
          { from: 0, to: 1000, value: 10 },
          { from: 2000, to: -1, value: 5 },
        ],
      },
    ],
  };
  return `
A demo tenant was created. Its keys are shown only once:

  secret key        ${secret.secret}
  publishable key   ${publishable.secret}

Commands to paste, one for each operation:

${curl("GET", `${url}/`, secret.secret, { commission: definition })}

${curl("POST", `${url}/v1/users/login`, publishable.secret, { user: { uuid: "demo-device", ...user } })}

${curl("GET", `${url}/v1/webhooks/${webhook.id}`, secret.secret, {})}

The documentation is at ${url}/docs.

`;
}

function curl(method: string, url: string, key: string, content: unknown): string {
  return [
    // A response does not end with a newline, so the shell's prompt would be on the same line.
    `curl -sS -w '\\n' -X ${method} '${url}'`,
    `-H 'Authorization: Bearer ${key}'`,
    `-H 'Content-Type: application/json'`,
    `-d '${JSON.stringify(content)}'`,
  ].join(" \\\n  ");
}
