import { createHash } from "node:crypto";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openStore } from "../store/open.ts";
import type { Store } from "../store/store.ts";
import { createApiKey, findApiKey, hashOfApiKey, issueApiKey } from "./api-keys.ts";

const now = Date.UTC(2026, 0, 1);
let store: Store;

beforeEach(async () => {
  store = await openStore("file::memory:");
  await store.tenants.create({ id: "t", name: "T", auth_type: 3 });
});
afterEach(() => store.close());

test("a key names its kind, is 52 letters and digits long, and never the same twice", () => {
  expect(issueApiKey("secret").secret).toMatch(/^sk_[0-9A-Za-z]{49}$/);
  expect(issueApiKey("publishable").secret).toMatch(/^pk_[0-9A-Za-z]{49}$/);
  expect(new Set(Array.from({ length: 100 }, () => issueApiKey("secret").secret)).size).toBe(100);
});

test("a key that was issued is recognised, with its kind and the SHA-256 it is stored under", () => {
  for (const kind of ["secret", "publishable"] as const) {
    const { secret, hash } = issueApiKey(kind);
    expect(hash).toBe(createHash("sha256").update(secret).digest("hex"));
    expect(hashOfApiKey(secret)).toBe(hash);
  }
});

test("a key with any one character changed is refused", () => {
  const { secret } = issueApiKey("secret");
  for (let at = 0; at < secret.length; at++) {
    const other = secret.charAt(at) === "p" ? "s" : "p";
    expect(hashOfApiKey(secret.slice(0, at) + other + secret.slice(at + 1))).toBeUndefined();
  }
});

test("a secret key does not become a publishable one by its prefix", () => {
  expect(hashOfApiKey(issueApiKey("secret").secret.replace("sk_", "pk_"))).toBeUndefined();
});

test("what has not the form of a key is refused", () => {
  const { secret } = issueApiKey("secret");
  const texts = [
    "",
    "sk_",
    secret.slice(0, -1),
    `${secret}0`,
    ` ${secret}`,
    `${secret}\n`,
    secret.toUpperCase(),
  ];
  for (const text of texts) expect(hashOfApiKey(text)).toBeUndefined();
});

test("a created key is found by what its owner sends, and the store does not know the key itself", async () => {
  const { id, kind, secret } = await createApiKey(
    { store, clock: () => now },
    { tenant_id: "t", kind: "publishable" },
  );
  expect({ id, kind }).toEqual({ id: expect.stringMatching(/^key_[0-9A-Za-z]{12}$/), kind: "publishable" });
  expect(await findApiKey(store, secret)).toEqual({
    id,
    tenant_id: "t",
    kind: "publishable",
  });
  expect(await store.apiKeys.list("t")).toEqual([
    { id, tenant_id: "t", kind: "publishable", created_at: now, revoked_at: null },
  ]);
});
