import { attemptStatements, attemptsLeft } from "../sql/attempts.ts";
import type { Connection } from "../sql/connection.ts";
import type { Attempt, AttemptStore, AttemptsLeft } from "../store.ts";

export function attempts(connection: Connection): AttemptStore {
  const { statement, read, write } = connection;
  const { find, count, forget } = attemptStatements(connection);
  // Skips locked rows, so that no transaction holds one row while it waits for another.
  const dropExpired = statement(
    `DELETE FROM attempts WHERE key IN (
       SELECT key FROM attempts WHERE window_ends_at <= :now ORDER BY window_ends_at LIMIT 100
       FOR UPDATE SKIP LOCKED
     )`,
  );

  /** Waits until concurrent failures of the key are counted, even if `failures` is 0. */
  async function settle(attempt: Attempt, failures: 0 | 1): Promise<AttemptsLeft> {
    for (;;) {
      const [counted] = await write(count({ ...attempt, failures }));
      if (counted !== undefined) {
        if (counted.count <= 1) await write(dropExpired(attempt));
        return { ...attemptsLeft(attempt, [counted]), admitted: true };
      }
      const full = await read(find(attempt));
      // There is no row if the failures have been forgotten in the meantime.
      if (full.length > 0) return { ...attemptsLeft(attempt, full), admitted: false, remaining: 0 };
    }
  }

  return {
    find: async (attempt) => attemptsLeft(attempt, await read(find(attempt))),
    findNext: (attempt) => settle(attempt, 0),
    count: (attempt) => settle(attempt, 1),
    async forget(key) {
      await write(forget({ key }));
    },
  };
}
