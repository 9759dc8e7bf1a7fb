/** Users in PostgreSQL, with the last TOTP time step that each has used. */
import { DuplicateUserError, type User, type UserStore } from "../store.ts";
import type { Connection } from "./connection.ts";

export function users({ read, write }: Connection): UserStore {
  const insert = write(
    `INSERT INTO users (id, tenant_id, type, dial_code, mobile, password_hash, first_name, last_name, email,
       profile_pic, email_verified, totp_secret)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
     ON CONFLICT (tenant_id, type, dial_code, mobile) DO NOTHING
     RETURNING id`,
  );
  const byLogin = read<User>(
    `SELECT id, tenant_id, type, dial_code, mobile, password_hash, first_name, last_name, email, profile_pic,
       email_verified, totp_secret
     FROM users
     WHERE tenant_id = $1 AND type = $2 AND dial_code = $3 AND mobile = $4`,
  );
  // One conditional UPDATE: there is no moment between looking and marking in which a second login could slip in.
  const consumeStep = write(
    `UPDATE users SET totp_last_step = $2
     WHERE id = $1 AND (totp_last_step IS NULL OR totp_last_step < $2)
     RETURNING id`,
  );

  return {
    async create(user) {
      const created = await insert(
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
      );
      if (created.length === 0) throw new DuplicateUserError();
    },
    async findByLogin(...login) {
      // PostgreSQL has no text with U+0000 and refuses to look for one: nobody can have it.
      if (login.some((text) => text.includes("\0"))) return undefined;
      return (await byLogin(...login))[0];
    },
    consumeTotpStep: async (user_id, step) => (await consumeStep(user_id, step)).length === 1,
  };
}
