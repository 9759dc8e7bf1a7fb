/**
 * Makes API keys and recognises their form. Whether a key is known, active and allowed is for the store and the caller
 * to say; the key itself exists only in the answer to its creation.
 */
import { crc32 } from "node:zlib";
import type { ApiKey, ApiKeyKind, NewApiKey, Store } from "../store/store.ts";
import type { Clock } from "./clock.ts";
import { randomText, toBase62 } from "./random-text.ts";
import { sha256 } from "./sha256.ts";

const prefixes = { secret: "sk_", publishable: "pk_" } as const satisfies Record<ApiKeyKind, string>;
const randomLength = 43; // 62^43 > 2^256
const checksumLength = 6; // 62^6 > 2^32
const shape = `(?:sk|pk)_[0-9A-Za-z]{${randomLength + checksumLength}}`;
const form = new RegExp(`^${shape}$`);
const anywhere = new RegExp(shape, "g");

/** A new key with 256 bits of randomness. `secret` is to be shown once and forgotten; `hash` is what the store keeps. */
export function issueApiKey(kind: ApiKeyKind): { secret: string; hash: string } {
  const body = prefixes[kind] + randomText(randomLength);
  const secret = body + checksumOf(body);
  return { secret, hash: sha256(secret) };
}

/**
 * The hash to look a key up by; undefined for what is no key or has a typo in it (CRC-32), so that guessing and mistyping
 * cost no look-up. Proves nothing: only the store knows which keys exist, and of which kind they are.
 */
export function hashOfApiKey(text: string): string | undefined {
  if (!form.test(text)) return undefined;
  if (checksumOf(text.slice(0, -checksumLength)) !== text.slice(-checksumLength)) return undefined;
  return sha256(text);
}

/** The text without the API keys in it, known or not. */
export function withoutApiKeys(text: string): string {
  return text.replaceAll(anywhere, "[redacted]");
}

/** A key that is still to be stored: `secret` is to be shown once and forgotten. */
export function newApiKey(
  clock: Clock,
  { tenant_id, kind }: Pick<ApiKey, "tenant_id" | "kind">,
): { record: NewApiKey; secret: string } {
  const { secret, hash } = issueApiKey(kind);
  return { record: { id: `key_${randomText(12)}`, tenant_id, kind, hash, created_at: clock() }, secret };
}

/** Issues a key for a tenant that exists and stores its hash. `secret` is answered here and never again. */
export async function createApiKey(
  { store, clock }: { store: Store; clock: Clock },
  key: Pick<ApiKey, "tenant_id" | "kind">,
): Promise<Pick<ApiKey, "id" | "kind"> & { secret: string }> {
  const { record, secret } = newApiKey(clock, key);
  await store.apiKeys.create(record);
  return { id: record.id, kind: record.kind, secret };
}

function checksumOf(body: string): string {
  return toBase62(crc32(body), checksumLength);
}
