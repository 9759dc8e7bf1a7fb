/**
 * Hashes and verifies passwords with argon2id on the thread pool. The parameters are OWASP's (Password
 * Storage Cheat Sheet: 19 MiB, two passes, one lane). The caller must limit how many calls run at the same time.
 */
import { randomBytes } from "node:crypto";
import { hash, parseOptions, verify } from "@node-rs/argon2";

/** The package exports this constant as a `const enum`, which type stripping cannot import. */
const argon2id = 2;

// The package's defaults are argon2id, version 0x13, a 16-byte salt and a 32-byte hash.
const parameters = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

type Cost = { memoryCost: number; timeCost: number };

/** Returns random bytes in the form of a hash. No password matches it, but verifying one takes the given work. */
function dummyHash({ memoryCost, timeCost }: Cost): string {
  const cost = `m=${memoryCost},t=${timeCost},p=${parameters.parallelism}`;
  return ["", "argon2id", "v=19", cost, unpaddedBase64(16), unpaddedBase64(32)].join("$");
}

const dummy = dummyHash(parameters);

export function hashPassword(password: string): Promise<string> {
  return hash(prepare(password), parameters);
}

export function isOutdated(passwordHash: string): boolean {
  const { algorithm, ...options } = parseOptions(passwordHash);
  const names = ["memoryCost", "timeCost", "parallelism"] as const;
  return Number(algorithm) !== argon2id || names.some((name) => options[name] !== parameters[name]);
}

/**
 * Returns whether the password matches. A wrong password always takes the work of a current hash, so that the
 * time does not reveal which users exist.
 * @param passwordHash undefined for an unknown user
 * @throws Error if the hash is not a PHC string of argon2
 */
export async function verifyPassword(passwordHash: string | undefined, password: string): Promise<boolean> {
  const prepared = prepare(password);
  const [first = dummy, ...others] = comparedHashes(passwordHash);
  if ((await verify(first, prepared)) && passwordHash !== undefined) return true;
  for (const other of others) await verify(other, prepared);
  return false;
}

/**
 * Returns the hashes that every wrong password is compared with. To check all of them costs as much as to check one
 * hash with the current parameters.
 */
export function comparedHashes(passwordHash: string | undefined): string[] {
  if (passwordHash === undefined) return [dummy];
  const missing = missingCost(parseOptions(passwordHash));
  return missing === undefined ? [passwordHash] : [passwordHash, dummyHash(missing)];
}

/** The work of argon2 is memory times passes. A lane needs at least 8 KiB (RFC 9106, section 3.1). */
function missingCost({ memoryCost, timeCost }: Cost): Cost | undefined {
  const passes = parameters.timeCost;
  const memory = parameters.memoryCost - Math.round((memoryCost * timeCost) / passes);
  return memory < 8 ? undefined : { memoryCost: memory, timeCost: passes };
}

/** Systems may send the same password in different Unicode forms. RFC 8265 §4.2 (OpaqueString) uses NFC. */
function prepare(password: string): string {
  return password.normalize("NFC");
}

function unpaddedBase64(bytes: number): string {
  return randomBytes(bytes).toString("base64").replace(/=+$/, "");
}
