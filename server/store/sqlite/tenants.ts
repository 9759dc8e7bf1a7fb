/** Tenants in SQLite. */
import type { Tenant, TenantStore } from "../store.ts";
import type { Connection } from "./connection.ts";

export function tenants({ query, command, read, write }: Connection): TenantStore {
  const insert = command("INSERT INTO tenants (id, name, auth_type) VALUES (:id, :name, :auth_type)");
  const insertFirst = command(
    "INSERT INTO tenants (id, name, auth_type) SELECT :id, :name, :auth_type WHERE NOT EXISTS (SELECT 1 FROM tenants)",
  );
  const all = query<Tenant>("SELECT id, name, auth_type FROM tenants ORDER BY rowid");
  const byId = query<Tenant>("SELECT id, name, auth_type FROM tenants WHERE id = :id");

  return {
    async create({ id, name, auth_type }) {
      await write(() => insert({ id, name, auth_type }));
    },
    createFirst: ({ id, name, auth_type }) => write(() => insertFirst({ id, name, auth_type }) === 1),
    list: () => read(() => all.all({})),
    find: (id) => read(() => byId.get({ id })),
  };
}
