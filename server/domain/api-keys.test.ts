import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { hashOfApiKey, issueApiKey } from "./api-keys.ts";

test("a key begins with its kind, has 52 letters and digits, and is always different", () => {
  expect(issueApiKey("secret").secret).toMatch(/^sk_[0-9A-Za-z]{49}$/);
  expect(issueApiKey("publishable").secret).toMatch(/^pk_[0-9A-Za-z]{49}$/);
  expect(new Set(Array.from({ length: 100 }, () => issueApiKey("secret").secret)).size).toBe(100);
});

test("an issued key is recognised, with its kind and the SHA-256 under which it is stored", () => {
  for (const kind of ["secret", "publishable"] as const) {
    const { secret, hash } = issueApiKey(kind);
    expect(hash).toBe(createHash("sha256").update(secret).digest("hex"));
    expect(hashOfApiKey(secret)).toBe(hash);
  }
});

test("a key with one changed character is rejected, so that one kind never becomes the other", () => {
  const { secret } = issueApiKey("secret");
  for (let at = 0; at < secret.length; at++) {
    const other = secret.charAt(at) === "p" ? "s" : "p";
    expect(hashOfApiKey(secret.slice(0, at) + other + secret.slice(at + 1))).toBeUndefined();
  }
});

test("text without the form of a key is rejected", () => {
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
