import { afterEach, beforeEach, expect, test } from "vitest";
import { openStore } from "../store/open.ts";
import type { Store } from "../store/store.ts";
import { createLoginLimits, type LoginLimitSettings } from "./login-limits.ts";

const settings = { attemptsPerAccount: 3, attemptsPerAddress: 5, windowSeconds: 600 };
const attempt = {
  tenant_id: "t",
  user: { type: "customer", dial_code: "91", mobile: "1234" },
  address: "192.0.2.1",
};
const refused = { retryAfterSeconds: 600 };

let store: Store;
let now: number;
beforeEach(async () => {
  store = await openStore("file::memory:");
  now = Date.UTC(2026, 0, 1);
});
afterEach(() => store.close());

function limitsOf(settings: LoginLimitSettings) {
  return createLoginLimits({ store, clock: () => now }, settings);
}

test("an account is limited, from whichever address", async () => {
  const limits = limitsOf(settings);
  const admit = (last: number) => limits.admit({ ...attempt, address: `192.0.2.${last}` });
  expect([await admit(1), await admit(2), await admit(3), await admit(4)]).toEqual([
    undefined,
    undefined,
    undefined,
    refused,
  ]);
});

test("an address is limited, for whichever account", async () => {
  const limits = limitsOf(settings);
  const admit = (mobile: number) =>
    limits.admit({ ...attempt, user: { ...attempt.user, mobile: `${mobile}` } });
  for (const mobile of [1, 2, 3, 4, 5]) expect(await admit(mobile)).toBeUndefined();
  expect(await admit(6)).toEqual(refused);
});

test("attempts that are made at once count as if one after another", async () => {
  const limits = limitsOf(settings);
  const answers = await Promise.all(
    Array.from({ length: 10 }, () => limits.admit({ ...attempt, address: undefined })),
  );
  expect(answers.filter((answer) => answer === undefined)).toHaveLength(3);
});

test("a success forgets the failures before it", async () => {
  const limits = limitsOf(settings);
  await limits.admit(attempt);
  await limits.admit(attempt);
  await limits.admit(attempt);
  await limits.succeeded(attempt);
  expect(await limits.admit(attempt)).toBeUndefined();
});

test("a window ends after its length, and the answer says when", async () => {
  const limits = limitsOf(settings);
  for (let n = 0; n < 3; n++) expect(await limits.admit(attempt)).toBeUndefined();
  now += 599_001;
  expect(await limits.admit(attempt)).toEqual({ retryAfterSeconds: 1 });
  now += 999;
  expect(await limits.admit(attempt)).toBeUndefined();
});

test("a success takes back its own attempt of the address, and no failure's", async () => {
  const limits = limitsOf({ ...settings, attemptsPerAccount: 100, attemptsPerAddress: 2 });
  await limits.admit(attempt);
  await limits.admit(attempt);
  await limits.succeeded(attempt);
  expect(await limits.admit(attempt)).toBeUndefined();
  expect(await limits.admit(attempt)).toEqual(refused);
});

test("replicas on one database count together", async () => {
  const replicas = [limitsOf(settings), limitsOf(settings)];
  const admitted = await Promise.all(
    Array.from({ length: 8 }, (_, n) => replicas[n % 2]?.admit({ ...attempt, address: undefined })),
  );
  expect(admitted.filter((answer) => answer === undefined)).toHaveLength(3);
});

test("accounts of two tenants, roles or numbers are counted apart", async () => {
  const limits = limitsOf({ ...settings, attemptsPerAccount: 1, attemptsPerAddress: 100 });
  const others = [
    attempt,
    { ...attempt, tenant_id: "u" },
    { ...attempt, user: { ...attempt.user, type: "staff" } },
    { ...attempt, user: { ...attempt.user, dial_code: "9", mobile: "11234" } },
  ];
  for (const other of others) expect(await limits.admit(other)).toBeUndefined();
});
