import type { Totp, UserStore } from "../store.ts";
import type { Connection } from "./connection.ts";

/** Reads an index that contains only users with MFA. */
export const totpKeyCounts = `SELECT totp_key_id, count(*) AS users FROM users WHERE totp_secret IS NOT NULL
  GROUP BY totp_key_id ORDER BY totp_key_id NULLS FIRST`;

/**
 * Reads the ranges before and after the key, because `IS DISTINCT FROM :totp_key_id` would read the whole index. Each
 * range has its own order and limit, so that outdated statistics of PostgreSQL cannot cause a table scan.
 */
export const totpOfOtherKeys = ["IS NULL", "< :totp_key_id", "> :totp_key_id"]
  .map(
    (others) => `SELECT * FROM (
      SELECT id, totp_secret, totp_key_id FROM users
      WHERE totp_secret IS NOT NULL AND totp_key_id ${others} ORDER BY totp_key_id, id LIMIT :limit
    ) AS part`,
  )
  .join(" UNION ALL ")
  .concat(" LIMIT :limit");

export function totpSecrets({ statement, read, write }: Connection) {
  // One conditional UPDATE, so that two logins cannot use the same step.
  const consumeStep = statement(
    `UPDATE users SET totp_last_step = :step
     WHERE id = :id AND (totp_last_step IS NULL OR totp_last_step < :step)
     RETURNING id`,
  );
  const lowerStep = statement(
    "UPDATE users SET totp_last_step = :last WHERE id = :id AND totp_last_step > :beyond",
  );
  const keyCounts = statement<{ totp_key_id: string | null; users: number }>(totpKeyCounts);
  const ofOtherKeys = statement<{ id: string } & Totp>(totpOfOtherKeys);
  const reencrypt = statement(
    "UPDATE users SET totp_secret = :totp_secret, totp_key_id = :totp_key_id WHERE id = :id AND totp_secret = :from",
  );

  return {
    consumeTotpStep: async (id, step) => (await write(consumeStep({ id, step }))).length === 1,
    async lowerTotpStep(id, steps) {
      await write(lowerStep({ id, ...steps }));
    },
    countTotpKeys: () => read(keyCounts()),
    listTotpNotUnder: (totp_key_id, limit) => read(ofOtherKeys({ totp_key_id, limit })),
    async reencryptTotp(id, from, totp) {
      await write(reencrypt({ id, from, ...totp }));
    },
  } satisfies Partial<UserStore>;
}
