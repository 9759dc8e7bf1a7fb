/** Commission definitions in SQLite, one row for each distinct definition of a tenant. */
import type { Commission, CommissionStore } from "../store.ts";
import type { Connection } from "./connection.ts";

export function commissions({ query, read, write }: Connection): CommissionStore {
  const byHash = query<Commission>(
    "SELECT id, rate FROM commissions WHERE tenant_id = :tenant_id AND definition_hash = :definition_hash",
  );
  const insert = query<Commission>(
    `INSERT INTO commissions (tenant_id, definition_hash, definition, rate, created_at)
     VALUES (:tenant_id, :definition_hash, :definition, :rate, :created_at)
     RETURNING id, rate`,
  );

  return {
    async submit({ tenant_id, definition_hash, definition, rate, created_at }) {
      // A repeated submission is a mere read: GET is retried a lot, and a commit would buy it nothing.
      const known = await read(() => byHash.get({ tenant_id, definition_hash }));
      if (known !== undefined) return known;
      return write(() => {
        const record =
          byHash.get({ tenant_id, definition_hash }) ??
          insert.get({ tenant_id, definition_hash, definition, rate, created_at });
        if (record === undefined) throw new Error("INSERT … RETURNING answered no row.");
        return record;
      });
    },
  };
}
