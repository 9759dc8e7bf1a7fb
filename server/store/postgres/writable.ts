import type { Connection } from "../sql/connection.ts";
import type { Disk } from "./connection.ts";

/** Sorts about 1 MB in a temporary file, which PostgreSQL writes to the tablespace of the database, and then removes. */
const takeSpace = [
  "SET LOCAL temp_tablespaces = ''",
  "SET LOCAL work_mem = '64kB'",
  "SELECT max(text) FROM (SELECT md5(n::text) AS text FROM generate_series(1, 30000) AS n ORDER BY 1 OFFSET 0) AS sorted",
];

/**
 * Returns a check that commits a write without changing data. If some pages have free space, small writes still succeed
 * on a full disk. So after a statement has found no space, the check also needs space for larger writes.
 */
export function writableCheck(
  { statement, write, transaction }: Connection,
  disk: Disk,
): () => Promise<void> {
  const writeNothingNew = statement("UPDATE commerce_schema_version SET version = version");
  const spaceTaking = takeSpace.map((sql) => statement(sql));
  return async () => {
    if (disk.lacksSpace) {
      await transaction(function* () {
        for (const take of spaceTaking) yield* take();
      });
      disk.lacksSpace = false;
    }
    await write(writeNothingNew());
  };
}
