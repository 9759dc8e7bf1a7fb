/** API keys: how they are made, recognised and found. The store has only their hashes. */
import { hash, randomInt } from "node:crypto";
import { crc32 } from "node:zlib";
import type { ApiKey, ApiKeyKind, ApiKeyStore, Awaitable, NewApiKey, Store } from "../store/store.ts";
import type { Clock } from "./clock.ts";

const prefixes = { secret: "sk_", publishable: "pk_" } as const satisfies Record<ApiKeyKind, string>;
const randomLength = 43; // 62^43 > 2^256
const checksumLength = 6; // 62^6 > 2^32
const shape = `(?:sk|pk)_[0-9A-Za-z]{${randomLength + checksumLength}}`;
const form = new RegExp(`^${shape}$`);
const anywhere = new RegExp(shape, "g");

/**
 * The active key that a text is, if it is one. The look-up need not take constant time: its duration tells a caller at most
 * about the hash, and nobody can choose a text by its hash.
 */
export function findApiKey(
  { apiKeys }: { apiKeys: Pick<ApiKeyStore, "findActiveByHash"> },
  text: string,
): Awaitable<Pick<ApiKey, "id" | "tenant_id" | "kind"> | undefined> {
  const found = hashOfApiKey(text);
  return found === undefined ? undefined : apiKeys.findActiveByHash(found);
}

/**
 * The hash under which the store knows a key. Undefined for text that is not a key or has a typing error (CRC-32), so that
 * guessing costs no look-up. Proves nothing: only the store knows which keys exist, and of which kind they are.
 */
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

/** A double click selects a word of these as a whole. */
const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** Issues a key for a tenant that exists and stores its hash. `secret` is returned here and never again. */
export async function createApiKey(
  { store, clock }: { store: Store; clock: Clock },
  key: Pick<ApiKey, "tenant_id" | "kind">,
): Promise<Pick<ApiKey, "id" | "kind"> & { secret: string }> {
  const { record, secret } = newApiKey(clock, key);
  await store.apiKeys.create(record);
  return { id: record.id, kind: record.kind, secret };
}

/** A key that is still to be stored: `secret` is to be shown once and forgotten. */
export function newApiKey(
  clock: Clock,
  { tenant_id, kind }: Pick<ApiKey, "tenant_id" | "kind">,
): { record: NewApiKey; secret: string } {
  const { secret, hash } = issueApiKey(kind);
  return { record: { id: `key_${randomText(12)}`, tenant_id, kind, hash, created_at: clock() }, secret };
}

/** A new key with 256 bits of randomness. `secret` is to be shown once and forgotten; `hash` is what the store keeps. */
export function issueApiKey(kind: ApiKeyKind): { secret: string; hash: string } {
  const body = prefixes[kind] + randomText(randomLength);
  const secret = body + checksumOf(body);
  return { secret, hash: hash("sha256", secret) };
}

/** The system's cryptographic generator draws each character from 62, which is 5.95 bits. */
function randomText(length: number): string {
  return Array.from({ length }, () => alphabet.charAt(randomInt(alphabet.length))).join("");
}

/** The text without the API keys in it, known or not. */
export function withoutApiKeys(text: string): string {
  return text.replaceAll(anywhere, "[redacted]");
}
