import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openStore } from "../store/open.ts";
import type { LoginName, Store } from "../store/store.ts";
import {
  addressKey,
  createLoginLimits,
  type LimitedAttempt,
  type LoginLimitSettings,
  unlockAccount,
} from "./login-limits.ts";

const settings = {
  attemptsPerAccount: 3,
  attemptsPerAddress: 5,
  windowSeconds: 600,
  codesPerDay: 2,
  failuresPerTenant: 100,
};
const name = { tenant_id: "t", type: "customer", dial_code: "91", mobile: "1234" };
const attempt = { name, uuid: "phone", address: "192.0.2.1" };

let store: Store;
let now: number;
beforeEach(async () => {
  store = await openStore("file::memory:");
  now = Date.UTC(2026, 0, 1);
});
afterEach(() => store.close());

function limitsOf(changes: Partial<LoginLimitSettings> = {}) {
  return createLoginLimits({ store, clock: () => now }, { ...settings, ...changes });
}

/** Returns whether the caller learns that a guess was wrong. */
async function isOutcomeShown(changes: Partial<LimitedAttempt>, limits = limitsOf()): Promise<boolean> {
  return (await limits.settle({ ...attempt, ...changes }, "wrong")).admitted;
}

async function each<T>(count: number, of: (n: number) => Promise<T>): Promise<T[]> {
  const results = [];
  for (let n = 0; n < count; n++) results.push(await of(n));
  return results;
}

test("an account's attempts from all addresses count together", async () => {
  expect(await each(4, (n) => isOutcomeShown({ address: `192.0.2.${n}` }))).toEqual([
    true,
    true,
    true,
    false,
  ]);
});

test("an address's attempts on all accounts count together", async () => {
  const admitted = await each(6, (n) => isOutcomeShown({ name: { ...name, mobile: `${n}` } }));
  expect(admitted).toEqual([true, true, true, true, true, false]);
});

test("failures of one tenant's users do not lock an address for another tenant", async () => {
  await each(5, (n) => isOutcomeShown({ name: { ...name, mobile: `${n}` } }));
  expect(await isOutcomeShown({ name: { ...name, mobile: "5" } })).toBe(false);
  expect(await isOutcomeShown({ name: { ...name, tenant_id: "u" } })).toBe(true);
});

test("all addresses of one IPv6 network count as one address", async () => {
  const admitted = await each(6, (n) =>
    isOutcomeShown({ name: { ...name, mobile: `${n}` }, address: `2001:db8:1:2:${n}::1` }),
  );
  expect(admitted).toEqual([true, true, true, true, true, false]);
  expect(await isOutcomeShown({ name: { ...name, mobile: "7" }, address: "2001:db8:1:3::1" })).toBe(true);
});

test("attempts from a locked address do not lock an account", async () => {
  await each(5, (n) => isOutcomeShown({ name: { ...name, mobile: `${n}` } }));
  await each(9, () => isOutcomeShown({}));
  expect(await isOutcomeShown({ address: "192.0.2.2" })).toBe(true);
});

test("simultaneous guesses reveal no more than successive ones", async () => {
  const limits = limitsOf();
  const everywhere = { ...attempt, address: undefined };
  const admitted = await Promise.all(Array.from({ length: 10 }, () => limits.admit(everywhere)));
  expect(admitted.every((admission) => admission.admitted)).toBe(true);
  const outcomes = [...Array<"wrong">(3).fill("wrong"), "right", "wrong"] as const;
  const settled = await Promise.all(outcomes.map((outcome) => limits.settle(everywhere, outcome)));
  expect(settled.map((admission) => admission.admitted)).toEqual([true, true, true, false, false]);
});

test("only failures use up attempts, even if there are many successes at the same time", async () => {
  const limits = limitsOf();
  const outcomes = [
    ...Array<"right">(20).fill("right"),
    ...(["wrong", "right", "wrong", "right", "wrong", "right", "wrong"] as const),
  ];
  const settled = await Promise.all(outcomes.map((outcome) => limits.settle(attempt, outcome)));
  expect(settled.slice(20).map((admission) => admission.admitted)).toEqual([
    ...[true, true, true, true, true],
    ...[false, false],
  ]);
  expect(settled.slice(0, 20).every((admission) => admission.admitted)).toBe(true);
});

describe("turns in the queue", () => {
  const account = '["customer","91","1234"]';
  const other = { path: ["t", "other 192.0.2.1", account], costs: [1, 16] };

  test("are shared first between tenants, then between addresses, then between accounts", async () => {
    expect(await limitsOf().turnOf(attempt)).toEqual(other);
    expect(await limitsOf().turnOf({ ...attempt, address: undefined })).toEqual({
      ...other,
      path: ["t", "other ", account],
    });
  });

  test("cost least for a device with a session, and all devices of an account share them", async () => {
    await createSession({ uuid: "phone", address: "192.0.2.9" });
    await createSession({ uuid: "tablet", address: "192.0.2.9" });
    const device = { path: ["t", `device ${account}`], costs: [1, 1] };
    expect(await limitsOf().turnOf(attempt)).toEqual(device);
    expect(await limitsOf().turnOf({ ...attempt, uuid: "tablet", address: undefined })).toEqual(device);
    expect(await limitsOf().turnOf({ ...attempt, uuid: "another" })).toEqual(other);
    const stranger = { ...attempt, name: { ...name, mobile: "5678" } };
    expect(await limitsOf().turnOf(stranger)).toMatchObject({ costs: [1, 16] });
  });

  test("cost less for a day at an address of a login to the tenant, and all addresses of its user share them", async () => {
    const id = await createSession({ uuid: "phone", address: "192.0.2.1" });
    await createSession({ uuid: "tablet", address: "2001:db8::1" });
    const mobile = "5678";
    const turnAt = (address: string, tenant_id = "t") =>
      limitsOf().turnOf({ uuid: "new", name: { ...name, mobile, tenant_id }, address });
    const known = (network: string) => ({
      path: ["t", `knownAddress ${id}`, network, '["customer","91","5678"]'],
      costs: [1, 4],
    });
    expect(await turnAt("192.0.2.1")).toEqual(known("192.0.2.1"));
    expect(await turnAt("2001:db8::2")).toEqual(known("2001:db8:0:0::/64"));
    expect(await turnAt("192.0.2.1", "u")).toMatchObject({ costs: [1, 16] });
    now += 86_400_000 - 1;
    expect(await turnAt("192.0.2.1")).toMatchObject({ costs: [1, 4] });
    now += 1;
    expect(await turnAt("192.0.2.1")).toMatchObject({ costs: [1, 16] });
  });
});

test("checking the limits does not count an attempt, but an attempt on a locked account counts for its address", async () => {
  const limits = limitsOf({ attemptsPerAccount: 1, attemptsPerAddress: 3 });
  for (let n = 0; n < 9; n++) expect(await limits.admit(attempt)).toMatchObject({ admitted: true });
  await limits.settle(attempt, "wrong");
  const rejected = await each(3, () => limits.admit(attempt));
  expect(
    rejected.map(({ standings }) => standings.map(({ policy, remaining }) => [policy, remaining])),
  ).toEqual([
    [
      ["address", 1],
      ["account", 0],
    ],
    [
      ["address", 0],
      ["account", 0],
    ],
    [["address", 0]],
  ]);
});

test("many failures of a tenant are reported once per window and make its turns cost more, but no login is rejected", async () => {
  const reported: string[] = [];
  const limits = createLoginLimits(
    { store, clock: () => now, onManyFailures: (tenant_id) => reported.push(tenant_id) },
    { ...settings, attemptsPerAddress: 1000, failuresPerTenant: 4 },
  );
  const spray = (count: number) =>
    each(count, async (n) => {
      const mobile = `${now}${n}`;
      return (await limits.settle({ ...attempt, name: { ...name, mobile } }, "wrong")).admitted;
    });
  const costs = () =>
    Promise.all(
      [name, { ...name, tenant_id: "u" }].map(
        async (each) => (await limits.turnOf({ ...attempt, name: each })).costs?.[0],
      ),
    );
  await spray(4);
  expect([reported, await costs()]).toEqual([[], [1, 1]]);
  expect(await spray(9)).toEqual(Array(9).fill(true));
  expect([reported, await costs()]).toEqual([["t"], [4, 1]]);
  now += settings.windowSeconds * 1000;
  expect(await costs()).toEqual([1, 1]);
  await spray(5);
  expect([reported, await costs()]).toEqual([
    ["t", "t"],
    [4, 1],
  ]);
});

test("an admission contains the state of each limit", async () => {
  const limits = limitsOf();
  const account = { policy: "account", quota: 3, windowSeconds: 600, remaining: 2, resetSeconds: 600 };
  const address = { policy: "address", quota: 5, windowSeconds: 600, remaining: 4, resetSeconds: 600 };
  expect(await limits.settle(attempt, "wrong")).toMatchObject({
    admitted: true,
    standings: [address, account],
  });
  now += 1500;
  await limits.settle(attempt, "wrong");
  await limits.settle(attempt, "wrong");
  expect(await limits.admit(attempt)).toMatchObject({
    admitted: false,
    retryAfterSeconds: 599,
    standings: [
      { ...address, remaining: 1, resetSeconds: 599 },
      { ...account, remaining: 0, resetSeconds: 599 },
    ],
  });
});

test("an admission shows a caller only the failures of its own address, until the account is locked", async () => {
  const limits = limitsOf();
  const remaining = async (address: string) =>
    (await limits.settle({ ...attempt, address }, "wrong")).standings.at(-1)?.remaining;
  expect(await remaining("192.0.2.1")).toBe(2);
  now += 1000;
  const other = await limits.settle({ ...attempt, address: "192.0.2.2" }, "wrong");
  expect(other.standings[1]).toMatchObject({ policy: "account", remaining: 2, resetSeconds: 600 });
  expect([await remaining("192.0.2.1"), await remaining("192.0.2.2")]).toEqual([1, 0]);
});

test("a window ends after its length, and the response contains the remaining time", async () => {
  const limits = limitsOf();
  await each(3, () => limits.settle(attempt, "wrong"));
  now += 599_001;
  expect(await limits.admit(attempt)).toMatchObject({ admitted: false, retryAfterSeconds: 1 });
  now += 999;
  expect(await isOutcomeShown({}, limits)).toBe(true);
});

test("a success resets neither the account's failures nor the address's", async () => {
  const limits = limitsOf();
  await each(2, () => limits.settle(attempt, "wrong"));
  await (await limits.settle(attempt, "right")).forgetFailures();
  expect(await limits.admit(attempt)).toMatchObject({
    admitted: true,
    standings: [
      { policy: "address", remaining: 3 },
      { policy: "account", remaining: 1 },
    ],
  });
});

test("accounts of different tenants, roles or numbers are counted separately", async () => {
  const limits = limitsOf({ attemptsPerAccount: 1, attemptsPerAddress: 100 });
  const others: Partial<LoginName>[] = [
    {},
    { tenant_id: "u" },
    { type: "staff" },
    { dial_code: "9", mobile: "11234" },
  ];
  for (const other of others)
    expect(await isOutcomeShown({ name: { ...name, ...other } }, limits)).toBe(true);
});

describe("an account that someone else has locked", () => {
  const anyAddress = { address: undefined };
  beforeEach(async () => {
    await createSession({ uuid: "phone", address: "192.0.2.1" });
    await each(3, () => isOutcomeShown({ ...anyAddress, uuid: "attacker" }));
  });

  test("is locked for devices without a session, like an account that does not exist", async () => {
    const unknown = { ...name, mobile: "0000" };
    await each(3, () => isOutcomeShown({ ...anyAddress, name: unknown }));
    for (const locked of [name, unknown]) {
      const rejected = await limitsOf().admit({ ...attempt, ...anyAddress, name: locked, uuid: "other" });
      expect(rejected).toMatchObject({ admitted: false, standings: [{ policy: "account", remaining: 0 }] });
    }
  });

  test("still allows all attempts from a device with a session, and a login there does not unlock it for other devices", async () => {
    const limits = limitsOf();
    expect(await each(4, () => isOutcomeShown(anyAddress))).toEqual([true, true, true, false]);
    now += settings.windowSeconds * 1000;
    await each(3, () => isOutcomeShown({ ...anyAddress, uuid: "attacker" }));
    await (await limits.settle({ ...attempt, ...anyAddress }, "right")).forgetFailures();
    expect(await isOutcomeShown({ ...anyAddress, uuid: "attacker" })).toBe(false);
    expect(await each(4, () => isOutcomeShown(anyAddress))).toEqual([true, true, true, false]);
  });

  test("can be used again after an operator unlocks it", async () => {
    const limits = limitsOf();
    await each(2, () => limits.settleCode(name, "wrong"));
    await unlockAccount(store, name);
    expect(await isOutcomeShown({ ...anyAddress, uuid: "other" })).toBe(true);
    expect(await limits.settleCode(name, "wrong")).toMatchObject({ admitted: true });
  });
});

test("wrong codes are limited per day, and a correct one resets the count", async () => {
  const limits = limitsOf();
  const code = { policy: "code", quota: 2, windowSeconds: 86_400 };
  await each(2, () => limits.settleCode(name, "wrong"));
  now += 86_399_000;
  expect(await limits.settleCode(name, "wrong")).toMatchObject({
    admitted: false,
    retryAfterSeconds: 1,
    standings: [{ ...code, remaining: 0, resetSeconds: 1 }],
  });
  now += 1000;
  await limits.settleCode(name, "wrong");
  await (await limits.settleCode(name, "right")).forgetFailures();
  expect(await limits.settleCode(name, "wrong")).toMatchObject({ standings: [{ ...code, remaining: 1 }] });
});

/** Creates a session of the account `name`. Returns the user's id. */
async function createSession({ uuid, address }: { uuid: string; address: string }): Promise<string> {
  let user = await store.users.findByLogin(name);
  if (user === undefined) {
    await store.tenants.create({ id: "t", name: "T", auth_type: 3 });
    const texts = { password_hash: "", first_name: "", last_name: "", email: "", profile_pic: "" };
    const mfa = { totp_secret: null, totp_key_id: null };
    await store.users.create({ ...name, ...texts, ...mfa, id: randomUUID(), email_verified: false });
    user = await store.users.findByLogin(name);
  }
  const { id = "" } = user ?? {};
  const keys = { auth_hash: `a ${uuid}`, refresh_hash: `r ${uuid}` };
  const times = { created_at: now, auth_expires_at: now + 1, refresh_expires_at: now + 1 };
  const address_key = addressKey("t", address);
  expect(await store.sessions.replace({ user_id: id, uuid, address_key, ...keys, ...times }, 0, 50)).toBe(
    true,
  );
  return id;
}
