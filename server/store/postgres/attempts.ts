/** Counted attempts in PostgreSQL, one row for each key. */
import type { AttemptStore } from "../store.ts";
import type { Connection } from "./connection.ts";

/** Also where the window ends so far away that the clock has been set back since it began. */
const hasEnded = "kept.window_ends_at NOT BETWEEN $2::bigint + 1 AND $2::bigint + 2 * $3::bigint";

export function attempts({ read, write }: Connection): AttemptStore {
  // No row: the limit is reached. One statement, so that many at once cannot slip through.
  const count = write<{ count: number; window_ends_at: number }>(
    `INSERT INTO attempts AS kept (key, count, window_ends_at) VALUES ($1, 1, $2::bigint + $3::bigint)
     ON CONFLICT (key) DO UPDATE SET
       count = CASE WHEN ${hasEnded} THEN 1 ELSE kept.count + 1 END,
       window_ends_at = CASE WHEN ${hasEnded} THEN excluded.window_ends_at ELSE kept.window_ends_at END
     WHERE ${hasEnded} OR kept.count < $4
     RETURNING count, window_ends_at`,
  );
  const windowEnd = read<{ window_ends_at: number }>("SELECT window_ends_at FROM attempts WHERE key = $1");
  // Rows that someone else has locked are left to a later call, so that nobody waits for two rows at once.
  const dropExpired = write(
    `DELETE FROM attempts WHERE key IN (
       SELECT key FROM attempts WHERE window_ends_at <= $1 ORDER BY window_ends_at LIMIT 100
       FOR UPDATE SKIP LOCKED
     )`,
  );
  const takeBack = write("UPDATE attempts SET count = count - 1 WHERE key = $1 AND count > 0");
  const forget = write("DELETE FROM attempts WHERE key = $1");

  return {
    async count({ key, limit, windowMs, now }) {
      for (;;) {
        const [counted] = await count(key, now, windowMs, limit);
        if (counted !== undefined) {
          if (counted.count === 1) await dropExpired(now);
          const remaining = limit - counted.count;
          return { admitted: true, remaining, window_ends_at: counted.window_ends_at };
        }
        const [full] = await windowEnd(key);
        // Gone: what was counted has been forgotten in between.
        if (full !== undefined) {
          return { admitted: false, remaining: 0, window_ends_at: full.window_ends_at };
        }
      }
    },
    async takeBack(key) {
      await takeBack(key);
    },
    async forget(key) {
      await forget(key);
    },
  };
}
