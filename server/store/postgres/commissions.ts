import type { Connection } from "../sql/connection.ts";
import type { Commission, CommissionStore, NewCommission } from "../store.ts";

export function commissions({ statement, read, write, transaction }: Connection): CommissionStore {
  const find = statement<Commission>(
    "SELECT id, rate FROM commissions WHERE tenant_id = :tenant_id AND definition_hash = :definition_hash",
  );
  // Needs one round trip. A repeated submission only reads, so it does not wait for the disk.
  const insert = statement<Commission>(
    `WITH known AS (
       SELECT id, rate FROM commissions WHERE tenant_id = :tenant_id AND definition_hash = :definition_hash
     ), created AS (
       INSERT INTO commissions (tenant_id, definition_hash, definition, rate, created_at)
       SELECT :tenant_id, :definition_hash, :definition, :rate, :created_at WHERE NOT EXISTS (SELECT 1 FROM known)
       ON CONFLICT (tenant_id, definition_hash) DO NOTHING
       RETURNING id, rate
     )
     SELECT id, rate FROM known UNION ALL SELECT id, rate FROM created`,
  );
  const lock = statement("SELECT id FROM tenants WHERE id = :tenant_id FOR NO KEY UPDATE");
  const full = statement(
    `SELECT 1 FROM commissions WHERE tenant_id = :tenant_id AND definition_hash <> :definition_hash
     HAVING count(*) >= :most`,
  );

  /** Locks the tenant's row, so that each submission waits for the earlier ones and counts them. */
  function submitWithin(most: number, commission: NewCommission): Promise<Commission | undefined> {
    return transaction(function* () {
      yield* lock(commission);
      if ((yield* full({ ...commission, most })).length > 0) return undefined;
      return (yield* insert(commission))[0];
    });
  }

  return {
    async submit(commission, most) {
      if (most !== undefined) {
        const [known] = await read(find(commission));
        return known ?? submitWithin(most, commission);
      }
      // There is no row if an equal submission was committed after this snapshot. The next snapshot contains it,
      // because definitions are never deleted.
      for (;;) {
        const [record] = await write(insert(commission));
        if (record !== undefined) return record;
      }
    },
  };
}
