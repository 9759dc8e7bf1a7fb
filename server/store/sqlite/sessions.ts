import type { Session, SessionStore } from "../store.ts";
import type { Connection } from "./connection.ts";

export function sessions({ query, command, read, write }: Connection): SessionStore {
  const account = query<{ id: string }>(
    "SELECT id FROM users WHERE id = :user_id AND credential_version = :credential_version",
  );
  const upsert = command(
    `INSERT INTO sessions
       (user_id, uuid, address_key, auth_hash, refresh_hash, auth_expires_at, refresh_expires_at, created_at)
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
  // The caller chooses the uuid, so without a limit a user could make the table grow endlessly. Sessions that begin in
  // the future are removed first, because a wrong clock made them. store.ts defines which sessions count as expired.
  // One statement removes at most a thousand rows, because SQLite blocks the event loop.
  const makeRoom = command(
    `DELETE FROM sessions WHERE user_id = :user_id AND uuid IN (
       SELECT uuid FROM (
         SELECT uuid, is_live, row_number() OVER (ORDER BY is_live DESC, created_at > :now, created_at DESC) AS place
         FROM (
           SELECT uuid, created_at,
             refresh_expires_at > :now AND created_at - :now <= refresh_expires_at - created_at AS is_live
           FROM sessions WHERE user_id = :user_id AND uuid <> :uuid
         )
       ) WHERE NOT is_live OR place >= :most LIMIT 1000
     )`,
  );
  const byDevice = query<{ user_id: string }>(
    `SELECT user_id FROM sessions JOIN users ON users.id = user_id
     WHERE tenant_id = :tenant_id AND type = :type AND dial_code = :dial_code AND mobile = :mobile AND uuid = :uuid`,
  );
  const byAddress = query<{ user_id: string }>(
    `SELECT user_id FROM sessions
     WHERE address_key = :address_key AND created_at > :after AND created_at <= :until ORDER BY created_at LIMIT 1`,
  );
  const byAuthHash = query<Session>(
    `SELECT user_id, uuid, address_key, auth_hash, refresh_hash, auth_expires_at, refresh_expires_at, created_at
     FROM sessions WHERE auth_hash = :auth_hash`,
  );

  return {
    replace: (session, credential_version, most) =>
      write(() => {
        const { user_id, uuid, created_at: now } = session;
        if (account.get({ user_id, credential_version }) === undefined) return false;
        makeRoom({ user_id, uuid, now, most });
        return upsert({ ...session }) === 1;
      }),
    hasDevice: ({ tenant_id, type, dial_code, mobile }, uuid) =>
      read(() => byDevice.get({ tenant_id, type, dial_code, mobile, uuid }) !== undefined),
    findUserByAddress: (address_key, { after, until }) =>
      read(() => byAddress.get({ address_key, after, until })?.user_id),
    findByAuthHash: (auth_hash) => read(() => byAuthHash.get({ auth_hash })),
  };
}
