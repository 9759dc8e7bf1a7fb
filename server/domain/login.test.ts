import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { hash } from "@node-rs/argon2";
import { generateSync } from "otplib";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openStore } from "../store/open.ts";
import { type Store, StoreUnavailableError, type Tenant } from "../store/store.ts";
import { boundWork } from "./bounded-work.ts";
import { type Caller, type LoginAttempt, type LoginDependencies, logIn } from "./login.ts";
import { addressKey, createLoginLimits } from "./login-limits.ts";
import { isOutdated } from "./passwords.ts";
import { createTenant, registerUser } from "./registration.ts";
import { hashSessionKey } from "./sessions.ts";
import { createTotpKeys } from "./totp-keys.ts";

const now = Date.UTC(2026, 0, 1);
const password = "correct horse";
const sessionKey = expect.stringMatching(/^[A-Za-z0-9_-]{43}$/);
const rejected = { ok: false, reason: "credentials_invalid", admission: expect.anything() };

const defaultLimits = {
  attemptsPerAccount: 100,
  attemptsPerAddress: 1,
  windowSeconds: 1,
  codesPerDay: 3,
  failuresPerTenant: 100,
};

let folder: string;
let store: Store;
let tenant: Tenant;
let deps: LoginDependencies;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "login-"));
  store = await openStore(`file:${folder}/commerce.db`);
  tenant = await createTenant(store, { name: "Acme", auth_type: 3 });
  deps = {
    store,
    clock: () => now,
    lifetimes: { authSeconds: 900, refreshSeconds: 86_400 },
    sessionsPerUser: 3,
    loginLimits: createLoginLimits({ store, clock: () => now }, defaultLimits),
    totpKeys: createTotpKeys([randomBytes(32)]),
    passwordWork: boundWork({ concurrency: 2, waiting: 9 }),
  };
});
afterEach(async () => {
  await store.close();
  rmSync(folder, { recursive: true });
});

describe("with a password", () => {
  test("the number, role and password of an account return its user and new session keys", async () => {
    const user = await register();
    expect(await logIn(deps, tenant.id, attempt())).toEqual({
      ok: true,
      user: {
        id: user.id,
        first_name: "Asha",
        last_name: "Rao",
        email: "asha@example.com",
        profile_pic: "",
        email_verified: false,
        key: { auth_key: sessionKey, refresh_key: sessionKey },
      },
    });
  });

  test("the session is stored with the hash of its key, the user, the uuid, the address and the times when its keys expire", async () => {
    const user = await register();
    const { auth_key, refresh_key } = await keysOf(attempt({ uuid: "device 1" }), { address: "192.0.2.1" });
    expect(await store.sessions.findByAuthHash(hashSessionKey(auth_key))).toEqual({
      user_id: user.id,
      uuid: "device 1",
      address_key: addressKey(tenant.id, "192.0.2.1"),
      auth_hash: hashSessionKey(auth_key),
      refresh_hash: hashSessionKey(refresh_key),
      auth_expires_at: now + 900_000,
      refresh_expires_at: now + 86_400_000,
      created_at: now,
    });
  });

  test("a login beyond the maximum number of sessions ends the oldest one", async () => {
    await register();
    const keys = [];
    for (const [n, uuid] of ["a", "b", "a", "c", "d"].entries()) {
      const login = await logIn({ ...deps, clock: () => now + n }, tenant.id, attempt({ uuid }));
      keys.push(login.ok ? login.user.key.auth_key : "");
    }
    const found = await Promise.all(
      keys.map((auth_key) => store.sessions.findByAuthHash(hashSessionKey(auth_key))),
    );
    expect(found.map((session) => session?.uuid)).toEqual([undefined, undefined, "a", "c", "d"]);
  });

  test("an unknown number, dial code, role or tenant and a wrong password give the same response after the same work, with MFA and without", async () => {
    await register();
    await registerUser(deps, tenant, { ...person, mobile: "5550100", password, mfa: true });
    const other = await createTenant(store, { name: "Other", auth_type: 3 });
    const { calls, counted } = countCalls(deps);
    const traces = [];
    for (const { tenant_id = tenant.id, ...differences } of [
      { tenant_id: other.id },
      { password: "wrong" },
      { mobile: "5550100", password: "wrong" },
      { mobile: "5550100", password: "wrong", token: "000000" },
      { mobile: "9876543211" },
      { dial_code: "1" },
      { type: "seller" },
      { type: "seller\0" },
    ]) {
      calls.length = 0;
      expect(await logIn(counted, tenant_id, attempt(differences))).toEqual(rejected);
      traces.push([...calls]);
    }
    const trace = ["tenants.find", "users.findByLogin", "passwordWork.run"];
    expect(traces).toEqual(Array(8).fill(trace));
  });

  test("a login replaces an outdated password hash and ends no other session", async () => {
    const { id } = await register();
    const { auth_key } = await keysOf(attempt({ uuid: "tablet" }));
    const outdated = await makeOutdated(id);
    expect(await logIn(deps, tenant.id, attempt({ password: "wrong" }))).toEqual(rejected);
    expect(await store.users.find(id)).toMatchObject({ password_hash: outdated });
    expect(await logIn(deps, tenant.id, attempt())).toMatchObject({ ok: true });
    const renewed = await store.users.find(id);
    expect(isOutdated(renewed?.password_hash ?? "")).toBe(false);
    expect(await logIn(deps, tenant.id, attempt())).toMatchObject({ ok: true });
    expect(await store.users.find(id)).toEqual(renewed);
    expect(await store.sessions.findByAuthHash(hashSessionKey(auth_key))).toBeDefined();
  });

  test("a login whose outdated password hash cannot be replaced because the queue is full succeeds, and keeps the hash", async () => {
    const { id } = await register();
    const outdated = await makeOutdated(id);
    const work = boundWork({ concurrency: 1, waiting: 1 });
    const released = Promise.withResolvers<void>();
    const others: Promise<unknown>[] = [];
    const path = [tenant.id, "another caller"];
    /** While the password is verified, another login comes. When it begins, a third one fills the queue. */
    const run: LoginDependencies["passwordWork"]["run"] = (task, turn) => {
      const running = work.run(task, turn);
      if (others.length === 0) {
        const second = work.run(
          async () => {
            others.push(work.run(async () => {}, { path }));
            await released.promise;
          },
          { path },
        );
        others.push(second);
      }
      return running;
    };
    expect(await logIn({ ...deps, passwordWork: { run } }, tenant.id, attempt())).toMatchObject({ ok: true });
    expect(await store.users.find(id)).toMatchObject({ password_hash: outdated });
    expect(others).toHaveLength(2);
    released.resolve();
    await Promise.all(others);
  });

  test("a login whose new password hash cannot be stored because the store is unavailable fails with the store's error", async () => {
    const { id } = await register();
    const outdated = await makeOutdated(id);
    const error = new StoreUnavailableError();
    const users = { ...store.users, rehashPassword: () => Promise.reject(error) };
    await expect(logIn({ ...deps, store: { ...store, users } }, tenant.id, attempt())).rejects.toBe(error);
    expect(await store.users.find(id)).toMatchObject({ password_hash: outdated });
  });

  test("a user who is changed or removed while the password is verified is not logged in", async () => {
    const changes: ((id: string) => Promise<unknown>)[] = [
      (id) => store.users.setPassword(id, "$argon2id$other"),
      (id) => store.users.remove(id),
    ];
    for (const change of changes) {
      const { id } = await register();
      const run: LoginDependencies["passwordWork"]["run"] = async (work) => {
        const outcome = await work();
        await change(id);
        return outcome;
      };
      expect(await logIn({ ...deps, passwordWork: { run } }, tenant.id, attempt())).toEqual(rejected);
      await store.users.remove(id);
    }
  });
});

describe("auth flows", () => {
  test("every flow except 3 is rejected before credentials are checked", async () => {
    await register();
    const unsupported = { ok: false, reason: "auth_flow_unsupported" };
    for (const auth_type of [0, 1, 2, 4, 3.5, -3]) {
      expect(await logIn(deps, tenant.id, attempt({ auth_type }))).toEqual(unsupported);
      expect(await logIn(deps, tenant.id, attempt({ auth_type, password: "wrong" }))).toEqual(unsupported);
    }
  });

  test("the login's flow is used, or the tenant's flow if the login does not set one", async () => {
    const other = await createTenant(store, { name: "Other", auth_type: 1 });
    await register({ of: other });
    expect(await logIn(deps, other.id, attempt())).toEqual({ ok: false, reason: "auth_flow_unsupported" });
    expect(await logIn(deps, other.id, attempt({ auth_type: 3 }))).toMatchObject({ ok: true });
  });
});

describe("with MFA", () => {
  const step = Math.floor(now / 30_000);

  test("a missing, empty or wrong code is reported, but only after a correct password", async () => {
    const { secret } = await register({ mfa: true });
    const wrong = codeOf(secret, step - 2);
    const required = { ok: false, reason: "totp_required" };
    const invalid = { ok: false, reason: "totp_invalid", admission: expect.anything() };
    expect(await logIn(deps, tenant.id, attempt())).toEqual(required);
    expect(await logIn(deps, tenant.id, attempt({ token: "" }))).toEqual(required);
    expect(await logIn(deps, tenant.id, attempt({ token: wrong }))).toEqual(invalid);
    expect(await logIn(deps, tenant.id, attempt({ token: "abc" }))).toEqual(invalid);
    for (const token of [undefined, "", wrong, codeOf(secret, step)]) {
      expect(await logIn(deps, tenant.id, attempt({ token, password: "wrong" }))).toEqual(rejected);
    }
  });

  test("a code works only once, even on another device, and a wrong password does not use it up", async () => {
    const { secret } = await register({ mfa: true });
    const token = codeOf(secret, step);
    expect(await logIn(deps, tenant.id, attempt({ token, password: "wrong" }))).toEqual(rejected);
    expect(await logIn(deps, tenant.id, attempt({ token }))).toMatchObject({ ok: true });
    const replayed = await logIn(deps, tenant.id, attempt({ token, uuid: "another" }));
    expect(replayed).toMatchObject({ ok: false, reason: "totp_invalid" });
  });

  test("a code used while the clock was ahead does not lock out the user, and no used code works again", async () => {
    const { secret } = await register({ mfa: true });
    const at = logInAt(secret);
    const year = 1_051_200;
    expect(await at(step, step)).toBe(true);
    expect(await at(step + year, step + year)).toBe(true);
    // The clock is set back.
    expect(await at(step, step)).toBe("totp_invalid");
    expect(await at(step, step + 1)).toBe("totp_invalid");
    expect(await at(step + 1, step + 1)).toBe("totp_invalid");
    expect(await at(step + 2, step + 2)).toBe(true);
    expect(await at(step + 2, step + 2)).toBe("totp_invalid");
    expect(await at(step + 3, step + 3)).toBe(true);
  });

  test("a code used on a replica whose clock is slightly ahead does not work on another replica", async () => {
    const { secret } = await register({ mfa: true });
    const at = logInAt(secret);
    expect(await at(step + 10, step + 11)).toBe(true);
    for (const codeStep of [step - 1, step, step + 1]) expect(await at(step, codeStep)).toBe("totp_invalid");
    expect(await at(step + 10, step + 11)).toBe("totp_invalid");
  });

  test("wrong codes from all devices count together, and a correct one resets the count", async () => {
    const { secret } = await register({ mfa: true });
    const guess = (token: string, uuid = "device") => logIn(deps, tenant.id, attempt({ token, uuid }));
    const right = codeOf(secret, step);
    const wrong = codeOf(secret, step - 2);
    for (const _ of [1, 2]) expect(await guess(wrong)).toMatchObject({ reason: "totp_invalid" });
    expect(await guess(right)).toMatchObject({ ok: true });
    for (const uuid of ["a", "b", "c"])
      expect(await guess(wrong, uuid)).toMatchObject({ reason: "totp_invalid" });
    expect(await guess(codeOf(secret, step + 1))).toEqual({
      ok: false,
      reason: "too_many_attempts",
      admission: expect.objectContaining({ admitted: false, retryAfterSeconds: 86_400 }),
    });
    expect(await logIn(deps, tenant.id, attempt({ password: "wrong" }))).toEqual(rejected);
  });

  test("a wrong code and a used code count as failed logins of the account", async () => {
    const { secret } = await register({ mfa: true });
    const right = codeOf(secret, step);
    const limits = { ...defaultLimits, attemptsPerAccount: 2 };
    const loginLimits = createLoginLimits({ store, clock: () => now }, limits);
    const guess = (token: string, uuid: string) =>
      logIn({ ...deps, loginLimits }, tenant.id, attempt({ token, uuid }));
    expect(await guess(right, "phone")).toMatchObject({ ok: true });
    for (const token of [right, codeOf(secret, step - 2)])
      expect(await guess(token, "tablet")).toMatchObject({ reason: "totp_invalid" });
    expect(await guess(codeOf(secret, step + 1), "tablet")).toMatchObject({
      reason: "too_many_attempts",
      admission: { standings: [{ policy: "account", remaining: 0 }] },
    });
  });

  test("a secret that no key decrypts makes the login fail with an error that contains the key's id and no secret", async () => {
    const { secret } = await register({ mfa: true });
    const others = { ...deps, totpKeys: createTotpKeys([randomBytes(32)]) };
    const token = codeOf(secret, step);
    await expect(logIn(others, tenant.id, attempt({ token }))).rejects.toThrow(
      `TOTP secrets are encrypted with the key ${deps.totpKeys.current}, which TOTP_SECRET_KEYS does not contain`,
    );
    expect(await logIn(others, tenant.id, attempt({ token, password: "wrong" }))).toEqual(rejected);
    expect(await logIn(deps, tenant.id, attempt({ token }))).toMatchObject({ ok: true });
  });
});

const person = {
  type: "customer",
  dial_code: "91",
  first_name: "Asha",
  last_name: "Rao",
  email: "asha@example.com",
};

/** Records every call of the store and of the password work, in order. */
function countCalls({ store, passwordWork, ...others }: LoginDependencies) {
  const calls: string[] = [];
  const record = <Part extends object>(name: string, part: Part): Part =>
    new Proxy(part, {
      get(target, key) {
        const value: unknown = Reflect.get(target, key);
        const called = `${name}${String(key)}`;
        if (typeof value === "object" && value !== null) return record(`${called}.`, value);
        if (typeof value !== "function") return value;
        return (...args: unknown[]) => {
          calls.push(called);
          return value.apply(target, args);
        };
      },
    });
  const counted = {
    ...others,
    store: record("", store),
    passwordWork: record("passwordWork.", passwordWork),
  };
  return { calls, counted };
}

async function register({ of = tenant, mfa = false } = {}): Promise<{ id: string; secret: string }> {
  const { id, otpauth_uri } = await registerUser(deps, of, {
    ...person,
    mobile: "9876543210",
    password,
    mfa,
  });
  const secret = otpauth_uri && new URL(otpauth_uri).searchParams.get("secret");
  return { id, secret: secret ?? "" };
}

/** Replaces the user's password hash by one with outdated parameters, and returns it. */
async function makeOutdated(id: string): Promise<string> {
  const { password_hash = "" } = (await store.users.find(id)) ?? {};
  const outdated = await hash(password, { memoryCost: 4096, timeCost: 1, parallelism: 1 });
  await store.users.rehashPassword(id, password_hash, outdated);
  return outdated;
}

function attempt(differences: Partial<LoginAttempt> = {}): LoginAttempt {
  return {
    uuid: "device",
    mobile: "9876543210",
    dial_code: "91",
    password,
    type: "customer",
    ...differences,
  };
}

async function keysOf(login: LoginAttempt, caller?: Caller) {
  const result = await logIn(deps, tenant.id, login, caller);
  if (!result.ok) throw new Error(result.reason);
  return result.user.key;
}

/** Logs in with the code of one step while the clock is at another step. No limits apply. */
function logInAt(secret: string) {
  const loginLimits = createLoginLimits({ store, clock: () => now }, { ...defaultLimits, codesPerDay: 1000 });
  return async (clockStep: number, codeStep: number) => {
    const clock = () => clockStep * 30_000;
    const token = codeOf(secret, codeStep);
    const result = await logIn({ ...deps, clock, loginLimits }, tenant.id, attempt({ token }));
    return result.ok || result.reason;
  };
}

function codeOf(secret: string, step: number): string {
  return generateSync({ secret, epoch: step * 30 });
}
