import { createHash } from "node:crypto";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { createKeyUses, findApiKey, hashOfApiKey, issueApiKey, type KeyUses } from "./api-keys.ts";

test("a key has a prefix for its kind, then 49 letters and digits, and no key is issued twice", () => {
  expect(issueApiKey("secret").secret).toMatch(/^sk_[0-9A-Za-z]{49}$/);
  expect(issueApiKey("publishable").secret).toMatch(/^pk_[0-9A-Za-z]{49}$/);
  expect(new Set(Array.from({ length: 100 }, () => issueApiKey("secret").secret)).size).toBe(100);
});

test("the hash of a key is its SHA-256", () => {
  for (const kind of ["secret", "publishable"] as const) {
    const { secret, hash } = issueApiKey(kind);
    expect(hash).toBe(createHash("sha256").update(secret).digest("hex"));
    expect(hashOfApiKey(secret)).toBe(hash);
  }
});

test("a key is found by its hash, also after it was used before and many other keys were used", () => {
  const looked: string[] = [];
  const apiKeys = { findActiveByHash: (hash: string) => void looked.push(hash) };
  const issued = Array.from({ length: 1500 }, () => issueApiKey("secret"));
  const used = [...issued, ...issued.slice(0, 10), ...issued];
  for (const { secret } of used) findApiKey({ apiKeys }, secret);
  findApiKey({ apiKeys }, "unknown");
  expect(looked).toEqual(used.map(({ hash }) => hash));
});

test("a key with one changed character is rejected, so a key cannot be changed to the other kind", () => {
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

describe("uses of keys", () => {
  let writes: Record<string, number>[];
  let errors: unknown[];
  let failure: Error | undefined;
  let answer = async () => {};
  let uses: KeyUses;
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "performance", "Date"], now: 0 });
    [writes, errors, failure] = [[], [], undefined];
    const noteUses = async (written: ReadonlyMap<string, number>) => {
      if (failure !== undefined) throw failure;
      writes.push(Object.fromEntries(written));
      await answer();
    };
    const about = { store: { apiKeys: { noteUses } }, clock: Date.now };
    uses = createKeyUses(about, { onError: (error) => errors.push(error) });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  test("are written a second after the first one; later ones are written together, once a minute", async () => {
    uses.note("a");
    await vi.advanceTimersByTimeAsync(1000);
    expect(writes).toEqual([{ a: 1000 }]);
    for (const id of ["a", "b"]) uses.note(id);
    await vi.advanceTimersByTimeAsync(58_000);
    uses.note("a");
    await vi.advanceTimersByTimeAsync(1999);
    expect(writes).toEqual([{ a: 1000 }]);
    await vi.advanceTimersByTimeAsync(1);
    expect(writes).toEqual([{ a: 1000 }, { a: 60_000, b: 2000 }]);
    await vi.advanceTimersByTimeAsync(600_000);
    expect(writes).toHaveLength(2);
  });

  test("are written again with the next uses if a write fails, and the error is reported", async () => {
    failure = new Error("no database");
    for (const id of ["a", "b"]) uses.note(id);
    await vi.advanceTimersByTimeAsync(1000);
    expect(errors).toEqual([failure]);
    failure = undefined;
    uses.note("a");
    await vi.advanceTimersByTimeAsync(60_000);
    expect(writes).toEqual([{ a: 2000, b: 1000 }]);
  });

  test("keep their latest time if they are noted again while a write fails", async () => {
    const writing = Promise.withResolvers<void>();
    answer = () => writing.promise;
    uses.note("a");
    await vi.advanceTimersByTimeAsync(1000);
    uses.note("a");
    await vi.advanceTimersByTimeAsync(1000);
    answer = async () => {};
    writing.reject(new Error("no database"));
    await vi.advanceTimersByTimeAsync(60_000);
    expect(writes).toEqual([{ a: 1000 }, { a: 2000 }]);
  });

  test("that are not yet written are written by stop(), which also clears the timer", async () => {
    uses.note("a");
    await uses.stop();
    await uses.stop();
    expect(writes).toEqual([{ a: 0 }]);
    expect(vi.getTimerCount()).toBe(0);
  });
});
