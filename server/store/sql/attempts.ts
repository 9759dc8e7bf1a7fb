import type { Attempt, AttemptsLeft } from "../store.ts";
import type { Connection } from "./connection.ts";

type Counted = { count: number; window_ends_at: number };

const now = "CAST(:now AS bigint)";
const windowMs = "CAST(:windowMs AS bigint)";
/** A window has ended too if its end is too far away. Then the clock has been set back since its start. */
const hasEnded = `stored.window_ends_at NOT BETWEEN ${now} + 1 AND ${now} + 2 * ${windowMs}`;

export function attemptStatements({ statement }: Connection) {
  return {
    find: statement<Counted>(
      `SELECT count, window_ends_at FROM attempts AS stored WHERE key = :key AND NOT (${hasEnded})`,
    ),
    // Returns no row if the limit is reached. It is one statement, so that concurrent attempts cannot exceed the limit.
    count: statement<Counted>(
      `INSERT INTO attempts AS stored (key, count, window_ends_at) VALUES (:key, :failures, ${now} + ${windowMs})
       ON CONFLICT (key) DO UPDATE SET
         count = CASE WHEN ${hasEnded} THEN 0 ELSE stored.count END + :failures,
         window_ends_at = CASE WHEN ${hasEnded} THEN excluded.window_ends_at ELSE stored.window_ends_at END
       WHERE ${hasEnded} OR stored.count < :limit
       RETURNING count, window_ends_at`,
    ),
    forget: statement("DELETE FROM attempts WHERE key = :key"),
  };
}

/** @param found the window of the attempt's key, if it has one */
export function attemptsLeft({ limit, windowMs, now }: Attempt, [found]: readonly Counted[]): AttemptsLeft {
  const { count, window_ends_at } = found ?? { count: 0, window_ends_at: now + windowMs };
  return { admitted: count < limit, remaining: Math.max(0, limit - count), window_ends_at };
}
