/** Sessions in SQLite: one row for each user and device. */
import type { Session, SessionStore } from "../store.ts";
import type { Connection } from "./connection.ts";

export function sessions({ query, command, read, write }: Connection): SessionStore {
  const upsert = command(
    `INSERT INTO sessions (user_id, uuid, auth_hash, refresh_hash, auth_expires_at, refresh_expires_at, created_at)
     SELECT :user_id, :uuid, :auth_hash, :refresh_hash, :auth_expires_at, :refresh_expires_at, :created_at
     FROM users WHERE id = :user_id AND credential_version = :credential_version
     ON CONFLICT (user_id, uuid) DO UPDATE SET
       auth_hash = excluded.auth_hash,
       refresh_hash = excluded.refresh_hash,
       auth_expires_at = excluded.auth_expires_at,
       refresh_expires_at = excluded.refresh_expires_at,
       created_at = excluded.created_at`,
  );
  // The caller chooses the uuid, so without this a user could make the table grow for ever.
  const dropExpired = command("DELETE FROM sessions WHERE user_id = :user_id AND refresh_expires_at <= :now");
  const byDevice = query<{ user_id: string }>(
    `SELECT user_id FROM sessions JOIN users ON users.id = user_id
     WHERE tenant_id = :tenant_id AND type = :type AND dial_code = :dial_code AND mobile = :mobile AND uuid = :uuid`,
  );
  const byAuthHash = query<Session>(
    `SELECT user_id, uuid, auth_hash, refresh_hash, auth_expires_at, refresh_expires_at, created_at
     FROM sessions WHERE auth_hash = :auth_hash`,
  );

  return {
    replace: (session, credential_version) =>
      write(() => {
        dropExpired({ user_id: session.user_id, now: session.created_at });
        return upsert({ ...session, credential_version }) === 1;
      }),
    hasDevice: ({ tenant_id, type, dial_code, mobile }, uuid) =>
      read(() => byDevice.get({ tenant_id, type, dial_code, mobile, uuid }) !== undefined),
    findByAuthHash: (auth_hash) => read(() => byAuthHash.get({ auth_hash })),
  };
}
