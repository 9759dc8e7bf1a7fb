import { DuplicateUserError, type NewUser, type Totp, type User, type UserStore } from "../store.ts";
import type { Connection } from "./connection.ts";
import { isDuplicate } from "./driver-errors.ts";

/** A user as SQLite stores it, which has no booleans. */
type UserRow = Omit<User, "email_verified"> & { email_verified: number };

const columns = `id, tenant_id, type, dial_code, mobile, password_hash, first_name, last_name, email, profile_pic,
  email_verified, totp_secret, totp_key_id, credential_version`;

/** Reads an index that contains only users with MFA. */
export const totpKeyCounts = `SELECT totp_key_id, count(*) AS users FROM users WHERE totp_secret IS NOT NULL
  GROUP BY totp_key_id ORDER BY totp_key_id`;

/** Reads the ranges before and after the key, because `IS NOT :totp_key_id` would read the whole index. */
export const totpOfOtherKeys = ["IS NULL", "< :totp_key_id", "> :totp_key_id"]
  .map(
    (others) => `SELECT id, totp_secret, totp_key_id FROM users
      WHERE totp_secret IS NOT NULL AND totp_key_id ${others}`,
  )
  .join(" UNION ALL ")
  .concat(" LIMIT :limit");

/** Call this inside a write. @throws DuplicateUserError */
export function userInsertion({ command }: Connection): (user: NewUser) => void {
  const insert = command(
    `INSERT INTO users (id, tenant_id, type, dial_code, mobile, password_hash, first_name, last_name, email,
       profile_pic, email_verified, totp_secret, totp_key_id)
     VALUES (:id, :tenant_id, :type, :dial_code, :mobile, :password_hash, :first_name, :last_name, :email,
       :profile_pic, :email_verified, :totp_secret, :totp_key_id)`,
  );
  return (user) => {
    try {
      insert({ ...user, email_verified: Number(user.email_verified) });
    } catch (error) {
      throw isDuplicate(error) ? new DuplicateUserError(error) : error;
    }
  };
}

export function users(connection: Connection): UserStore {
  const { query, command, read, write } = connection;
  const insert = userInsertion(connection);
  const ofTenant = query<UserRow>(
    `SELECT ${columns} FROM users WHERE tenant_id = :tenant_id ORDER BY dial_code, mobile, type`,
  );
  const byId = query<UserRow>(`SELECT ${columns} FROM users WHERE id = :id`);
  const byLogin = query<UserRow>(
    `SELECT ${columns} FROM users
     WHERE tenant_id = :tenant_id AND type = :type AND dial_code = :dial_code AND mobile = :mobile`,
  );
  // One conditional UPDATE, so that two logins cannot use the same step.
  const consumeStep = command(
    `UPDATE users SET totp_last_step = :step
     WHERE id = :user_id AND (totp_last_step IS NULL OR totp_last_step < :step)`,
  );
  const lowerStep = command(
    "UPDATE users SET totp_last_step = :last WHERE id = :user_id AND totp_last_step > :beyond",
  );
  const rehash = command("UPDATE users SET password_hash = :to WHERE id = :id AND password_hash = :from");
  const setPassword = command(
    `UPDATE users SET password_hash = :password_hash, credential_version = credential_version + 1
     WHERE id = :id`,
  );
  const setTotp = command(
    `UPDATE users SET totp_secret = :totp_secret, totp_key_id = :totp_key_id,
       credential_version = credential_version + 1
     WHERE id = :id`,
  );
  const endSessions = command("DELETE FROM sessions WHERE user_id = :id");
  const remove = command("DELETE FROM users WHERE id = :id");
  const totpKeys = query<{ totp_key_id: string | null; users: number }>(totpKeyCounts);
  const totpNotUnder = query<{ id: string } & Totp>(totpOfOtherKeys);
  const reencrypt = command(
    "UPDATE users SET totp_secret = :totp_secret, totp_key_id = :totp_key_id WHERE id = :id AND totp_secret = :from",
  );

  return {
    create: (user) => write(() => insert(user)),
    list: (tenant_id) => read(() => ofTenant.all({ tenant_id }).map((row) => fromRow(row))),
    find: (id) => read(() => fromRow(byId.get({ id }))),
    findByLogin: ({ tenant_id, type, dial_code, mobile }) =>
      read(() => fromRow(byLogin.get({ tenant_id, type, dial_code, mobile }))),
    consumeTotpStep: (user_id, step) => write(() => consumeStep({ user_id, step }) === 1),
    async lowerTotpStep(user_id, { beyond, last }) {
      await write(() => lowerStep({ user_id, beyond, last }));
    },
    async rehashPassword(id, from, to) {
      await write(() => rehash({ id, from, to }));
    },
    setPassword: (id, password_hash) =>
      write(() => {
        endSessions({ id });
        return setPassword({ id, password_hash }) === 1;
      }),
    setTotp: (id, totp) =>
      write(() => {
        endSessions({ id });
        return setTotp({ id, ...(totp ?? { totp_secret: null, totp_key_id: null }) }) === 1;
      }),
    remove: (id) =>
      write(() => {
        endSessions({ id });
        return remove({ id }) === 1;
      }),
    countTotpKeys: () => read(() => totpKeys.all({})),
    listTotpNotUnder: (totp_key_id, limit) => read(() => totpNotUnder.all({ totp_key_id, limit })),
    async reencryptTotp(id, from, { totp_secret, totp_key_id }) {
      await write(() => reencrypt({ id, from, totp_secret, totp_key_id }));
    },
  };
}

function fromRow(row: UserRow): User;
function fromRow(row: UserRow | undefined): User | undefined;
function fromRow(row: UserRow | undefined): User | undefined {
  return row && { ...row, email_verified: row.email_verified === 1 };
}
