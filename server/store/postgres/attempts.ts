import type { Attempt, AttemptStore, AttemptsLeft } from "../store.ts";
import type { Connection } from "./connection.ts";

type Counted = { count: number; window_ends_at: number };

/** A window has ended too if its end is too far away. Then the clock has been set back since its start. */
const hasEnded = "stored.window_ends_at NOT BETWEEN $2::bigint + 1 AND $2::bigint + 2 * $3::bigint";

export function attempts({ read, write }: Connection): AttemptStore {
  const find = read<Counted>(
    `SELECT count, window_ends_at FROM attempts AS stored WHERE key = $1 AND NOT (${hasEnded})`,
  );
  // Returns no row if the limit is reached. It is one statement, so that concurrent attempts cannot exceed the limit.
  const count = write<Counted>(
    `INSERT INTO attempts AS stored (key, count, window_ends_at) VALUES ($1, $5, $2::bigint + $3::bigint)
     ON CONFLICT (key) DO UPDATE SET
       count = CASE WHEN ${hasEnded} THEN 0 ELSE stored.count END + $5,
       window_ends_at = CASE WHEN ${hasEnded} THEN excluded.window_ends_at ELSE stored.window_ends_at END
     WHERE ${hasEnded} OR stored.count < $4
     RETURNING count, window_ends_at`,
  );
  // Skips locked rows, so that no transaction holds one row while it waits for another.
  const dropExpired = write(
    `DELETE FROM attempts WHERE key IN (
       SELECT key FROM attempts WHERE window_ends_at <= $1 ORDER BY window_ends_at LIMIT 100
       FOR UPDATE SKIP LOCKED
     )`,
  );
  const forget = write("DELETE FROM attempts WHERE key = $1");

  /** Waits until concurrent failures of the key are counted, even if `failures` is 0. */
  async function settle({ key, limit, windowMs, now }: Attempt, failures: 0 | 1): Promise<AttemptsLeft> {
    for (;;) {
      const [counted] = await count(key, now, windowMs, limit, failures);
      if (counted !== undefined) {
        if (counted.count <= 1) await dropExpired(now);
        const remaining = limit - counted.count;
        return { admitted: true, remaining, window_ends_at: counted.window_ends_at };
      }
      const [full] = await find(key, now, windowMs);
      // There is no row if the failures have been forgotten in the meantime.
      if (full !== undefined) {
        return { admitted: false, remaining: 0, window_ends_at: full.window_ends_at };
      }
    }
  }

  return {
    async find({ key, limit, windowMs, now }) {
      const [found] = await find(key, now, windowMs);
      const { count, window_ends_at } = found ?? { count: 0, window_ends_at: now + windowMs };
      return { admitted: count < limit, remaining: Math.max(0, limit - count), window_ends_at };
    },
    findNext: (attempt) => settle(attempt, 0),
    count: (attempt) => settle(attempt, 1),
    async forget(key) {
      await forget(key);
    },
  };
}
