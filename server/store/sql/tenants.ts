import { type Belongings, DuplicateUserError, type Tenant, type TenantStore } from "../store.ts";
import { apiKeyInsertion } from "./api-keys.ts";
import type { Connection } from "./connection.ts";
import { userInsertion } from "./users.ts";
import { webhookInsertion } from "./webhooks.ts";

const nothing: Belongings = { apiKeys: [], users: [], webhooks: [] };

export function tenants({ statement, read, write, transaction, position }: Connection): TenantStore {
  const insert = statement("INSERT INTO tenants (id, name, auth_type) VALUES (:id, :name, :auth_type)");
  const insertFirst = statement<Pick<Tenant, "id">>(
    `INSERT INTO tenants (id, name, auth_type)
     SELECT :id, :name, CAST(:auth_type AS integer) WHERE NOT EXISTS (SELECT 1 FROM tenants) RETURNING id`,
  );
  const insertApiKey = statement(apiKeyInsertion);
  const insertUser = statement<{ id: string }>(userInsertion);
  const insertWebhook = statement(webhookInsertion);
  const all = statement<Tenant>(`SELECT id, name, auth_type FROM tenants ORDER BY ${position}`);
  const byId = statement<Tenant>("SELECT id, name, auth_type FROM tenants WHERE id = :id");

  return {
    async create(tenant) {
      await write(insert(tenant));
    },
    createFirst: (tenant, { apiKeys, users, webhooks } = nothing) =>
      transaction(function* () {
        if ((yield* insertFirst(tenant)).length === 0) return false;
        for (const key of apiKeys) yield* insertApiKey(key);
        for (const user of users) if ((yield* insertUser(user)).length === 0) throw new DuplicateUserError();
        for (const webhook of webhooks) yield* insertWebhook(webhook);
        return true;
      }, "tenants"),
    list: () => read(all()),
    find: async (id) => (await read(byId({ id })))[0],
  };
}
