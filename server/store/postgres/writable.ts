import type { Connection, Disk } from "./connection.ts";

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
export function writableCheck({ write, transaction }: Connection, disk: Disk): () => Promise<void> {
  const writeNothingNew = write("UPDATE commerce_schema_version SET version = version");
  return async () => {
    if (disk.lacksSpace) {
      await transaction(async (run) => {
        for (const sql of takeSpace) await run(sql);
      });
      disk.lacksSpace = false;
    }
    await writeNothingNew();
  };
}
