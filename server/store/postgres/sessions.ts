/**
 * Sessions in PostgreSQL: one row for each user and device. The device's name is the caller's own text, which may hold
 * U+0000 and is therefore kept as its UTF-8 bytes.
 */
import type { Session, SessionStore } from "../store.ts";
import type { Connection } from "./connection.ts";

type SessionRow = Omit<Session, "uuid"> & { uuid: Buffer };

export function sessions({ read, write }: Connection): SessionStore {
  // The user's row is held first (users.ts says why). The caller chooses the uuid, so without dropping what has expired
  // a user could make the table grow for ever. Rows that another login has locked are left to it: waiting for them could
  // be waiting for each other.
  const replace = write(
    `WITH account AS (
       SELECT id FROM users WHERE id = $1 AND credential_version = $8 FOR SHARE
     ), dropped AS (
       DELETE FROM sessions WHERE (user_id, uuid) IN (
         SELECT user_id, uuid FROM account JOIN sessions ON user_id = account.id
         WHERE uuid <> $2 AND refresh_expires_at <= $7
         FOR UPDATE OF sessions SKIP LOCKED
       )
     )
     INSERT INTO sessions (user_id, uuid, auth_hash, refresh_hash, auth_expires_at, refresh_expires_at, created_at)
     SELECT account.id, $2, $3, $4, $5::bigint, $6::bigint, $7::bigint FROM account
     ON CONFLICT (user_id, uuid) DO UPDATE SET
       auth_hash = excluded.auth_hash,
       refresh_hash = excluded.refresh_hash,
       auth_expires_at = excluded.auth_expires_at,
       refresh_expires_at = excluded.refresh_expires_at,
       created_at = excluded.created_at
     RETURNING user_id`,
  );
  const byDevice = read(
    `SELECT user_id FROM sessions JOIN users ON users.id = user_id
     WHERE tenant_id = $1 AND type = $2 AND dial_code = $3 AND mobile = $4 AND uuid = $5`,
  );
  const byAuthHash = read<SessionRow>(
    `SELECT user_id, uuid, auth_hash, refresh_hash, auth_expires_at, refresh_expires_at, created_at
     FROM sessions WHERE auth_hash = $1`,
  );

  return {
    async replace(session, credential_version) {
      const replaced = await replace(
        session.user_id,
        Buffer.from(session.uuid, "utf8"),
        session.auth_hash,
        session.refresh_hash,
        session.auth_expires_at,
        session.refresh_expires_at,
        session.created_at,
        credential_version,
      );
      return replaced.length === 1;
    },
    async hasDevice({ tenant_id, type, dial_code, mobile }, uuid) {
      // As in users.ts: no account has a name with U+0000 in it.
      if (type.includes("\0")) return false;
      const found = await byDevice(tenant_id, type, dial_code, mobile, Buffer.from(uuid, "utf8"));
      return found.length === 1;
    },
    async findByAuthHash(auth_hash) {
      const [row] = await byAuthHash(auth_hash);
      return row && { ...row, uuid: row.uuid.toString("utf8") };
    },
  };
}
