/** Tenants in PostgreSQL. */
import { type Belongings, DuplicateUserError, type Tenant, type TenantStore } from "../store.ts";
import { apiKeyInsertion } from "./api-keys.ts";
import type { Connection } from "./connection.ts";
import { userInsertion } from "./users.ts";
import { webhookInsertion } from "./webhooks.ts";

const nothing: Belongings = { apiKeys: [], users: [], webhooks: [] };

export function tenants({ read, write, transaction }: Connection): TenantStore {
  const insert = write("INSERT INTO tenants (id, name, auth_type) VALUES ($1, $2, $3)");
  const all = read<Tenant>("SELECT id, name, auth_type FROM tenants ORDER BY position");
  const byId = read<Tenant>("SELECT id, name, auth_type FROM tenants WHERE id = $1");

  return {
    async create({ id, name, auth_type }) {
      await insert(id, name, auth_type);
    },
    createFirst: ({ id, name, auth_type }, { apiKeys, users, webhooks } = nothing) =>
      transaction(async (run) => {
        // Holds off every other insertion, so that the table that is seen to be empty stays so.
        await run("LOCK TABLE tenants IN SHARE ROW EXCLUSIVE MODE");
        const created = await run(
          `INSERT INTO tenants (id, name, auth_type)
           SELECT $1, $2, $3::integer WHERE NOT EXISTS (SELECT 1 FROM tenants) RETURNING id`,
          id,
          name,
          auth_type,
        );
        if (created.length === 0) return false;
        for (const key of apiKeys) await run(apiKeyInsertion.sql, ...apiKeyInsertion.values(key));
        for (const user of users) {
          const made = await run(userInsertion.sql, ...userInsertion.values(user));
          if (made.length === 0) throw new DuplicateUserError();
        }
        for (const webhook of webhooks) await run(webhookInsertion.sql, ...webhookInsertion.values(webhook));
        return true;
      }),
    list: () => all(),
    find: async (id) => (await byId(id))[0],
  };
}
