import type { Session, SessionStore } from "../store.ts";
import type { Connection } from "./connection.ts";
import { canExist } from "./users.ts";

const columns =
  "user_id, uuid, address_key, auth_hash, refresh_hash, auth_expires_at, refresh_expires_at, created_at";

// The caller chooses the uuid, so without a limit a user could make the table grow endlessly. Sessions that begin in
// the future are removed first, because a wrong clock made them. store.ts defines which sessions count as expired.
// One statement removes at most a thousand rows, so that it ends before its timeout and does not block SQLite for long.
const roomMaking = `DELETE FROM sessions WHERE user_id = :user_id AND uuid IN (
    SELECT uuid FROM (
      SELECT uuid, is_live, row_number() OVER (ORDER BY is_live DESC, created_at > :now, created_at DESC) AS place
      FROM (
        SELECT uuid, created_at,
          refresh_expires_at > :now AND created_at - :now <= refresh_expires_at - created_at AS is_live
        FROM sessions WHERE user_id = :user_id AND uuid <> :uuid
      ) AS others
    ) AS ranked WHERE NOT is_live OR place >= :most LIMIT 1000
  )`;

export function sessions({ statement, read, transaction, lockFor }: Connection): SessionStore {
  // Locks the user's row first (see users.ts), so that concurrent logins count each other's sessions.
  const account = statement<{ id: string }>(
    `SELECT id FROM users WHERE id = :user_id AND credential_version = :credential_version ${lockFor("NO KEY UPDATE")}`,
  );
  const makeRoom = statement(roomMaking);
  const upsert = statement(
    `INSERT INTO sessions (${columns})
     VALUES
       (:user_id, :uuid, :address_key, :auth_hash, :refresh_hash, :auth_expires_at, :refresh_expires_at, :created_at)
     ON CONFLICT (user_id, uuid) DO UPDATE SET
       address_key = excluded.address_key,
       auth_hash = excluded.auth_hash,
       refresh_hash = excluded.refresh_hash,
       auth_expires_at = excluded.auth_expires_at,
       refresh_expires_at = excluded.refresh_expires_at,
       created_at = excluded.created_at`,
  );
  const byDevice = statement(
    `SELECT user_id FROM sessions JOIN users ON users.id = user_id
     WHERE tenant_id = :tenant_id AND type = :type AND dial_code = :dial_code AND mobile = :mobile AND uuid = :uuid`,
  );
  const byAddress = statement<{ user_id: string }>(
    `SELECT user_id FROM sessions
     WHERE address_key = :address_key AND created_at > :after AND created_at <= :until ORDER BY created_at LIMIT 1`,
  );
  const byAuthHash = statement<Session>(`SELECT ${columns} FROM sessions WHERE auth_hash = :auth_hash`);

  return {
    replace: (session, credential_version, most) =>
      transaction(function* () {
        const { user_id, uuid, created_at: now } = session;
        if ((yield* account({ user_id, credential_version })).length === 0) return false;
        yield* makeRoom({ user_id, uuid, now, most });
        yield* upsert(session);
        return true;
      }),
    hasDevice: async (name, uuid) => canExist(name) && (await read(byDevice({ ...name, uuid }))).length === 1,
    findUserByAddress: async (address_key, period) =>
      (await read(byAddress({ address_key, ...period })))[0]?.user_id,
    findByAuthHash: async (auth_hash) => (await read(byAuthHash({ auth_hash })))[0],
  };
}
