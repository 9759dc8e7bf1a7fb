import type { Attempt, AttemptStore, AttemptsLeft } from "../store.ts";
import type { Connection } from "./connection.ts";

type Counted = { count: number; window_ends_at: number };

/** A window has ended too if its end is too far away. Then the clock has been set back since its start. */
const hasEnded = "stored.window_ends_at NOT BETWEEN :now + 1 AND :now + 2 * :windowMs";

export function attempts({ query, command, read, readAfterWrites, write }: Connection): AttemptStore {
  const find = query<Counted>(
    `SELECT count, window_ends_at FROM attempts AS stored WHERE key = :key AND NOT (${hasEnded})`,
  );
  // Returns no row if the limit is reached.
  const count = query<Counted>(
    `INSERT INTO attempts AS stored (key, count, window_ends_at) VALUES (:key, 1, :now + :windowMs)
     ON CONFLICT (key) DO UPDATE SET
       count = CASE WHEN ${hasEnded} THEN 0 ELSE stored.count END + 1,
       window_ends_at = CASE WHEN ${hasEnded} THEN excluded.window_ends_at ELSE stored.window_ends_at END
     WHERE ${hasEnded} OR stored.count < :limit
     RETURNING count, window_ends_at`,
  );
  // Deletes at most 100 rows, because SQLite blocks the event loop.
  const dropExpired = command(
    "DELETE FROM attempts WHERE key IN (SELECT key FROM attempts WHERE window_ends_at <= :now LIMIT 100)",
  );
  const forget = command("DELETE FROM attempts WHERE key = :key");

  function look({ key, limit, windowMs, now }: Attempt): AttemptsLeft {
    const { count, window_ends_at } = find.get({ key, windowMs, now }) ?? {
      count: 0,
      window_ends_at: now + windowMs,
    };
    return { admitted: count < limit, remaining: Math.max(0, limit - count), window_ends_at };
  }

  return {
    find: (attempt) => read(() => look(attempt)),
    findNext: (attempt) => readAfterWrites(() => look(attempt)),
    count: (attempt) =>
      write(() => {
        const { key, limit, windowMs, now } = attempt;
        dropExpired({ now });
        const counted = count.get({ key, limit, windowMs, now });
        return counted === undefined
          ? look(attempt)
          : { admitted: true, remaining: limit - counted.count, window_ends_at: counted.window_ends_at };
      }),
    async forget(key) {
      await write(() => forget({ key }));
    },
  };
}
