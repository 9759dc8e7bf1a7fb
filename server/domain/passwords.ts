/**
 * Hashes and verifies passwords with argon2id, on the thread pool and never on the event loop. The parameters are
 * OWASP's (Password Storage Cheat Sheet: 19 MiB, two passes, one lane).
 */
import { randomBytes } from "node:crypto";
import { hash, verify } from "@node-rs/argon2";

// argon2id, version 0x13, a 16-byte salt and a 32-byte hash are what the package does unless told otherwise.
const parameters = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/**
 * What a password is verified against where there is no user: random bytes in the place of salt and hash, so that the
 * work is the same and no password fits.
 */
const dummyHash = [
  "",
  "argon2id",
  "v=19",
  `m=${parameters.memoryCost},t=${parameters.timeCost},p=${parameters.parallelism}`,
  unpaddedBase64(16),
  unpaddedBase64(32),
].join("$");

/** Answers a PHC string with a salt of its own. */
export function hashPassword(password: string): Promise<string> {
  return hash(prepare(password), parameters);
}

/**
 * Whether the password is the one that was hashed. Without a hash the answer is false and takes as long, so that time
 * does not tell which users exist. Rejects where `passwordHash` is no PHC string of argon2.
 */
export async function verifyPassword(passwordHash: string | undefined, password: string): Promise<boolean> {
  const matches = await verify(passwordHash ?? dummyHash, prepare(password));
  return matches && passwordHash !== undefined;
}

/** One password typed on two systems may arrive in two Unicode forms; RFC 8265 §4.2 (OpaqueString) settles on NFC. */
function prepare(password: string): string {
  return password.normalize("NFC");
}

function unpaddedBase64(bytes: number): string {
  return randomBytes(bytes).toString("base64").replace(/=+$/, "");
}
