/** API keys. The store has only their hashes. */
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

/** Needs no constant time: timing reveals at most the hash, and no one can choose a text by its hash. */
export function findApiKey(
  { apiKeys }: { apiKeys: Pick<ApiKeyStore, "findActiveByHash"> },
  text: string,
): Awaitable<Pick<ApiKey, "id" | "tenant_id" | "kind"> | undefined> {
  const found = hashOfApiKey(text);
  return found === undefined ? undefined : apiKeys.findActiveByHash(found);
}

/** Undefined for text that is no key or has a typing error (CRC-32), so that such text costs no look-up. */
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

/** A double click selects a whole word of these characters. */
const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** Makes a key for an existing tenant and stores its hash. `secret` is returned only here. */
export async function createApiKey(
  { store, clock }: { store: Store; clock: Clock },
  key: Pick<ApiKey, "tenant_id" | "kind">,
): Promise<Pick<ApiKey, "id" | "kind"> & { secret: string }> {
  const { record, secret } = newApiKey(clock, key);
  await store.apiKeys.create(record);
  return { id: record.id, kind: record.kind, secret };
}

export function newApiKey(
  clock: Clock,
  { tenant_id, kind }: Pick<ApiKey, "tenant_id" | "kind">,
): { record: NewApiKey; secret: string } {
  const { secret, hash } = issueApiKey(kind);
  return { record: { id: `key_${randomText(12)}`, tenant_id, kind, hash, created_at: clock() }, secret };
}

/** A new key of 256 random bits. Show `secret` once, then forget it. The store keeps `hash`. */
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
