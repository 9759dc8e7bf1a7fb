/** Sessions in SQLite: one row for each user and device. */
import type { Session, SessionStore } from "../store.ts";
import type { Connection } from "./connection.ts";

export function sessions({ query, command, read, write }: Connection): SessionStore {
  const upsert = command(
    `INSERT INTO sessions (user_id, uuid, auth_hash, refresh_hash, auth_expires_at, refresh_expires_at, created_at)
     VALUES (:user_id, :uuid, :auth_hash, :refresh_hash, :auth_expires_at, :refresh_expires_at, :created_at)
     ON CONFLICT (user_id, uuid) DO UPDATE SET
       auth_hash = excluded.auth_hash,
       refresh_hash = excluded.refresh_hash,
       auth_expires_at = excluded.auth_expires_at,
       refresh_expires_at = excluded.refresh_expires_at,
       created_at = excluded.created_at`,
  );
  // The caller chooses the uuid, so without this a user could make the table grow for ever.
  const dropExpired = command("DELETE FROM sessions WHERE user_id = :user_id AND refresh_expires_at <= :now");
  const byAuthHash = query<Session>(
    `SELECT user_id, uuid, auth_hash, refresh_hash, auth_expires_at, refresh_expires_at, created_at
     FROM sessions WHERE auth_hash = :auth_hash`,
  );

  return {
    async replace(session) {
      await write(() => {
        dropExpired({ user_id: session.user_id, now: session.created_at });
        upsert(session);
      });
    },
    findByAuthHash: (auth_hash) => read(() => byAuthHash.get({ auth_hash })),
  };
}
