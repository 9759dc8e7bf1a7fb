/** Tenants in SQLite. */
import type { Belongings, Tenant, TenantStore } from "../store.ts";
import { apiKeyInsertion } from "./api-keys.ts";
import type { Connection } from "./connection.ts";
import { userInsertion } from "./users.ts";
import { webhookInsertion } from "./webhooks.ts";

const nothing: Belongings = { apiKeys: [], users: [], webhooks: [] };

export function tenants(connection: Connection): TenantStore {
  const { query, command, read, write } = connection;
  const insert = command("INSERT INTO tenants (id, name, auth_type) VALUES (:id, :name, :auth_type)");
  const insertFirst = command(
    "INSERT INTO tenants (id, name, auth_type) SELECT :id, :name, :auth_type WHERE NOT EXISTS (SELECT 1 FROM tenants)",
  );
  const insertApiKey = apiKeyInsertion(connection);
  const insertUser = userInsertion(connection);
  const insertWebhook = webhookInsertion(connection);
  const all = query<Tenant>("SELECT id, name, auth_type FROM tenants ORDER BY rowid");
  const byId = query<Tenant>("SELECT id, name, auth_type FROM tenants WHERE id = :id");

  return {
    async create({ id, name, auth_type }) {
      await write(() => insert({ id, name, auth_type }));
    },
    createFirst: ({ id, name, auth_type }, { apiKeys, users, webhooks } = nothing) =>
      write(() => {
        if (insertFirst({ id, name, auth_type }) === 0) return false;
        apiKeys.forEach(insertApiKey);
        users.forEach(insertUser);
        webhooks.forEach(insertWebhook);
        return true;
      }),
    list: () => read(() => all.all({})),
    find: (id) => read(() => byId.get({ id })),
  };
}
