/** Tenants in PostgreSQL. */
import type { Tenant, TenantStore } from "../store.ts";
import type { Connection } from "./connection.ts";

export function tenants({ read, write, transaction }: Connection): TenantStore {
  const insert = write("INSERT INTO tenants (id, name, auth_type) VALUES ($1, $2, $3)");
  const all = read<Tenant>("SELECT id, name, auth_type FROM tenants ORDER BY position");
  const byId = read<Tenant>("SELECT id, name, auth_type FROM tenants WHERE id = $1");

  return {
    async create({ id, name, auth_type }) {
      await insert(id, name, auth_type);
    },
    createFirst: ({ id, name, auth_type }) =>
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
        return created.length === 1;
      }),
    list: () => all(),
    find: async (id) => (await byId(id))[0],
  };
}
