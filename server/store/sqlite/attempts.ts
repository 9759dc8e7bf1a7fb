import { attemptStatements, attemptsLeft } from "../sql/attempts.ts";
import type { AttemptStore } from "../store.ts";
import type { SqliteConnection } from "./connection.ts";

export function attempts(connection: SqliteConnection): AttemptStore {
  const { statement, read, readAfterWrites, write, transaction } = connection;
  const { find, count, forget } = attemptStatements(connection);
  // Deletes at most 100 rows, because SQLite blocks the event loop.
  const dropExpired = statement(
    "DELETE FROM attempts WHERE key IN (SELECT key FROM attempts WHERE window_ends_at <= :now LIMIT 100)",
  );

  return {
    find: async (attempt) => attemptsLeft(attempt, await read(find(attempt))),
    findNext: (attempt) =>
      readAfterWrites(function* () {
        return attemptsLeft(attempt, yield* find(attempt));
      }),
    count: (attempt) =>
      transaction(function* () {
        yield* dropExpired(attempt);
        const [counted] = yield* count({ ...attempt, failures: 1 });
        if (counted === undefined) return attemptsLeft(attempt, yield* find(attempt));
        return { ...attemptsLeft(attempt, [counted]), admitted: true };
      }),
    async forget(key) {
      await write(forget({ key }));
    },
  };
}
