import { expect, test } from "vitest";
import { hashPassword, verifyPassword } from "./passwords.ts";

test("a password is hashed with argon2id at OWASP's parameters and a salt of its own", async () => {
  const [one, other] = await Promise.all([hashPassword("correct horse"), hashPassword("correct horse")]);
  expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/);
  expect(one).not.toBe(other);
});

test("the password that was hashed holds, and no other", async () => {
  const hash = await hashPassword("correct horse");
  expect(await verifyPassword(hash, "correct horse")).toBe(true);
  for (const other of ["correct hors", "Correct horse", "correct horse ", ""]) {
    expect(await verifyPassword(hash, other)).toBe(false);
  }
});

test("a password holds in either Unicode form of its letters", async () => {
  const hash = await hashPassword("caf\u00e9");
  expect(await verifyPassword(hash, "cafe\u0301")).toBe(true);
});

test("without a hash no password holds, and the answer takes as long as with one", async () => {
  const hash = await hashPassword("correct horse");
  let withHashMs = 0;
  let withoutMs = 0;
  // In turns, so that a busy machine slows both alike.
  for (let round = 0; round < 15; round++) {
    const start = performance.now();
    expect(await verifyPassword(hash, "wrong")).toBe(false);
    const middle = performance.now();
    expect(await verifyPassword(undefined, "wrong")).toBe(false);
    withHashMs += middle - start;
    withoutMs += performance.now() - middle;
  }
  expect(withoutMs / withHashMs).toBeGreaterThan(0.5);
  expect(withoutMs / withHashMs).toBeLessThan(2);
});

test("hashing leaves the event loop free", async () => {
  let turns = 0;
  const counting = setInterval(() => turns++, 1);
  await Promise.all(Array.from({ length: 12 }, () => hashPassword("correct horse")));
  clearInterval(counting);
  expect(turns).toBeGreaterThan(2);
});
