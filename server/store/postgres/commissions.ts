import type { Commission, CommissionStore } from "../store.ts";
import type { Connection } from "./connection.ts";

export function commissions({ write }: Connection): CommissionStore {
  // One round trip. A repeated submission only reads, so it waits for no disk.
  const submit = write<Commission>(
    `WITH known AS (
       SELECT id, rate FROM commissions WHERE tenant_id = $1 AND definition_hash = $2
     ), created AS (
       INSERT INTO commissions (tenant_id, definition_hash, definition, rate, created_at)
       SELECT $1, $2, $3, $4, $5 WHERE NOT EXISTS (SELECT 1 FROM known)
       ON CONFLICT (tenant_id, definition_hash) DO NOTHING
       RETURNING id, rate
     )
     SELECT id, rate FROM known UNION ALL SELECT id, rate FROM created`,
  );

  return {
    async submit({ tenant_id, definition_hash, definition, rate, created_at }) {
      // No row: an equal submission was committed after this snapshot. The next snapshot has it, because
      // definitions are never deleted.
      for (;;) {
        const [record] = await submit(tenant_id, definition_hash, definition, rate, created_at);
        if (record !== undefined) return record;
      }
    },
  };
}
