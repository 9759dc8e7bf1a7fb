import { expect, test } from "vitest";
import { createLoginLimits } from "./login-limits.ts";

const settings = { attemptsPerAccount: 3, attemptsPerAddress: 5, windowSeconds: 600 };
const attempt = {
  tenant_id: "t",
  user: { type: "customer", dial_code: "91", mobile: "1234" },
  address: "192.0.2.1",
};
const refused = { retryAfterSeconds: expect.closeTo(600, -1) };

test("an account is limited, from whichever address", async () => {
  const limits = createLoginLimits(settings);
  const admit = (last: number) => limits.admit({ ...attempt, address: `192.0.2.${last}` });
  expect([await admit(1), await admit(2), await admit(3), await admit(4)]).toEqual([
    undefined,
    undefined,
    undefined,
    refused,
  ]);
});

test("an address is limited, for whichever account", async () => {
  const limits = createLoginLimits(settings);
  const admit = (mobile: number) =>
    limits.admit({ ...attempt, user: { ...attempt.user, mobile: `${mobile}` } });
  for (const mobile of [1, 2, 3, 4, 5]) expect(await admit(mobile)).toBeUndefined();
  expect(await admit(6)).toEqual(refused);
});

test("attempts that are made at once count as if one after another", async () => {
  const limits = createLoginLimits(settings);
  const answers = await Promise.all(
    Array.from({ length: 10 }, () => limits.admit({ ...attempt, address: undefined })),
  );
  expect(answers.filter((answer) => answer === undefined)).toHaveLength(3);
});

test("a success forgets the failures before it", async () => {
  const limits = createLoginLimits(settings);
  await limits.admit(attempt);
  await limits.admit(attempt);
  await limits.admit(attempt);
  await limits.succeeded(attempt);
  expect(await limits.admit(attempt)).toBeUndefined();
});

test("accounts of two tenants, roles or numbers are counted apart", async () => {
  const limits = createLoginLimits({ ...settings, attemptsPerAccount: 1, attemptsPerAddress: 100 });
  const others = [
    attempt,
    { ...attempt, tenant_id: "u" },
    { ...attempt, user: { ...attempt.user, type: "staff" } },
    { ...attempt, user: { ...attempt.user, dial_code: "9", mobile: "11234" } },
  ];
  for (const other of others) expect(await limits.admit(other)).toBeUndefined();
});
