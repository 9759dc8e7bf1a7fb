import { hash, randomBytes } from "node:crypto";
import type { Session } from "../store/store.ts";

export type SessionLifetimes = { authSeconds: number; refreshSeconds: number };

export type SessionKeys = {
  /** Return the keys once and do not store them. The store keeps only their hashes. */
  key: { auth_key: string; refresh_key: string };
  record: Omit<Session, "user_id" | "uuid" | "address_key">;
};

/** Makes two keys of 256 random bits each, in base64url, valid from `nowMs`. */
export function issueSessionKeys(lifetimes: SessionLifetimes, nowMs: number): SessionKeys {
  const auth_key = randomBytes(32).toString("base64url");
  const refresh_key = randomBytes(32).toString("base64url");
  return {
    key: { auth_key, refresh_key },
    record: {
      auth_hash: hashSessionKey(auth_key),
      refresh_hash: hashSessionKey(refresh_key),
      auth_expires_at: nowMs + lifetimes.authSeconds * 1000,
      refresh_expires_at: nowMs + lifetimes.refreshSeconds * 1000,
      created_at: nowMs,
    },
  };
}

export function hashSessionKey(key: string): string {
  return hash("sha256", key);
}
