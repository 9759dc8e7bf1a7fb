/** API keys. The store contains only their hashes. */
import { hash, randomInt } from "node:crypto";
import { crc32 } from "node:zlib";
import type {
  ActiveApiKey,
  ApiKey,
  ApiKeyKind,
  ApiKeyStore,
  Awaitable,
  NewApiKey,
  Store,
} from "../store/store.ts";
import type { Clock } from "./clock.ts";

const prefixes = { secret: "sk_", publishable: "pk_" } as const satisfies Record<ApiKeyKind, string>;
const randomLength = 43; // 62^43 > 2^256
const checksumLength = 6; // 62^6 > 2^32
const shape = `(?:sk|pk)_[0-9A-Za-z]{${randomLength + checksumLength}}`;
const form = new RegExp(`^${shape}$`);
const anywhere = new RegExp(shape, "g");

/**
 * Finds expired keys too. The comparison need not take constant time: timing reveals at most a hash, and an
 * attacker cannot find a text that has a given hash.
 */
export function findApiKey(
  { apiKeys }: { apiKeys: Pick<ApiKeyStore, "findActiveByHash"> },
  text: string,
): Awaitable<ActiveApiKey | undefined> {
  const found = recentHashes.get(text) ?? newHashOf(text);
  return found === undefined ? undefined : apiKeys.findActiveByHash(found);
}

/** Hashes of the last keys, because a hash takes about 7 % of the CPU time of a request. */
const recentHashes = new Map<string, string>();
const mostRecentHashes = 1000;

function newHashOf(text: string): string | undefined {
  const made = hashOfApiKey(text);
  if (made === undefined) return undefined;
  if (recentHashes.size === mostRecentHashes) recentHashes.clear();
  recentHashes.set(text, made);
  return made;
}

/** Returns undefined if the text has another form or a wrong checksum (CRC-32), so typing errors cost no look-up. */
export function hashOfApiKey(text: string): string | undefined {
  if (!form.test(text)) return undefined;
  if (checksumOf(text.slice(0, -checksumLength)) !== text.slice(-checksumLength)) return undefined;
  return hash("sha256", text);
}

function checksumOf(body: string): string {
  let digits = "";
  for (let rest = crc32(body); rest > 0; rest = Math.floor(rest / alphabet.length))
    digits = alphabet.charAt(rest % alphabet.length) + digits;
  return digits.padStart(checksumLength, alphabet.charAt(0));
}

/** A double click selects a whole key, because it contains only these characters and "_". */
const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

export function hasExpired({ expires_at }: Pick<ApiKey, "expires_at">, clock: Clock): boolean {
  return expires_at !== null && expires_at <= clock();
}

export interface KeyUses {
  note(id: string): void;
  /** Writes the uses that are not yet written. */
  stop(): Promise<void>;
}

const writeEveryMs = 60_000;
const lookEveryMs = 1000;

/**
 * Collects the last use of each key, so that a request causes no write and does not read the clock. The first
 * uses are written within a second. After that, all uses of a minute are written together.
 *
 * @param onError gets the error of a failed write. The next write contains the same uses again
 */
export function createKeyUses(
  { store: { apiKeys }, clock }: { store: { apiKeys: Pick<ApiKeyStore, "noteUses"> }; clock: Clock },
  { onError }: { onError: (error: unknown) => void },
): KeyUses {
  /** The ids of the keys that were used since the last call of `look`. */
  const used = new Set<string>();
  let uses = new Map<string, number>();
  let writtenAt = Number.NEGATIVE_INFINITY;
  // No request starts the timer, because a trace would then show the write as a part of that request.
  const timer = setInterval(() => {
    look();
    if (performance.now() - writtenAt >= writeEveryMs) void write();
  }, lookEveryMs).unref();

  function look(): void {
    const now = clock();
    for (const id of used) uses.set(id, now);
    used.clear();
  }

  async function write(): Promise<void> {
    if (uses.size === 0) return;
    const written = uses;
    uses = new Map();
    writtenAt = performance.now();
    try {
      await apiKeys.noteUses(written);
    } catch (error) {
      uses = new Map([...written, ...uses]);
      onError(error);
    }
  }

  return {
    note(id) {
      used.add(id);
    },
    stop() {
      clearInterval(timer);
      look();
      return write();
    },
  };
}

export type WantedApiKey = Pick<ApiKey, "tenant_id" | "kind"> &
  Partial<Pick<ApiKey, "name" | "operations" | "expires_at">>;

/** Makes a key for an existing tenant and stores its hash. Only this function returns `secret`. */
export async function createApiKey(
  { store, clock }: { store: Store; clock: Clock },
  wanted: WantedApiKey,
): Promise<NewApiKey & { secret: string }> {
  const { record, secret } = newApiKey(clock, wanted);
  await store.apiKeys.create(record);
  return { ...record, secret };
}

/**
 * Makes a key with the tenant, kind, name and operations of `old`. `old` expires after the overlap. Returns
 * undefined if `old` is revoked, has expired or was rotated in the meantime.
 */
export async function rotateApiKey(
  { store, clock }: { store: Store; clock: Clock },
  old: ApiKey,
  { overlapMs, expires_at }: { overlapMs: number; expires_at: number | null },
): Promise<{ old: ApiKey; successor: NewApiKey & { secret: string } } | undefined> {
  const { record, secret } = newApiKey(clock, { ...old, expires_at });
  const rotated = await store.apiKeys.rotate(old, record, record.created_at + overlapMs);
  return rotated && { old: rotated, successor: { ...record, secret } };
}

export function newApiKey(
  clock: Clock,
  { tenant_id, kind, name = null, operations = null, expires_at = null }: WantedApiKey,
): { record: NewApiKey; secret: string } {
  const { secret, hash } = issueApiKey(kind);
  const id = `key_${randomText(12)}`;
  const last_four = secret.slice(-4);
  const created_at = clock();
  return {
    record: { id, tenant_id, kind, name, last_four, operations, hash, created_at, expires_at },
    secret,
  };
}

/** Makes a key of 256 random bits. Show `secret` once and do not store it. The store keeps `hash`. */
export function issueApiKey(kind: ApiKeyKind): { secret: string; hash: string } {
  const body = prefixes[kind] + randomText(randomLength);
  const secret = body + checksumOf(body);
  return { secret, hash: hash("sha256", secret) };
}

function randomText(length: number): string {
  return Array.from({ length }, () => alphabet.charAt(randomInt(alphabet.length))).join("");
}

export function withoutApiKeys(text: string): string {
  return text.replaceAll(anywhere, "[redacted]");
}
