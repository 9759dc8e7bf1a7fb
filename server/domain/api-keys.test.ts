import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { hashOfApiKey, issueApiKey } from "./api-keys.ts";

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

test("a key with any one character changed is refused, so that no kind becomes the other", () => {
  const { secret } = issueApiKey("secret");
  for (let at = 0; at < secret.length; at++) {
    const other = secret.charAt(at) === "p" ? "s" : "p";
    expect(hashOfApiKey(secret.slice(0, at) + other + secret.slice(at + 1))).toBeUndefined();
  }
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
