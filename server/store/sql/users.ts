import { DuplicateUserError, type LoginName, type User, type UserStore } from "../store.ts";
import type { Connection, Parameters } from "./connection.ts";
import { totpSecrets } from "./totp-secrets.ts";

const columns = `id, tenant_id, type, dial_code, mobile, password_hash, first_name, last_name, email, profile_pic,
  email_verified, totp_secret, totp_key_id, credential_version`;

/** Returns no row if the user already exists. */
export const userInsertion = `INSERT INTO users
  (id, tenant_id, type, dial_code, mobile, password_hash, first_name, last_name, email, profile_pic, email_verified,
   totp_secret, totp_key_id)
  VALUES (:id, :tenant_id, :type, :dial_code, :mobile, :password_hash, :first_name, :last_name, :email, :profile_pic,
    :email_verified, :totp_secret, :totp_key_id)
  ON CONFLICT (tenant_id, type, dial_code, mobile) DO NOTHING
  RETURNING id`;

export function users(connection: Connection): UserStore {
  const { statement, read, write, transaction, lockFor } = connection;
  const insert = statement(userInsertion);
  const ofTenant = statement<User>(
    `SELECT ${columns} FROM users WHERE tenant_id = :tenant_id ORDER BY dial_code, mobile, type`,
  );
  const byId = statement<User>(`SELECT ${columns} FROM users WHERE id = :id`);
  const byLogin = statement<User>(
    `SELECT ${columns} FROM users
     WHERE tenant_id = :tenant_id AND type = :type AND dial_code = :dial_code AND mobile = :mobile`,
  );
  const rehash = statement("UPDATE users SET password_hash = :to WHERE id = :id AND password_hash = :from");
  const setPassword = statement(
    `UPDATE users SET password_hash = :password_hash, credential_version = credential_version + 1
     WHERE id = :id RETURNING id`,
  );
  const setTotp = statement(
    `UPDATE users SET totp_secret = :totp_secret, totp_key_id = :totp_key_id,
       credential_version = credential_version + 1
     WHERE id = :id RETURNING id`,
  );
  const lock = statement(`SELECT id FROM users WHERE id = :id ${lockFor("UPDATE")}`);
  const endSessions = statement("DELETE FROM sessions WHERE user_id = :id");
  const remove = statement("DELETE FROM users WHERE id = :id");

  /**
   * Changes or locks the user, then removes the sessions. A simultaneous login locks the user's row, so its session is
   * either removed here or not made.
   */
  function change(first: typeof lock, parameters: Parameters, last?: typeof remove): Promise<boolean> {
    return transaction(function* () {
      const changed = yield* first(parameters);
      yield* endSessions(parameters);
      if (last !== undefined) yield* last(parameters);
      return changed.length === 1;
    });
  }

  return {
    ...totpSecrets(connection),
    async create(user) {
      if ((await write(insert(user))).length === 0) throw new DuplicateUserError();
    },
    list: (tenant_id) => read(ofTenant({ tenant_id })),
    find: async (id) => (await read(byId({ id })))[0],
    findByLogin: async (name) => (canExist(name) ? (await read(byLogin(name)))[0] : undefined),
    async rehashPassword(id, from, to) {
      await write(rehash({ id, from, to }));
    },
    setPassword: (id, password_hash) => change(setPassword, { id, password_hash }),
    setTotp: (id, totp) => change(setTotp, { id, ...(totp ?? { totp_secret: null, totp_key_id: null }) }),
    remove: (id) => change(lock, { id }, remove),
  };
}

/** PostgreSQL rejects text with U+0000 and the command line rejects such a login name, so no account has one. */
export function canExist({ type, dial_code, mobile }: LoginName): boolean {
  return ![type, dial_code, mobile].some((text) => text.includes("\0"));
}
