/** Counted attempts in SQLite, one row for each key. */
import type { AttemptStore } from "../store.ts";
import type { Connection } from "./connection.ts";

/** Also where the window ends so far away that the clock has been set back since it began. */
const hasEnded = "kept.window_ends_at NOT BETWEEN :now + 1 AND :now + 2 * :windowMs";

export function attempts({ query, command, write }: Connection): AttemptStore {
  // No row: the limit is reached.
  const count = query<{ count: number; window_ends_at: number }>(
    `INSERT INTO attempts AS kept (key, count, window_ends_at) VALUES (:key, 1, :now + :windowMs)
     ON CONFLICT (key) DO UPDATE SET
       count = CASE WHEN ${hasEnded} THEN 1 ELSE kept.count + 1 END,
       window_ends_at = CASE WHEN ${hasEnded} THEN excluded.window_ends_at ELSE kept.window_ends_at END
     WHERE ${hasEnded} OR kept.count < :limit
     RETURNING count, window_ends_at`,
  );
  const windowEnd = query<{ window_ends_at: number }>("SELECT window_ends_at FROM attempts WHERE key = :key");
  // At most so many at a time: nothing else is answered meanwhile.
  const dropExpired = command(
    "DELETE FROM attempts WHERE key IN (SELECT key FROM attempts WHERE window_ends_at <= :now LIMIT 100)",
  );
  const takeBack = command("UPDATE attempts SET count = count - 1 WHERE key = :key AND count > 0");
  const forget = command("DELETE FROM attempts WHERE key = :key");

  return {
    count: ({ key, limit, windowMs, now }) =>
      write(() => {
        dropExpired({ now });
        const counted = count.get({ key, limit, windowMs, now });
        const window = counted ?? windowEnd.get({ key });
        if (window === undefined) throw new Error("INSERT … RETURNING answered no row for a new key.");
        return {
          admitted: counted !== undefined,
          remaining: counted === undefined ? 0 : limit - counted.count,
          window_ends_at: window.window_ends_at,
        };
      }),
    async takeBack(key) {
      await write(() => takeBack({ key }));
    },
    async forget(key) {
      await write(() => forget({ key }));
    },
  };
}
