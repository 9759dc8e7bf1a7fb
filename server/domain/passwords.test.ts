import { hash, parseOptions } from "@node-rs/argon2";
import { expect, test } from "vitest";
import { comparedHashes, hashPassword, isOutdated, verifyPassword } from "./passwords.ts";

test("a password is hashed with argon2id, OWASP's parameters and a separate salt", async () => {
  const [one, other] = await Promise.all([hashPassword("correct horse"), hashPassword("correct horse")]);
  expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/);
  expect(one).not.toBe(other);
});

test("only the hashed password is correct", async () => {
  const hash = await hashPassword("correct horse");
  expect(await verifyPassword(hash, "correct horse")).toBe(true);
  for (const other of ["correct hors", "Correct horse", "correct horse ", ""]) {
    expect(await verifyPassword(hash, other)).toBe(false);
  }
});

test("a password is correct in both Unicode forms, composed and decomposed", async () => {
  const hash = await hashPassword("caf\u00e9");
  expect(await verifyPassword(hash, "cafe\u0301")).toBe(true);
  // Compatibility characters such as the ligature stay different (RFC 8265, section 4.2.2).
  expect(await verifyPassword(await hashPassword("\ufb01ve"), "five")).toBe(false);
});

const [weak, costly, argon2i] = await Promise.all([
  hash("correct horse", { memoryCost: 4096, timeCost: 1, parallelism: 1 }),
  hash("correct horse", { memoryCost: 32_768, timeCost: 3, parallelism: 1 }),
  hash("correct horse", { memoryCost: 19_456, timeCost: 2, parallelism: 1, algorithm: 1 }),
]);

test("a wrong password takes the same work without a hash, with a current hash and with an older, cheaper hash", async () => {
  const hashes = [undefined, await hashPassword("correct horse"), weak];
  const works = hashes.map((passwordHash) =>
    comparedHashes(passwordHash)
      .map((phc) => parseOptions(phc))
      .reduce((sum, { memoryCost, timeCost }) => sum + memoryCost * timeCost, 0),
  );
  expect(works).toEqual([38_912, 38_912, 38_912]);
  for (const passwordHash of hashes) expect(await verifyPassword(passwordHash, "wrong")).toBe(false);
});

test("a hash with other parameters still verifies its password and is outdated", async () => {
  expect(isOutdated(await hashPassword("correct horse"))).toBe(false);
  for (const other of [weak, costly, argon2i]) {
    expect(await verifyPassword(other, "correct horse")).toBe(true);
    expect(await verifyPassword(other, "wrong")).toBe(false);
    expect(isOutdated(other)).toBe(true);
  }
});

test("a hash is outdated if any parameter differs, and a missing work of one lane's least memory is added", async () => {
  const current = await hashPassword("correct horse");
  const parameters = "m=19456,t=2,p=1";
  for (const other of ["m=19455,t=2,p=1", "m=19456,t=3,p=1", "m=19456,t=2,p=2"])
    expect([other, isOutdated(current.replace(parameters, other))]).toEqual([other, true]);
  const compared = (memory: number) =>
    comparedHashes(current.replace("m=19456", `m=${memory}`)).map((phc) => parseOptions(phc).memoryCost);
  expect([compared(19_448), compared(19_449)]).toEqual([[19_448, 8], [19_449]]);
});

test("hashing does not block the event loop", async () => {
  let turns = 0;
  const counting = setInterval(() => turns++, 1);
  await Promise.all(Array.from({ length: 12 }, () => hashPassword("correct horse")));
  clearInterval(counting);
  expect(turns).toBeGreaterThan(2);
});
