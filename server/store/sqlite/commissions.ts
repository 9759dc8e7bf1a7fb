import type { Awaitable, Commission, CommissionStore } from "../store.ts";
import type { Connection } from "./connection.ts";

export function commissions({ query, cachedRows, write }: Connection): CommissionStore {
  /** Definitions are never changed or removed. */
  const cache = cachedRows<Commission>();
  const byHash = query<Commission>(
    "SELECT id, rate FROM commissions WHERE tenant_id = :tenant_id AND definition_hash = :definition_hash",
  );
  const countOf = query<{ count: number }>(
    "SELECT count(*) AS count FROM commissions WHERE tenant_id = :tenant_id",
  );
  const insert = query<Commission>(
    `INSERT INTO commissions (tenant_id, definition_hash, definition, rate, created_at)
     VALUES (:tenant_id, :definition_hash, :definition, :rate, :created_at)
     RETURNING id, rate`,
  );

  return {
    submit({ tenant_id, definition_hash, definition, rate, created_at }, most = Number.POSITIVE_INFINITY) {
      const find = () => byHash.get({ tenant_id, definition_hash });
      const isFull = () => Number.isFinite(most) && (countOf.get({ tenant_id })?.count ?? 0) >= most;
      const orInsert = (known: Commission | undefined): Awaitable<Commission | undefined> =>
        known ??
        write(() => {
          const stored = find();
          if (stored !== undefined || isFull()) return stored;
          return insert.get({ tenant_id, definition_hash, definition, rate, created_at });
        });
      // Reads first, so that a repeated submission needs no write. Clients often repeat a GET.
      const known = cache.find(`${tenant_id} ${definition_hash}`, find);
      return known instanceof Promise ? known.then(orInsert) : orInsert(known);
    },
  };
}
