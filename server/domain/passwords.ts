/**
 * Hashes and verifies passwords with argon2id, on the thread pool and never on the event loop. The parameters are
 * OWASP's (Password Storage Cheat Sheet: 19 MiB, two passes, one lane). How many at once is for the caller to bound.
 */
import { randomBytes } from "node:crypto";
import { hash, parseOptions, verify } from "@node-rs/argon2";

/** argon2's constant for argon2id; the package's own is a `const enum`, which type stripping cannot import. */
const argon2id = 2;

// argon2id, version 0x13, a 16-byte salt and a 32-byte hash are what the package does unless told otherwise.
const parameters = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

type Cost = { memoryCost: number; timeCost: number };

/** What is verified where no password can hold: random bytes in the place of salt and hash, for work of the same cost. */
function dummyHash({ memoryCost, timeCost }: Cost): string {
  const cost = `m=${memoryCost},t=${timeCost},p=${parameters.parallelism}`;
  return ["", "argon2id", "v=19", cost, unpaddedBase64(16), unpaddedBase64(32)].join("$");
}

const dummy = dummyHash(parameters);

/** Answers a PHC string with a salt of its own. */
export function hashPassword(password: string): Promise<string> {
  return hash(prepare(password), parameters);
}

/** Whether the hash was made with other parameters than a new one would be. */
export function isOutdated(passwordHash: string): boolean {
  const { algorithm, memoryCost, timeCost, parallelism } = parseOptions(passwordHash);
  return (
    Number(algorithm) !== argon2id ||
    memoryCost !== parameters.memoryCost ||
    timeCost !== parameters.timeCost ||
    parallelism !== parameters.parallelism
  );
}

/**
 * Whether the password is the one that was hashed. A wrong one always costs the work of a hash with present parameters, so
 * the time of a login does not show which users exist.
 *
 * @param passwordHash undefined for an unknown user
 * @throws Error where it is no PHC string of argon2
 */
export async function verifyPassword(passwordHash: string | undefined, password: string): Promise<boolean> {
  const prepared = prepare(password);
  const [first = dummy, ...others] = comparedHashes(passwordHash);
  if ((await verify(first, prepared)) && passwordHash !== undefined) return true;
  for (const other of others) await verify(other, prepared);
  return false;
}

/** The hashes that a wrong password is compared with. Their work adds up to that of a present hash. */
export function comparedHashes(passwordHash: string | undefined): string[] {
  if (passwordHash === undefined) return [dummy];
  const missing = missingCost(parseOptions(passwordHash));
  return missing === undefined ? [passwordHash] : [passwordHash, dummyHash(missing)];
}

/** argon2's work is its memory times its passes; one lane takes 8 KiB at least (RFC 9106, section 3.1). */
function missingCost({ memoryCost, timeCost }: Cost): Cost | undefined {
  const passes = parameters.timeCost;
  const memory = parameters.memoryCost - Math.round((memoryCost * timeCost) / passes);
  return memory < 8 ? undefined : { memoryCost: memory, timeCost: passes };
}

/** One password typed on two systems may arrive in two Unicode forms; RFC 8265 §4.2 (OpaqueString) settles on NFC. */
function prepare(password: string): string {
  return password.normalize("NFC");
}

function unpaddedBase64(bytes: number): string {
  return randomBytes(bytes).toString("base64").replace(/=+$/, "");
}
