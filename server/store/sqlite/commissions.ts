import type { Awaitable, Commission, CommissionStore, NewCommission } from "../store.ts";
import type { SqliteConnection } from "./connection.ts";

export function commissions({ statement, cachedRows, read, write }: SqliteConnection): CommissionStore {
  const findCached = cachedRows<Commission>("commissions");
  const byHash = statement<Commission>(
    "SELECT id, rate FROM commissions WHERE tenant_id = :tenant_id AND definition_hash = :definition_hash",
  );
  const insert = statement<Commission>(
    `INSERT INTO commissions (tenant_id, definition_hash, definition, rate, created_at)
     SELECT :tenant_id, :definition_hash, :definition, :rate, :created_at
     WHERE :most IS NULL OR (SELECT count(*) FROM commissions WHERE tenant_id = :tenant_id) < :most
     ON CONFLICT (tenant_id, definition_hash) DO NOTHING
     RETURNING id, rate`,
  );

  /** The row may exist already, because another process has inserted it in the meantime. */
  async function insertOrFind(
    commission: NewCommission,
    most: number | null,
  ): Promise<Commission | undefined> {
    const [created] = await write(insert({ ...commission, most }));
    return created ?? (await read(byHash(commission)))[0];
  }

  return {
    submit(commission, most) {
      const orInsert = (known: Commission | undefined): Awaitable<Commission | undefined> =>
        known ?? insertOrFind(commission, most ?? null);
      // Reads first, so that a repeated submission needs no write. Clients often repeat a GET.
      const known = findCached(`${commission.tenant_id} ${commission.definition_hash}`, () =>
        byHash(commission),
      );
      return known instanceof Promise ? known.then(orInsert) : orInsert(known);
    },
  };
}
