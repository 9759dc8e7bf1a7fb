import { generateSync } from "otplib";
import { expect, test } from "vitest";
import { acceptedSteps, createTotpSecret, matchTotp, totpUri } from "./totp.ts";

/** "12345678901234567890", the SHA-1 secret of RFC 6238 appendix B, in Base32. */
const secret = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ";

/** The codes in appendix B have eight digits. A code of six digits consists of the last six. */
const vectors: [seconds: number, code: string, step: number][] = [
  [59, "287082", 0x1],
  [1111111109, "081804", 0x23523ec],
  [1111111111, "050471", 0x23523ed],
  [1234567890, "005924", 0x273ef07],
  [2000000000, "279037", 0x3f940aa],
  [20000000000, "353130", 0x27bc86aa],
];

test.each(vectors)("RFC 6238: at %d seconds the code %s belongs to its step", async (seconds, code, step) => {
  expect(await matchTotp(secret, code, seconds * 1000)).toBe(step);
});

test("a code is accepted at most one step before and after its step", async () => {
  const step = 37037036;
  const code = generateSync({ secret, epoch: step * 30 });
  const firstMs = step * 30_000;
  expect(await matchTotp(secret, code, firstMs - 30_001)).toBeUndefined();
  expect(await matchTotp(secret, code, firstMs - 30_000)).toBe(step);
  expect(await matchTotp(secret, code, firstMs)).toBe(step);
  expect(await matchTotp(secret, code, firstMs + 59_999)).toBe(step);
  expect(await matchTotp(secret, code, firstMs + 60_000)).toBeUndefined();
});

test("a used step stays if it is at most ten steps after the last acceptable one, which is the next step", () => {
  expect(acceptedSteps(100 * 30_000)).toEqual({ last: 101, beyond: 111 });
  expect(acceptedSteps(101 * 30_000 - 1)).toEqual({ last: 101, beyond: 111 });
});

test("text that is not six digits matches no step and throws no error", async () => {
  for (const code of ["", "28708", "2870820", "28708a", " 287082", "287082\n", "２８７０８２", "94287082"]) {
    expect(await matchTotp(secret, code, 59_000)).toBeUndefined();
  }
});

test("a new secret has 160 bits in Base32, and no secret is made twice", async () => {
  const secrets = await Promise.all(Array.from({ length: 20 }, createTotpSecret));
  for (const one of secrets) expect(one).toMatch(/^[A-Z2-7]{32}$/);
  expect(new Set(secrets).size).toBe(20);
});

test("the URI contains issuer and account, and leaves all other parameters at the defaults of authenticator apps", async () => {
  expect(await totpUri({ secret, issuer: "Acme: Shoes:", account: "+919876543210" })).toBe(
    `otpauth://totp/Acme%20%20Shoes%20:%2B919876543210?secret=${secret}&issuer=Acme%20%20Shoes%20`,
  );
});
