/** Tests what every store must do. The test file of each database runs this suite. */
import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  DuplicateUserError,
  type LoginName,
  type NewApiKey,
  type NewCommission,
  type NewUser,
  type Session,
  type Store,
  StoreUnavailableError,
} from "./store.ts";

const now = Date.UTC(2026, 0, 1);

/** `openEmpty` opens a store on a new database. */
export function describeStore(name: string, openEmpty: () => Promise<Store>): void {
  describe(`${name} as a store`, () => {
    let store: Store;
    beforeEach(async () => {
      store = await openEmpty();
    });
    afterEach(() => store.close());

    test("a new database accepts writes", async () => {
      await expect(store.assertWritable()).resolves.toBeUndefined();
    });

    test("only one of several simultaneous first tenants is created, and none if a tenant already exists", async () => {
      const results = await Promise.all(
        ["a", "b", "c"].map((id) => store.tenants.createFirst({ id, name: id, auth_type: 3 })),
      );
      expect(results.toSorted()).toEqual([false, false, true]);
      expect(await store.tenants.createFirst({ id: "d", name: "d", auth_type: 3 })).toBe(false);
      expect(await store.tenants.list()).toHaveLength(1);
    });

    test("a first tenant is created completely or not at all", async () => {
      const key = apiKey({ id: "k1", tenant_id: "a", kind: "secret", hash: "h1" });
      const hook = { tenant_id: "a", url: "https://a.example", events: ["order.created"] };
      const person = user("a");
      const whole = { apiKeys: [key], users: [person], webhooks: [hook] };
      for (const broken of [
        { ...whole, apiKeys: [key, key] },
        { ...whole, users: [person, { ...person, id: "u2" }] },
        { ...whole, webhooks: [hook, { ...hook, tenant_id: "none" }] },
      ]) {
        await expect(store.tenants.createFirst(tenant("a"), broken)).rejects.toThrow();
        expect(await store.tenants.list()).toEqual([]);
      }
      expect(await store.tenants.createFirst(tenant("a"), whole)).toBe(true);
      expect(await store.apiKeys.list("a")).toMatchObject([{ id: "k1", tenant_id: "a", kind: "secret" }]);
      expect(await store.users.list("a")).toEqual([{ ...person, credential_version: 0 }]);
      expect(await store.webhooks.list("a")).toEqual([{ ...hook, id: expect.any(Number) }]);
      const late = { ...whole, apiKeys: [{ ...key, id: "k2", hash: "h2" }] };
      expect(await store.tenants.createFirst(tenant("b"), late)).toBe(false);
      expect(await store.apiKeys.list("a")).toHaveLength(1);
    });

    test("a closed store rejects every call as unavailable, and can be closed again", async () => {
      await store.close();
      await store.close();
      await expect(store.assertWritable()).rejects.toThrow(StoreUnavailableError);
      await expect(store.tenants.list()).rejects.toThrow(StoreUnavailableError);
      await expect(store.tenants.create(tenant("late"))).rejects.toThrow(StoreUnavailableError);
    });

    test("close() waits for running writes", async () => {
      const writes = Promise.all(["a", "b", "c"].map((id) => store.tenants.create(tenant(id))));
      await store.close();
      await expect(writes).resolves.toEqual([undefined, undefined, undefined]);
    });

    test("tenants are listed in the order of creation and found by id", async () => {
      await store.tenants.create({ id: "b", name: "First", auth_type: 3 });
      await store.tenants.create({ id: "a", name: "Second", auth_type: 7 });
      expect(await store.tenants.list()).toEqual([
        { id: "b", name: "First", auth_type: 3 },
        { id: "a", name: "Second", auth_type: 7 },
      ]);
      expect(await store.tenants.find("a")).toEqual({ id: "a", name: "Second", auth_type: 7 });
      expect(await store.tenants.find("c")).toBeUndefined();
    });

    test("data of a tenant that does not exist is rejected", async () => {
      await expect(store.webhooks.create({ tenant_id: "none", url: "u", events: [] })).rejects.toThrow();
      await expect(store.users.create(user("none"))).rejects.toThrow();
      await expect(store.commissions.submit(commission("none", "h"))).rejects.toThrow();
    });

    describe("attempts", () => {
      const attempt = { key: "k", limit: 3, windowMs: 1000, now };
      const admitted = (remaining: number) => ({ admitted: true, remaining, window_ends_at: now + 1000 });
      const rejected = { admitted: false, remaining: 0, window_ends_at: now + 1000 };

      test("are admitted up to the limit, and again when the window of the first attempt has ended", async () => {
        const results = [];
        for (const ms of [0, 1, 500, 600, 999, 1000, 1001, 1002, 1003]) {
          results.push(await store.attempts.count({ ...attempt, now: now + ms }));
        }
        const next = { admitted: true, window_ends_at: now + 2000 };
        expect(results).toEqual([
          ...[admitted(2), admitted(1), admitted(0), rejected, rejected],
          ...[2, 1, 0].map((remaining) => ({ ...next, remaining })),
          { ...next, admitted: false, remaining: 0 },
        ]);
      });

      test("that are made at the same time are admitted only up to the limit", async () => {
        const results = await Promise.all(Array.from({ length: 30 }, () => store.attempts.count(attempt)));
        const left = results.filter((result) => result.admitted).map(({ remaining }) => remaining);
        expect(left.toSorted()).toEqual([0, 1, 2]);
        expect(results.filter((result) => !result.admitted)).toEqual(Array(27).fill(rejected));
      });

      test("are rejected for at most two windows if a window began while the clock was ahead", async () => {
        const ahead = async (ms: number) => {
          const key = `ahead by ${ms}`;
          for (let n = 0; n < 3; n++) await store.attempts.count({ ...attempt, key, now: now + ms });
          return store.attempts.count({ ...attempt, key });
        };
        expect(await ahead(1000)).toEqual({ ...rejected, window_ends_at: now + 2000 });
        expect(await ahead(1001)).toEqual(admitted(2));
        expect(await ahead(1e10)).toEqual(admitted(2));
      });

      test("that succeed are admitted until failures reach the limit", async () => {
        for (let n = 0; n < 9; n++) expect(await store.attempts.findNext(attempt)).toEqual(admitted(3));
        for (let n = 0; n < 2; n++) await store.attempts.count(attempt);
        for (let n = 0; n < 9; n++) expect(await store.attempts.findNext(attempt)).toEqual(admitted(1));
        await store.attempts.count(attempt);
        expect(await store.attempts.findNext(attempt)).toEqual(rejected);
      });

      test("are counted by count() and only read by find()", async () => {
        const find = (ms = 0) => store.attempts.find({ ...attempt, now: now + ms });
        expect(await find()).toEqual(admitted(3));
        for (const left of [2, 1]) {
          await store.attempts.count(attempt);
          expect([await find(), await find()]).toEqual([admitted(left), admitted(left)]);
        }
        await store.attempts.count(attempt);
        expect(await find(999)).toEqual(rejected);
        expect(await find(1000)).toEqual({ admitted: true, remaining: 3, window_ends_at: now + 2000 });
        expect(await find(-1001)).toEqual({ admitted: true, remaining: 3, window_ends_at: now - 1 });
      });

      test("that are reset lose both count and window", async () => {
        for (let n = 0; n < 4; n++) await store.attempts.count(attempt);
        await store.attempts.forget("k");
        expect(await store.attempts.count({ ...attempt, now: now + 500 })).toEqual({
          admitted: true,
          remaining: 2,
          window_ends_at: now + 1500,
        });
      });
    });

    describe("with two tenants", () => {
      beforeEach(async () => {
        await store.tenants.create(tenant("t1"));
        await store.tenants.create(tenant("t2"));
      });

      test("an active API key is found by its hash, and listed for its tenant without the hash", async () => {
        const details = { name: "Shop", last_four: "wxyz", operations: ["getWebhook"], expires_at: now + 9 };
        const listed = { tenant_id: "t1", created_at: now, revoked_at: null, last_used_at: null };
        const absent = { name: null, last_four: null, operations: null, expires_at: null };
        await createKey({ id: "k2", kind: "secret", hash: "h2" });
        await createKey({ id: "k1", kind: "publishable", hash: "h1", created_at: now + 1, ...details });
        await createKey({ id: "k3", kind: "secret", hash: "h3", tenant_id: "t2" });
        expect(await store.apiKeys.findActiveByHash("h1")).toEqual({
          ...{ id: "k1", tenant_id: "t1", kind: "publishable" },
          ...{ operations: ["getWebhook"], expires_at: now + 9 },
        });
        expect(await store.apiKeys.findActiveByHash("h4")).toBeUndefined();
        expect(await store.apiKeys.list("t1")).toEqual([
          { ...listed, ...absent, id: "k2", kind: "secret" },
          { ...listed, ...details, id: "k1", kind: "publishable", created_at: now + 1 },
        ]);
        expect(await store.apiKeys.find("k2")).toEqual({ ...listed, ...absent, id: "k2", kind: "secret" });
        expect(await store.apiKeys.find("h2")).toBeUndefined();
      });

      test("a revoked key is no longer found, stays listed, and keeps the time of its first revocation", async () => {
        await createKey({ id: "k1", kind: "secret", hash: "h1" });
        expect(await store.apiKeys.findActiveByHash("h1")).toBeDefined();
        const revoked = { ...(await store.apiKeys.find("k1")), revoked_at: now + 5 };
        expect(await store.apiKeys.revoke({ id: "k1" }, now + 5)).toEqual(revoked);
        expect(await store.apiKeys.findActiveByHash("h1")).toBeUndefined();
        expect(await store.apiKeys.revoke({ id: "k1" }, now + 9)).toEqual(revoked);
        expect(await store.apiKeys.revoke({ hash: "h1" }, now + 9)).toEqual(revoked);
        expect(await store.apiKeys.list("t1")).toEqual([revoked]);
        for (const absent of [{ id: "k9" }, { hash: "h9" }, { id: "h1" }, { hash: "k1" }])
          expect(await store.apiKeys.revoke(absent, now)).toBeUndefined();
      });

      test("a rotated key expires when the overlap ends, or earlier if it already would, and its successor is found", async () => {
        await createKey({ id: "old", kind: "secret", hash: "h1" });
        await createKey({ id: "short", kind: "secret", hash: "h2", expires_at: now + 3 });
        expect((await store.apiKeys.findActiveByHash("h1"))?.expires_at).toBeNull();
        for (const [id, expires_at] of Object.entries({ old: now + 5, short: now + 3 })) {
          const successor = apiKey({ id: `after ${id}`, kind: "secret", hash: `after ${id}` });
          const before = await store.apiKeys.find(id);
          if (before === undefined) throw new Error(`The key ${id} was not created.`);
          const rotated = await store.apiKeys.rotate(before, successor, now + 5);
          expect(rotated).toEqual({ ...before, expires_at });
          expect(await store.apiKeys.find(id)).toEqual(rotated);
          expect(await store.apiKeys.findActiveByHash(successor.hash)).toMatchObject({ id: successor.id });
        }
        expect((await store.apiKeys.findActiveByHash("h1"))?.expires_at).toBe(now + 5);
      });

      test("a revoked, expired or missing key is not rotated and gets no successor", async () => {
        await createKey({ id: "revoked", kind: "secret", hash: "h1" });
        await store.apiKeys.revoke({ id: "revoked" }, now);
        await createKey({ id: "expired", kind: "secret", hash: "h2", expires_at: now });
        const before = await store.apiKeys.list("t1");
        const successor = apiKey({ id: "new", kind: "secret", hash: "h3" });
        for (const old of [...before, { id: "none", expires_at: null }])
          expect(await store.apiKeys.rotate(old, successor, now + 5)).toBeUndefined();
        expect(await store.apiKeys.list("t1")).toEqual(before);
      });

      test("only one of several simultaneous rotations of a key succeeds", async () => {
        await createKey({ id: "old", kind: "secret", hash: "h1" });
        const rotations = Array.from({ length: 5 }, (_, n) =>
          store.apiKeys.rotate(
            { id: "old", expires_at: null },
            apiKey({ id: `new ${n}`, kind: "secret", hash: `new ${n}` }),
            now + 5,
          ),
        );
        expect((await Promise.all(rotations)).filter((old) => old !== undefined)).toHaveLength(1);
        expect(await store.apiKeys.list("t1")).toHaveLength(2);
      });

      test("the last use of a key never becomes earlier, even if writes arrive in another order", async () => {
        for (const id of ["k1", "k2", "k3"]) await createKey({ id, kind: "secret", hash: id });
        const uses = async () =>
          Object.fromEntries(
            (await store.apiKeys.list("t1")).map(({ id, last_used_at }) => [id, last_used_at]),
          );
        await store.apiKeys.noteUses(new Map(Object.entries({ k2: now + 2, k1: now + 1, none: now })));
        expect(await uses()).toEqual({ k1: now + 1, k2: now + 2, k3: null });
        await Promise.all([
          store.apiKeys.noteUses(new Map(Object.entries({ k1: now + 5, k2: now }))),
          store.apiKeys.noteUses(new Map(Object.entries({ k2: now + 1, k1: now + 4 }))),
        ]);
        expect(await uses()).toEqual({ k1: now + 5, k2: now + 2, k3: null });
      });

      test("a user is found by tenant, type, dial code and mobile together, with all properties", async () => {
        const created = user("t1", {
          email_verified: true,
          totp_secret: "JBSWY3DPEHPK3PXP",
          totp_key_id: "k",
        });
        await store.users.create(created);
        expect(await store.users.findByLogin(loginName())).toEqual({ ...created, credential_version: 0 });
        expect(await store.users.findByLogin(loginName({ tenant_id: "t2" }))).toBeUndefined();
        expect(await store.users.findByLogin(loginName({ type: "seller" }))).toBeUndefined();
        expect(await store.users.findByLogin(loginName({ dial_code: "1" }))).toBeUndefined();
        expect(await store.users.findByLogin(loginName({ mobile: "09876543210" }))).toBeUndefined();
      });

      test("a second user with the same number and type is rejected, but one with another type or tenant is not", async () => {
        await store.users.create(user("t1"));
        await expect(store.users.create(user("t1"))).rejects.toThrow(DuplicateUserError);
        await store.users.create(user("t1", { type: "seller" }));
        await store.users.create(user("t2"));
      });

      test("only one of several simultaneous creations of the same user succeeds, and other users are created", async () => {
        const outcomes = await Promise.allSettled([
          store.users.create(user("t1")),
          store.users.create(user("t1", { mobile: "5550001" })),
          store.users.create(user("t1")),
          store.users.create(user("t1", { mobile: "5550002" })),
        ]);
        const rejected = { status: "rejected", reason: expect.any(DuplicateUserError) };
        const created = { status: "fulfilled", value: undefined };
        expect(outcomes).toContainEqual(rejected);
        expect(outcomes.filter(({ status }) => status === "fulfilled")).toEqual([created, created, created]);
        expect(outcomes.filter((_, index) => index % 2 === 1)).toEqual([created, created]);
        expect(await store.users.findByLogin(loginName({ mobile: "5550001" }))).toBeDefined();
        expect(await store.users.findByLogin(loginName({ mobile: "5550002" }))).toBeDefined();
      });

      test("a number or type that contains U+0000 finds no user", async () => {
        await store.users.create(user("t1"));
        expect(await store.users.findByLogin(loginName({ type: "customer\0" }))).toBeUndefined();
        expect(await store.users.findByLogin(loginName({ mobile: "\u00009876543210" }))).toBeUndefined();
      });

      test("a TOTP step works once, and not after a later step was used", async () => {
        const { id } = await createUser();
        expect(await store.users.consumeTotpStep(id, 100)).toBe(true);
        expect(await store.users.consumeTotpStep(id, 100)).toBe(false);
        expect(await store.users.consumeTotpStep(id, 99)).toBe(false);
        expect(await store.users.consumeTotpStep(id, 101)).toBe(true);
        expect(await store.users.consumeTotpStep(randomUUID(), 101)).toBe(false);
      });

      test("only one of several simultaneous uses of a TOTP step succeeds", async () => {
        const { id } = await createUser();
        const outcomes = await Promise.all(
          Array.from({ length: 20 }, () => store.users.consumeTotpStep(id, 7)),
        );
        expect(outcomes.filter((used) => used)).toEqual([true]);
      });

      test("a last TOTP step in the far future is lowered, and any other step stays unchanged", async () => {
        const { id } = await createUser();
        await store.users.lowerTotpStep(id, { beyond: 10, last: 5 });
        await store.users.consumeTotpStep(id, 100);
        await store.users.lowerTotpStep(id, { beyond: 100, last: 90 });
        expect(await store.users.consumeTotpStep(id, 100)).toBe(false);
        await store.users.lowerTotpStep(id, { beyond: 99, last: 90 });
        expect(await store.users.consumeTotpStep(id, 90)).toBe(false);
        expect(await store.users.consumeTotpStep(id, 91)).toBe(true);
      });

      test("users are found by id, and listed for their tenant by number and type", async () => {
        const later = await createUser("5550002");
        const seller = await createUser("5550001", { type: "seller" });
        const customer = await createUser("5550001");
        await store.users.create(user("t2"));
        const stored = [customer, seller, later].map((one) => ({ ...one, credential_version: 0 }));
        expect(await store.users.list("t1")).toEqual(stored);
        expect(await store.users.find(later.id)).toEqual(stored[2]);
        expect(await store.users.find(randomUUID())).toBeUndefined();
      });

      test("a new password or changed MFA ends only this user's sessions", async () => {
        const { id } = await createUser();
        const other = await createUser("5550001");
        const changes = [
          () => store.users.setPassword(id, "$argon2id$new"),
          () => store.users.setTotp(id, { totp_secret: "S", totp_key_id: "k" }),
          () => store.users.setTotp(id, null),
        ];
        await store.sessions.replace(session(other.id, "phone", 99), 0, 50);
        for (const [version, change] of changes.entries()) {
          await store.sessions.replace(session(id, "phone", version), version, 50);
          expect(await store.sessions.findByAuthHash(`auth${version}`)).toBeDefined();
          expect(await change()).toBe(true);
          expect(await store.sessions.findByAuthHash(`auth${version}`)).toBeUndefined();
        }
        expect(await store.users.find(id)).toEqual({
          ...user("t1", { id, password_hash: "$argon2id$new" }),
          credential_version: 3,
        });
        expect(await store.sessions.findByAuthHash("auth99")).toBeDefined();
      });

      test("a login creates no session if its user was changed or removed after the password was verified", async () => {
        const { id } = await createUser();
        await store.users.setPassword(id, "$argon2id$new");
        expect(await store.sessions.replace(session(id, "phone", 1), 0, 50)).toBe(false);
        expect(await store.sessions.replace(session(id, "phone", 1), 1, 50)).toBe(true);
        await store.users.remove(id);
        expect(await store.sessions.replace(session(id, "phone", 2), 1, 50)).toBe(false);
        expect(await store.sessions.findByAuthHash("auth2")).toBeUndefined();
      });

      test("a change of the user ends the sessions of all simultaneous logins", async () => {
        const { id } = await createUser();
        const numbers = Array.from({ length: 20 }, (_, n) => n);
        await Promise.all(numbers.map((n) => store.sessions.replace(session(id, `device ${n}`, n), 0, 50)));
        const later = { created_at: now + 3000, refresh_expires_at: now + 9000 };
        const logIn = (n: number) =>
          store.sessions.replace({ ...session(id, `device ${n}`, 100 + n), ...later }, 0, 50);
        const change = () => store.users.setPassword(id, "$argon2id$new");
        await Promise.all([...numbers.slice(10).map(logIn), change(), ...numbers.slice(0, 10).map(logIn)]);
        const hashes = numbers.flatMap((n) => [`auth${n}`, `auth${100 + n}`]);
        const found = await Promise.all(hashes.map((hash) => store.sessions.findByAuthHash(hash)));
        expect(found.filter((one) => one !== undefined)).toEqual([]);
      });

      test("a removed user is deleted together with the sessions, and the number can be registered again", async () => {
        const { id } = await createUser();
        await store.sessions.replace(session(id, "phone", 1), 0, 50);
        expect(await store.users.remove(id)).toBe(true);
        expect(await store.users.findByLogin(loginName())).toBeUndefined();
        expect(await store.sessions.findByAuthHash("auth1")).toBeUndefined();
        await createUser();
      });

      test("a missing user cannot be changed or removed", async () => {
        const id = randomUUID();
        expect([
          await store.users.setPassword(id, "h"),
          await store.users.setTotp(id, null),
          await store.users.remove(id),
        ]).toEqual([false, false, false]);
      });

      test("rehashing a password ends no session, and happens only if the hash has not changed", async () => {
        const { id, password_hash } = await createUser();
        await store.sessions.replace(session(id, "phone", 1), 0, 50);
        await store.users.rehashPassword(id, password_hash, "better");
        await store.users.rehashPassword(id, password_hash, "late");
        expect(await store.users.find(id)).toMatchObject({ password_hash: "better", credential_version: 0 });
        expect(await store.sessions.findByAuthHash("auth1")).toBeDefined();
      });

      test("TOTP secrets are counted by key, and secrets under other keys are listed and replaced", async () => {
        await createUser("5550001");
        const plain = await createUser("5550002", { totp_secret: "A" });
        const old = await createUser("5550003", { totp_secret: "B", totp_key_id: "old" });
        await createUser("5550004", { totp_secret: "C", totp_key_id: "new" });
        const older = await createUser("5550005", { totp_secret: "D", totp_key_id: "ancient" });
        expect(await store.users.countTotpKeys()).toEqual([
          { totp_key_id: null, users: 1 },
          { totp_key_id: "ancient", users: 1 },
          { totp_key_id: "new", users: 1 },
          { totp_key_id: "old", users: 1 },
        ]);
        const others = [plain, old, older].map(({ id, totp_secret, totp_key_id }) => ({
          ...{ id, totp_secret, totp_key_id },
        }));
        const listed = await store.users.listTotpNotUnder("new", 9);
        expect(listed).toHaveLength(others.length);
        expect(listed).toEqual(expect.arrayContaining(others));
        const [one, ...more] = await store.users.listTotpNotUnder("new", 1);
        expect(others).toContainEqual(one);
        expect(more).toEqual([]);
        await store.users.reencryptTotp(old.id, "B", { totp_secret: "B2", totp_key_id: "new" });
        await store.users.reencryptTotp(old.id, "B", { totp_secret: "late", totp_key_id: "late" });
        expect(await store.users.find(old.id)).toMatchObject({
          ...{ totp_secret: "B2", totp_key_id: "new", credential_version: 0 },
        });
      });

      test("a device is recognised only by a session of the account with the device's uuid", async () => {
        const { id } = await createUser();
        await createUser("5550001");
        await store.sessions.replace(session(id, "phone", 1), 0, 50);
        expect(await store.sessions.hasDevice(loginName(), "phone")).toBe(true);
        for (const other of [
          { tenant_id: "t2" },
          { type: "seller" },
          { dial_code: "1" },
          { mobile: "5550001" },
        ]) {
          expect(await store.sessions.hasDevice(loginName(other), "phone")).toBe(false);
        }
        expect(await store.sessions.hasDevice(loginName(), "tablet")).toBe(false);
        expect(await store.sessions.hasDevice(loginName({ type: "customer\0" }), "phone\0")).toBe(false);
      });

      test("a network is recognised by the oldest session of a period from there, until the session is replaced or its user is removed", async () => {
        const users = [await createUser(), await createUser("5550001")];
        const [{ id: first = "" } = {}, { id: second = "" } = {}] = users;
        const at = (user_id: string, uuid: string, n: number, address_key: string | null, ms: number) =>
          store.sessions.replace({ ...session(user_id, uuid, n), address_key, created_at: now + ms }, 0, 50);
        const period = { after: now, until: now + 1000 };
        const found = () => store.sessions.findUserByAddress("home", period);
        await at(first, "phone", 1, "home", 0);
        await at(first, "tablet", 2, "office", 500);
        await at(first, "desktop", 3, null, 500);
        await at(second, "desktop", 4, "home", 1001);
        expect(await found()).toBeUndefined();
        await at(second, "phone", 5, "home", 1000);
        expect(await found()).toBe(second);
        await at(first, "phone", 6, "home", 1);
        expect(await found()).toBe(first);
        expect(await store.sessions.findByAuthHash("auth6")).toMatchObject({ address_key: "home" });
        await at(first, "phone", 7, "office", 1);
        expect(await found()).toBe(second);
        await store.users.remove(second);
        expect(await found()).toBeUndefined();
      });

      test("a replaced session's keys no longer work, but another device's keys still do", async () => {
        const { id } = await createUser();
        const first = session(id, "phone", 1);
        const second = session(id, "phone", 2);
        const other = session(id, "tablet", 3);
        await store.sessions.replace(other, 0, 50);
        await store.sessions.replace(first, 0, 50);
        expect(await store.sessions.findByAuthHash("auth1")).toEqual(first);
        await store.sessions.replace(second, 0, 50);
        expect(await store.sessions.findByAuthHash("auth1")).toBeUndefined();
        expect(await store.sessions.findByAuthHash("auth2")).toEqual(second);
        expect(await store.sessions.findByAuthHash("auth3")).toEqual(other);
      });

      test("devices are distinguished by every character of the uuid, even U+0000", async () => {
        const { id } = await createUser();
        const names = ["phone", "phone\0", "\0phone", "पुणे", "\u{1F4F1}", "P".repeat(128)];
        const stored = names.map((name, n) => session(id, name, n));
        for (const one of stored) await store.sessions.replace(one, 0, 50);
        const found = await Promise.all(stored.map((one) => store.sessions.findByAuthHash(one.auth_hash)));
        expect(found).toEqual(stored);
      });

      test("only one of several simultaneous sessions on one device remains", async () => {
        const { id } = await createUser();
        const numbers = Array.from({ length: 10 }, (_, n) => n);
        await Promise.all(numbers.map((n) => store.sessions.replace(session(id, "phone", n), 0, 50)));
        const found = await Promise.all(numbers.map((n) => store.sessions.findByAuthHash(`auth${n}`)));
        expect(found.filter((one) => one !== undefined)).toHaveLength(1);
      });

      test("a new session deletes expired sessions of the same user only", async () => {
        const { id } = await createUser();
        const other = await createUser("5550001");
        await store.sessions.replace(session(id, "old", 1), 0, 50);
        await store.sessions.replace(session(other.id, "old", 2), 0, 50);
        await store.sessions.replace({ ...session(id, "new", 3), created_at: now + 2000 }, 0, 50);
        expect(await store.sessions.findByAuthHash("auth1")).toBeUndefined();
        expect(await store.sessions.findByAuthHash("auth2")).toEqual(session(other.id, "old", 2));
      });

      describe("if a user has more sessions than permitted,", () => {
        const most = 3;
        /** Returns a session on another device that begins `ms` after now. */
        const later = (user_id: string, n: number, ms: number) => ({
          ...session(user_id, `device ${n}`, n),
          created_at: now + ms,
          refresh_expires_at: now + ms + 2000,
        });
        const left = async (ns: number[]) => {
          const found = await Promise.all(ns.map((n) => store.sessions.findByAuthHash(`auth${n}`)));
          return ns.filter((_, index) => found[index] !== undefined);
        };

        test("the oldest sessions of this user are deleted", async () => {
          const { id } = await createUser();
          const other = await createUser("5550001");
          await store.sessions.replace(later(other.id, 9, 0), 0, most);
          for (const n of [1, 2, 3]) await store.sessions.replace(later(id, n, n), 0, most);
          await store.sessions.replace({ ...later(id, 4, 4), uuid: "device 1" }, 0, most);
          expect(await left([1, 2, 3, 4, 9])).toEqual([2, 3, 4, 9]);
          await store.sessions.replace(later(id, 5, 5), 0, most);
          expect(await left([2, 3, 4, 5, 9])).toEqual([3, 4, 5, 9]);
        });

        test("the permitted number remains, even after simultaneous logins", async () => {
          const { id } = await createUser();
          const numbers = Array.from({ length: 20 }, (_, n) => n);
          await Promise.all(numbers.map((n) => store.sessions.replace(later(id, n, 0), 0, most)));
          expect(await left(numbers)).toHaveLength(most);
        });

        test("sessions from a clock that was ahead are deleted first, and immediately if it was far ahead", async () => {
          const { id } = await createUser();
          for (const [n, ms] of [2002, 1500].entries())
            await store.sessions.replace(later(id, n, ms), 0, most);
          expect(await left([0, 1])).toEqual([0, 1]);
          await store.sessions.replace(later(id, 2, 1), 0, most);
          expect(await left([0, 1, 2])).toEqual([1, 2]);
          for (const n of [3, 4]) await store.sessions.replace(later(id, n, n), 0, most);
          expect(await left([1, 2, 3, 4])).toEqual([2, 3, 4]);
        });
      });

      test("a user's simultaneous logins replace all expired sessions of their devices", async () => {
        const { id } = await createUser();
        const numbers = Array.from({ length: 20 }, (_, n) => n);
        await Promise.all(numbers.map((n) => store.sessions.replace(session(id, `device ${n}`, n), 0, 50)));
        const renewed = numbers.map((n) => ({
          ...session(id, `device ${n}`, 100 + n),
          created_at: now + 2000,
          refresh_expires_at: now + 4000,
        }));
        await Promise.all(renewed.map((one) => store.sessions.replace(one, 0, 50)));
        const found = await Promise.all(renewed.map((one) => store.sessions.findByAuthHash(one.auth_hash)));
        expect(found).toEqual(renewed);
      });

      test("a write that fails after its first statement is rolled back", async () => {
        const { id } = await createUser();
        const other = await createUser("5550001");
        await store.sessions.replace(session(id, "old", 1), 0, 50);
        await store.sessions.replace(session(other.id, "phone", 2), 0, 50);
        const clashing = { ...session(id, "new", 2), created_at: now + 2000 };
        await expect(store.sessions.replace(clashing, 0, 50)).rejects.toThrow();
        expect(await store.sessions.findByAuthHash("auth1")).toEqual(session(id, "old", 1));
      });

      test("equal definitions of a tenant have one record, and another definition or tenant has its own record", async () => {
        const first = await store.commissions.submit(commission("t1", "h1", 2.5));
        expect(first).toEqual({ id: expect.any(Number), rate: 2.5 });
        expect(await store.commissions.submit(commission("t1", "h1", 2.5))).toEqual(first);
        const others = [
          await store.commissions.submit(commission("t1", "h2")),
          await store.commissions.submit(commission("t2", "h1")),
        ];
        expect(new Set([first, ...others].map((record) => record?.id)).size).toBe(3);
      });

      test("simultaneous submissions of one definition return the same record", async () => {
        const records = await Promise.all(
          Array.from({ length: 20 }, () => store.commissions.submit(commission("t1", "h1", 5))),
        );
        expect(new Set(records.map((record) => record?.id)).size).toBe(1);
      });

      test("simultaneous submissions do not exceed a tenant's quota, and stored definitions can still be submitted", async () => {
        await store.commissions.submit(commission("t2", "h0"));
        const submitAll = () =>
          Promise.all(
            Array.from({ length: 20 }, (_, n) => store.commissions.submit(commission("t1", `h${n >> 1}`), 3)),
          );
        const records = await submitAll();
        expect(new Set(records.map((record) => record?.id)).size).toBe(4);
        expect(records.filter((record) => record !== undefined)).toHaveLength(6);
        expect(await submitAll()).toEqual(records);
        expect(await store.commissions.submit(commission("t2", "h1"), 2)).toBeDefined();
      });

      test("a rate is stored without rounding", async () => {
        for (const rate of [0, 0.1, 12.5, Number.MIN_VALUE, Number.MAX_VALUE, Number.MAX_SAFE_INTEGER]) {
          const record = await store.commissions.submit(commission("t1", `rate ${rate}`, rate));
          expect(record).toEqual({ id: expect.any(Number), rate });
        }
      });

      test("a webhook is returned unchanged, and only to its tenant", async () => {
        const webhook = {
          tenant_id: "t1",
          url: "https://example.com/hook?a=1",
          events: ["order.paid", "order.created"],
        };
        const created = await store.webhooks.create(webhook);
        expect(created).toEqual({ id: expect.any(Number), ...webhook });
        expect(await store.webhooks.find("t1", created.id)).toEqual(created);
        expect(await store.webhooks.list("t1")).toEqual([created]);
        expect(await store.webhooks.find("t2", created.id)).toBeUndefined();
        expect(await store.webhooks.list("t2")).toEqual([]);
      });

      test("a webhook's URL and events can be changed separately, and only by its tenant", async () => {
        const webhook = { tenant_id: "t1", url: "https://a.example", events: ["a.b"] };
        const created = await store.webhooks.create(webhook);
        expect(await store.webhooks.find("t1", created.id)).toEqual(created);
        const moved = { ...created, url: "https://b.example" };
        expect(await store.webhooks.update("t1", created.id, { url: moved.url })).toEqual(moved);
        const changed = { ...moved, events: ["c.d", "a.b"] };
        expect(await store.webhooks.update("t1", created.id, { events: changed.events })).toEqual(changed);
        expect(await store.webhooks.find("t1", created.id)).toEqual(changed);
        const { url } = webhook;
        expect(await store.webhooks.update("t2", created.id, { url })).toBeUndefined();
        expect(await store.webhooks.update("t1", created.id + 1, { url })).toBeUndefined();
        expect(await store.webhooks.list("t1")).toEqual([changed]);
      });

      test("only its tenant can remove a webhook, and the id of a removed webhook is not used again", async () => {
        const create = () => store.webhooks.create({ tenant_id: "t1", url: "https://a.example", events: [] });
        const { id } = await create();
        expect(await store.webhooks.find("t1", id)).toBeDefined();
        expect(await store.webhooks.remove("t2", id)).toBe(false);
        expect(await store.webhooks.remove("t1", id)).toBe(true);
        expect(await store.webhooks.remove("t1", id)).toBe(false);
        expect(await store.webhooks.find("t1", id)).toBeUndefined();
        expect((await create()).id).toBeGreaterThan(id);
      });

      test("a webhook id that is too large for the database finds no webhook", async () => {
        await store.webhooks.create({ tenant_id: "t1", url: "https://a.example", events: [] });
        for (const id of [0, -1, 1.5, Number.MAX_SAFE_INTEGER, 1e300]) {
          expect(await store.webhooks.find("t1", id)).toBeUndefined();
        }
      });

      function createKey(key: Pick<NewApiKey, "id" | "kind" | "hash"> & Partial<NewApiKey>) {
        return store.apiKeys.create(apiKey(key));
      }

      async function createUser(mobile = "9876543210", details: Partial<NewUser> = {}): Promise<NewUser> {
        const created = user("t1", { ...details, mobile });
        await store.users.create(created);
        return created;
      }
    });
  });
}

function tenant(id: string) {
  return { id, name: `Tenant ${id}`, auth_type: 3 };
}

function apiKey(key: Pick<NewApiKey, "id" | "kind" | "hash"> & Partial<NewApiKey>): NewApiKey {
  const absent = { name: null, last_four: null, operations: null, expires_at: null };
  return { tenant_id: "t1", created_at: now, ...absent, ...key };
}

function loginName(differences: Partial<LoginName> = {}): LoginName {
  return { tenant_id: "t1", type: "customer", dial_code: "91", mobile: "9876543210", ...differences };
}

function user(tenant_id: string, differences: Partial<NewUser> = {}): NewUser {
  return {
    id: randomUUID(),
    tenant_id,
    type: "customer",
    dial_code: "91",
    mobile: "9876543210",
    password_hash: "$argon2id$…",
    first_name: "Asha",
    last_name: "Rao",
    email: "asha@example.com",
    profile_pic: "",
    email_verified: false,
    totp_secret: null,
    totp_key_id: null,
    ...differences,
  };
}

function session(user_id: string, uuid: string, n: number): Session {
  return {
    user_id,
    uuid,
    address_key: null,
    auth_hash: `auth${n}`,
    refresh_hash: `refresh${n}`,
    auth_expires_at: now + 1000,
    refresh_expires_at: now + 2000,
    created_at: now,
  };
}

function commission(tenant_id: string, definition_hash: string, rate = 1): NewCommission {
  return { tenant_id, definition_hash, definition: "{}", rate, created_at: now };
}
