/** The caller chooses the uuid of the device. It is stored as bytes, because it may contain U+0000. */
import type { Session, SessionStore } from "../store.ts";
import type { Connection, Value } from "./connection.ts";

const upsert = `
  INSERT INTO sessions
    (user_id, uuid, address_key, auth_hash, refresh_hash, auth_expires_at, refresh_expires_at, created_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
  ON CONFLICT (user_id, uuid) DO UPDATE SET
    address_key = excluded.address_key,
    auth_hash = excluded.auth_hash,
    refresh_hash = excluded.refresh_hash,
    auth_expires_at = excluded.auth_expires_at,
    refresh_expires_at = excluded.refresh_expires_at,
    created_at = excluded.created_at`;

// The caller chooses the uuid, so without a limit a user could make the table grow endlessly. Sessions that begin in
// the future are removed first, because a wrong clock made them. store.ts defines which sessions count as expired.
// One statement removes at most a thousand rows, so that it ends before its timeout.
const makeRoom = `
  DELETE FROM sessions WHERE user_id = $1 AND uuid IN (
    SELECT uuid FROM (
      SELECT uuid, is_live, row_number() OVER (ORDER BY is_live DESC, created_at > $3, created_at DESC) AS place
      FROM (
        SELECT uuid, created_at,
          refresh_expires_at > $3 AND created_at - $3 <= refresh_expires_at - created_at AS is_live
        FROM sessions WHERE user_id = $1 AND uuid <> $2
      ) AS others
    ) AS ranked WHERE NOT is_live OR place >= $4 LIMIT 1000
  )`;

type SessionRow = Omit<Session, "uuid"> & { uuid: Buffer };

export function sessions({ read, transaction }: Connection): SessionStore {
  const byDevice = read(
    `SELECT user_id FROM sessions JOIN users ON users.id = user_id
     WHERE tenant_id = $1 AND type = $2 AND dial_code = $3 AND mobile = $4 AND uuid = $5`,
  );
  const byAddress = read<{ user_id: string }>(
    `SELECT user_id FROM sessions
     WHERE address_key = $1 AND created_at > $2 AND created_at <= $3 ORDER BY created_at LIMIT 1`,
  );
  const byAuthHash = read<SessionRow>(
    `SELECT user_id, uuid, address_key, auth_hash, refresh_hash, auth_expires_at, refresh_expires_at, created_at
     FROM sessions WHERE auth_hash = $1`,
  );

  return {
    replace: (session, credential_version, most) =>
      transaction(async (run) => {
        const { user_id, created_at: now } = session;
        const uuid = Buffer.from(session.uuid, "utf8");
        // Locks the user's row first (see users.ts), so that concurrent logins count each other's sessions.
        const account = await run(
          "SELECT id FROM users WHERE id = $1 AND credential_version = $2 FOR NO KEY UPDATE",
          user_id,
          credential_version,
        );
        if (account.length === 0) return false;
        await run(makeRoom, user_id, uuid, now, most);
        await run(upsert, user_id, uuid, session.address_key, ...keysAndTimes(session));
        return true;
      }),
    async hasDevice({ tenant_id, type, dial_code, mobile }, uuid) {
      // As in users.ts, no login name of an account contains U+0000.
      if (type.includes("\0")) return false;
      const found = await byDevice(tenant_id, type, dial_code, mobile, Buffer.from(uuid, "utf8"));
      return found.length === 1;
    },
    async findUserByAddress(address_key, { after, until }) {
      const [found] = await byAddress(address_key, after, until);
      return found?.user_id;
    },
    async findByAuthHash(auth_hash) {
      const [row] = await byAuthHash(auth_hash);
      return row && { ...row, uuid: row.uuid.toString("utf8") };
    },
  };
}

function keysAndTimes(session: Session): Value[] {
  const { auth_hash, refresh_hash, auth_expires_at, refresh_expires_at, created_at } = session;
  return [auth_hash, refresh_hash, auth_expires_at, refresh_expires_at, created_at];
}
