/**
 * Sessions in PostgreSQL: one row for each user and device. The device's name is the caller's own text, which may hold
 * U+0000 and is therefore kept as its UTF-8 bytes.
 */
import type { Session, SessionStore } from "../store.ts";
import type { Connection } from "./connection.ts";

type SessionRow = Omit<Session, "uuid"> & { uuid: Buffer };

export function sessions({ read, write }: Connection): SessionStore {
  // The caller chooses the uuid, so without dropping what has expired a user could make the table grow for ever. Rows
  // that another login has locked are left to it: waiting for them could be waiting for each other.
  const replace = write(
    `WITH dropped AS (
       DELETE FROM sessions WHERE (user_id, uuid) IN (
         SELECT user_id, uuid FROM sessions
         WHERE user_id = $1 AND uuid <> $2 AND refresh_expires_at <= $7
         FOR UPDATE SKIP LOCKED
       )
     )
     INSERT INTO sessions (user_id, uuid, auth_hash, refresh_hash, auth_expires_at, refresh_expires_at, created_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7)
     ON CONFLICT (user_id, uuid) DO UPDATE SET
       auth_hash = excluded.auth_hash,
       refresh_hash = excluded.refresh_hash,
       auth_expires_at = excluded.auth_expires_at,
       refresh_expires_at = excluded.refresh_expires_at,
       created_at = excluded.created_at`,
  );
  const byAuthHash = read<SessionRow>(
    `SELECT user_id, uuid, auth_hash, refresh_hash, auth_expires_at, refresh_expires_at, created_at
     FROM sessions WHERE auth_hash = $1`,
  );

  return {
    async replace(session) {
      await replace(
        session.user_id,
        Buffer.from(session.uuid, "utf8"),
        session.auth_hash,
        session.refresh_hash,
        session.auth_expires_at,
        session.refresh_expires_at,
        session.created_at,
      );
    },
    async findByAuthHash(auth_hash) {
      const [row] = await byAuthHash(auth_hash);
      return row && { ...row, uuid: row.uuid.toString("utf8") };
    },
  };
}
