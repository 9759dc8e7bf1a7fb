/** Users in SQLite, with the last TOTP time step that each has used. */
import { DuplicateUserError, type User, type UserStore } from "../store.ts";
import type { Connection } from "./connection.ts";
import { isDuplicate } from "./driver-errors.ts";

/** SQLite has no booleans. */
type UserRow = Omit<User, "email_verified"> & { email_verified: number };

export function users({ query, command, read, write }: Connection): UserStore {
  const insert = command(
    `INSERT INTO users (id, tenant_id, type, dial_code, mobile, password_hash, first_name, last_name, email,
       profile_pic, email_verified, totp_secret)
     VALUES (:id, :tenant_id, :type, :dial_code, :mobile, :password_hash, :first_name, :last_name, :email,
       :profile_pic, :email_verified, :totp_secret)`,
  );
  const byLogin = query<UserRow>(
    `SELECT id, tenant_id, type, dial_code, mobile, password_hash, first_name, last_name, email, profile_pic,
       email_verified, totp_secret
     FROM users
     WHERE tenant_id = :tenant_id AND type = :type AND dial_code = :dial_code AND mobile = :mobile`,
  );
  // One conditional UPDATE: there is no moment between looking and marking in which a second login could slip in.
  const consumeStep = command(
    `UPDATE users SET totp_last_step = :step
     WHERE id = :user_id AND (totp_last_step IS NULL OR totp_last_step < :step)`,
  );

  return {
    async create(user) {
      await write(() => {
        try {
          insert({ ...user, email_verified: Number(user.email_verified) });
        } catch (error) {
          throw isDuplicate(error) ? new DuplicateUserError(error) : error;
        }
      });
    },
    findByLogin: (tenant_id, type, dial_code, mobile) =>
      read(() => {
        const row = byLogin.get({ tenant_id, type, dial_code, mobile });
        return row && { ...row, email_verified: row.email_verified === 1 };
      }),
    consumeTotpStep: (user_id, step) => write(() => consumeStep({ user_id, step }) === 1),
  };
}
