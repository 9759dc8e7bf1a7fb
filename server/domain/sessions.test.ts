import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { issueSessionKeys } from "./sessions.ts";

const now = Date.UTC(2026, 0, 1);

test("both keys have 256 bits, and the record contains only their hashes and expiry times", () => {
  const { key, record } = issueSessionKeys({ authSeconds: 900, refreshSeconds: 86_400 }, now);
  expect(key).toEqual({
    auth_key: expect.stringMatching(/^[A-Za-z0-9_-]{43}$/),
    refresh_key: expect.stringMatching(/^[A-Za-z0-9_-]{43}$/),
  });
  expect(record).toEqual({
    auth_hash: createHash("sha256").update(key.auth_key).digest("hex"),
    refresh_hash: createHash("sha256").update(key.refresh_key).digest("hex"),
    auth_expires_at: now + 900_000,
    refresh_expires_at: now + 86_400_000,
    created_at: now,
  });
});

test("no key is issued twice", () => {
  const keys = Array.from(
    { length: 50 },
    () => issueSessionKeys({ authSeconds: 1, refreshSeconds: 1 }, now).key,
  );
  expect(new Set(keys.flatMap(({ auth_key, refresh_key }) => [auth_key, refresh_key])).size).toBe(100);
});
