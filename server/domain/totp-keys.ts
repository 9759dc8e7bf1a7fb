/**
 * Encrypts TOTP secrets with AES-256-GCM and the operator's first key. A secret can be decrypted only for the
 * same user. Without keys, the secrets stay unencrypted; the caller decides whether that is allowed.
 */
import { createCipheriv, createDecipheriv, hash, randomBytes } from "node:crypto";
import type { Store, Totp, User } from "../store/store.ts";

export type TotpKeys = {
  readonly current: string | undefined;
  seal(user_id: string, secret: string): Totp;
  /** @throws TotpKeyError if the key is missing, the text was changed or it was encrypted for another user */
  open(user_id: string, totp: Totp): string;
  has(totp_key_id: string): boolean;
};

export class TotpKeyError extends Error {
  override name = "TotpKeyError";
}

const cipher = "aes-256-gcm";
const version = "v1";
const ivBytes = 12; // NIST SP 800-38D, section 5.2.1.1
const tagBytes = 16;

/** @param keys 32 bytes each. The first key encrypts, and every key decrypts */
export function createTotpKeys(keys: readonly Uint8Array[]): TotpKeys {
  const byId = new Map(keys.map((key) => [idOf(key), key]));
  const [current] = byId.keys();
  return {
    current,
    has: (id) => byId.has(id),
    seal(user_id, secret) {
      const key = current === undefined ? undefined : byId.get(current);
      if (current === undefined || key === undefined) return { totp_secret: secret, totp_key_id: null };
      const iv = randomBytes(ivBytes);
      const encryption = createCipheriv(cipher, key, iv, { authTagLength: tagBytes });
      encryption.setAAD(boundTo(user_id));
      const parts = [iv, encryption.update(secret, "utf8"), encryption.final(), encryption.getAuthTag()];
      return {
        totp_secret: `${version}.${Buffer.concat(parts).toString("base64url")}`,
        totp_key_id: current,
      };
    },
    open(user_id, { totp_secret, totp_key_id }) {
      if (totp_key_id === null) return totp_secret;
      const key = byId.get(totp_key_id);
      if (key === undefined) throw new TotpKeyError(missingKeys([totp_key_id]));
      try {
        const [form, text = ""] = totp_secret.split(".");
        if (form !== version) throw new Error("The format is unknown.");
        const bytes = Buffer.from(text, "base64url");
        const decryption = createDecipheriv(cipher, key, bytes.subarray(0, ivBytes), {
          authTagLength: tagBytes,
        });
        decryption.setAAD(boundTo(user_id));
        decryption.setAuthTag(bytes.subarray(-tagBytes));
        return (
          decryption.update(bytes.subarray(ivBytes, -tagBytes), undefined, "utf8") + decryption.final("utf8")
        );
      } catch (cause) {
        throw new TotpKeyError(
          `The TOTP secret of user ${user_id} is damaged; enrol the user again with "user enable-mfa".`,
          { cause },
        );
      }
    },
  };
}

/** Returns the number of unencrypted TOTP secrets. @throws TotpKeyError if a key is missing */
export async function checkTotpKeys({ users }: Pick<Store, "users">, keys: TotpKeys): Promise<number> {
  const counts = await users.countTotpKeys();
  const missing = counts.flatMap(({ totp_key_id }) =>
    totp_key_id === null || keys.has(totp_key_id) ? [] : [totp_key_id],
  );
  if (missing.length > 0) throw new TotpKeyError(missingKeys(missing));
  return counts.find(({ totp_key_id }) => totp_key_id === null)?.users ?? 0;
}

/**
 * Encrypts all TOTP secrets with the first key. Servers with the same keys may run at the same time.
 * @throws TotpKeyError if there is no key or a key is missing. Then no secret was changed
 */
export async function rotateTotpKeys(
  { users }: Pick<Store, "users">,
  keys: TotpKeys,
): Promise<{ totp_key_id: string; users: number }> {
  const { current } = keys;
  if (current === undefined) throw new TotpKeyError("TOTP_SECRET_KEYS has no key; set it to one.");
  await checkTotpKeys({ users }, keys);
  let rotated = 0;
  for (;;) {
    const batch = await users.listTotpNotUnder(current, batchSize);
    for (const { id, ...totp } of batch) {
      await users.reencryptTotp(id, totp.totp_secret, keys.seal(id, keys.open(id, totp)));
    }
    rotated += batch.length;
    if (batch.length < batchSize) return { totp_key_id: current, users: rotated };
  }
}

const batchSize = 100;

/** The id reveals nothing about the key, because the key has 256 random bits. */
function idOf(key: Uint8Array): string {
  return hash("sha256", Buffer.from(key).toString("base64")).slice(0, 16);
}

/** Returns the associated data, so that a secret that was copied to another user's row cannot be decrypted. */
function boundTo(user_id: User["id"]): Buffer {
  return Buffer.from(`totp ${version} ${user_id}`, "utf8");
}

function missingKeys(ids: readonly string[]): string {
  const [keys, them] = ids.length === 1 ? ["the key", "it"] : ["the keys", "them"];
  return `TOTP secrets are encrypted with ${keys} ${ids.join(", ")}, which TOTP_SECRET_KEYS does not contain; add ${them} again.`;
}
