import { DuplicateUserError, type NewUser, type Totp, type User, type UserStore } from "../store.ts";
import type { Connection, Value } from "./connection.ts";

const columns = `id, tenant_id, type, dial_code, mobile, password_hash, first_name, last_name, email, profile_pic,
  email_verified, totp_secret, totp_key_id, credential_version`;

/** Returns no row if the user already exists. */
export const userInsertion = {
  sql: `INSERT INTO users (id, tenant_id, type, dial_code, mobile, password_hash, first_name, last_name, email,
      profile_pic, email_verified, totp_secret, totp_key_id)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
    ON CONFLICT (tenant_id, type, dial_code, mobile) DO NOTHING
    RETURNING id`,
  values: (user: NewUser): Value[] => [
    user.id,
    user.tenant_id,
    user.type,
    user.dial_code,
    user.mobile,
    user.password_hash,
    user.first_name,
    user.last_name,
    user.email,
    user.profile_pic,
    user.email_verified,
    user.totp_secret,
    user.totp_key_id,
  ],
};

/** Reads an index that contains only users with MFA. */
export const totpKeyCounts = `SELECT totp_key_id, count(*) AS users FROM users WHERE totp_secret IS NOT NULL
  GROUP BY totp_key_id ORDER BY totp_key_id NULLS FIRST`;

/**
 * Reads the ranges before and after the key, because `IS DISTINCT FROM $1` would read the whole index. Each range
 * has its own order and limit, so that outdated statistics cannot cause a table scan.
 */
export const totpOfOtherKeys = ["IS NULL", "< $1", "> $1"]
  .map(
    (others) => `(SELECT id, totp_secret, totp_key_id FROM users
      WHERE totp_secret IS NOT NULL AND totp_key_id ${others} ORDER BY totp_key_id, id LIMIT $2)`,
  )
  .join(" UNION ALL ")
  .concat(" LIMIT $2");

export function users({ read, write, transaction }: Connection): UserStore {
  const insert = write(userInsertion.sql);
  const ofTenant = read<User>(
    `SELECT ${columns} FROM users WHERE tenant_id = $1 ORDER BY dial_code, mobile, type`,
  );
  const byId = read<User>(`SELECT ${columns} FROM users WHERE id = $1`);
  const byLogin = read<User>(
    `SELECT ${columns} FROM users WHERE tenant_id = $1 AND type = $2 AND dial_code = $3 AND mobile = $4`,
  );
  // One conditional UPDATE, so that two logins cannot use the same step.
  const consumeStep = write(
    `UPDATE users SET totp_last_step = $2
     WHERE id = $1 AND (totp_last_step IS NULL OR totp_last_step < $2)
     RETURNING id`,
  );
  const lowerStep = write("UPDATE users SET totp_last_step = $3 WHERE id = $1 AND totp_last_step > $2");
  const rehash = write("UPDATE users SET password_hash = $3 WHERE id = $1 AND password_hash = $2");
  const totpKeys = read<{ totp_key_id: string | null; users: number }>(totpKeyCounts);
  const totpNotUnder = read<{ id: string } & Totp>(totpOfOtherKeys);
  const reencrypt = write(
    "UPDATE users SET totp_secret = $3, totp_key_id = $4 WHERE id = $1 AND totp_secret = $2",
  );

  /**
   * Changes the user, then removes the sessions. A simultaneous login locks the user's row, so its session is
   * either removed here or not made.
   */
  function change(id: string, sql: string, ...values: Value[]): Promise<boolean> {
    return transaction(async (run) => {
      const changed = await run(`${sql} WHERE id = $1 RETURNING id`, id, ...values);
      await run("DELETE FROM sessions WHERE user_id = $1", id);
      return changed.length === 1;
    });
  }

  return {
    async create(user) {
      const created = await insert(...userInsertion.values(user));
      if (created.length === 0) throw new DuplicateUserError();
    },
    list: (tenant_id) => ofTenant(tenant_id),
    find: async (id) => (await byId(id))[0],
    async findByLogin({ tenant_id, type, dial_code, mobile }) {
      const name = [tenant_id, type, dial_code, mobile];
      // PostgreSQL rejects text with U+0000, so no user's data contains it.
      if (name.some((text) => text.includes("\0"))) return undefined;
      return (await byLogin(...name))[0];
    },
    consumeTotpStep: async (user_id, step) => (await consumeStep(user_id, step)).length === 1,
    async lowerTotpStep(user_id, { beyond, last }) {
      await lowerStep(user_id, beyond, last);
    },
    async rehashPassword(id, from, to) {
      await rehash(id, from, to);
    },
    setPassword: (id, password_hash) =>
      change(
        id,
        "UPDATE users SET password_hash = $2, credential_version = credential_version + 1",
        password_hash,
      ),
    setTotp: (id, totp) =>
      change(
        id,
        "UPDATE users SET totp_secret = $2, totp_key_id = $3, credential_version = credential_version + 1",
        totp?.totp_secret ?? null,
        totp?.totp_key_id ?? null,
      ),
    remove: (id) =>
      transaction(async (run) => {
        await run("SELECT 1 FROM users WHERE id = $1 FOR UPDATE", id);
        await run("DELETE FROM sessions WHERE user_id = $1", id);
        return (await run("DELETE FROM users WHERE id = $1 RETURNING id", id)).length === 1;
      }),
    countTotpKeys: () => totpKeys(),
    listTotpNotUnder: (totp_key_id, limit) => totpNotUnder(totp_key_id, limit),
    async reencryptTotp(id, from, { totp_secret, totp_key_id }) {
      await reencrypt(id, from, totp_secret, totp_key_id);
    },
  };
}
