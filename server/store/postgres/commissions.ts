import type { Commission, CommissionStore } from "../store.ts";
import type { Connection, Value } from "./connection.ts";

export function commissions({ read, write, transaction }: Connection): CommissionStore {
  const find = read<Commission>(
    "SELECT id, rate FROM commissions WHERE tenant_id = $1 AND definition_hash = $2",
  );
  // Needs one round trip. A repeated submission only reads, so it does not wait for the disk.
  const insert = `WITH known AS (
       SELECT id, rate FROM commissions WHERE tenant_id = $1 AND definition_hash = $2
     ), created AS (
       INSERT INTO commissions (tenant_id, definition_hash, definition, rate, created_at)
       SELECT $1, $2, $3, $4, $5 WHERE NOT EXISTS (SELECT 1 FROM known)
       ON CONFLICT (tenant_id, definition_hash) DO NOTHING
       RETURNING id, rate
     )
     SELECT id, rate FROM known UNION ALL SELECT id, rate FROM created`;
  const submit = write<Commission>(insert);

  /** Locks the tenant's row, so that each submission waits for the earlier ones and counts them. */
  function submitWithin(most: number, tenant_id: string, definition_hash: string, ...rest: Value[]) {
    return transaction(async (run) => {
      await run("SELECT id FROM tenants WHERE id = $1 FOR NO KEY UPDATE", tenant_id);
      const [full] = await run(
        `SELECT 1 FROM commissions WHERE tenant_id = $1 AND definition_hash <> $2
         HAVING count(*) >= $3`,
        ...[tenant_id, definition_hash, most],
      );
      if (full !== undefined) return undefined;
      const [record] = await run(insert, tenant_id, definition_hash, ...rest);
      return record as Commission | undefined;
    });
  }

  return {
    async submit({ tenant_id, definition_hash, definition, rate, created_at }, most) {
      if (most !== undefined) {
        const [known] = await find(tenant_id, definition_hash);
        return known ?? submitWithin(most, tenant_id, definition_hash, definition, rate, created_at);
      }
      // There is no row if an equal submission was committed after this snapshot. The next snapshot contains it,
      // because definitions are never deleted.
      for (;;) {
        const [record] = await submit(tenant_id, definition_hash, definition, rate, created_at);
        if (record !== undefined) return record;
      }
    },
  };
}
