import type { DatabaseSync } from "node:sqlite";
import type { Connection } from "../sql/connection.ts";
import type { DatabaseFile } from "./database-file.ts";

/** More than most writes need. The row counts as expired, so another write removes it if this process ends. */
const space = "'space ' || hex(zeroblob(512 * 1024))";

/**
 * Returns a check that commits a write without changing data. On a nearly full disk, small writes still succeed. So
 * after a write has found no space, the check also needs space for larger writes.
 */
export function writableCheck(
  db: DatabaseSync,
  { statement, write, transaction }: Connection,
  file: DatabaseFile,
): () => Promise<void> {
  const version = statement<{ user_version: number }>("PRAGMA user_version");
  const takeSpace = statement(
    `INSERT OR REPLACE INTO attempts (key, count, window_ends_at) VALUES (${space}, 0, 0)`,
  );
  const freeSpace = statement(`DELETE FROM attempts WHERE key = ${space}`);
  return async () => {
    file.assertLogInPlace();
    if (file.lacksSpace) {
      // A failure sets it again.
      file.lacksSpace = false;
      await write(takeSpace());
      await write(freeSpace());
    } else {
      // Writes the value that is already stored, so a page of the file is written but no data changes.
      await transaction(function* () {
        const [found] = yield* version();
        db.exec(`PRAGMA user_version = ${found?.user_version}`);
      });
    }
  };
}
