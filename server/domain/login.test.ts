import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { generateSync } from "otplib";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openStore } from "../store/open.ts";
import type { Store, Tenant } from "../store/store.ts";
import { type LoginAttempt, type LoginDependencies, logIn } from "./login.ts";
import { createTenant, registerUser } from "./registration.ts";
import { hashSessionKey } from "./sessions.ts";

const now = Date.UTC(2026, 0, 1);
const password = "correct horse";
const refused = { ok: false, reason: "credentials_invalid" };

let folder: string;
let store: Store;
let tenant: Tenant;
let deps: LoginDependencies;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "login-"));
  store = await openStore(`file:${folder}/commerce.db`);
  tenant = await createTenant(store, { name: "Acme", auth_type: 3 });
  deps = { store, clock: () => now, lifetimes: { authSeconds: 900, refreshSeconds: 86_400 } };
});
afterEach(async () => {
  await store.close();
  rmSync(folder, { recursive: true });
});

describe("with a password", () => {
  test("number, role and password of an account answer its user and the keys of a session", async () => {
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
        key: { auth_key: expect.any(String), refresh_key: expect.any(String) },
      },
    });
  });

  test("the session is kept under the hash of its key, for the user and uuid, with its lifetimes", async () => {
    const user = await register();
    const { auth_key, refresh_key } = await keysOf(attempt({ uuid: "device 1" }));
    expect(await store.sessions.findByAuthHash(hashSessionKey(auth_key))).toEqual({
      user_id: user.id,
      uuid: "device 1",
      auth_hash: hashSessionKey(auth_key),
      refresh_hash: hashSessionKey(refresh_key),
      auth_expires_at: now + 900_000,
      refresh_expires_at: now + 86_400_000,
      created_at: now,
    });
  });

  test("a second login with the same uuid ends the first one's session, with another uuid it does not", async () => {
    await register();
    const first = await keysOf(attempt({ uuid: "phone" }));
    const second = await keysOf(attempt({ uuid: "phone" }));
    const third = await keysOf(attempt({ uuid: "tablet" }));
    const found = await Promise.all(
      [first, second, third].map(({ auth_key }) => store.sessions.findByAuthHash(hashSessionKey(auth_key))),
    );
    expect(found.map((session) => session?.uuid)).toEqual([undefined, "phone", "tablet"]);
  });

  test("unknown number, dial code, role, tenant and wrong password are one answer", async () => {
    await register();
    const other = await createTenant(store, { name: "Other", auth_type: 3 });
    expect(await logIn(deps, tenant.id, attempt({ mobile: "9876543211" }))).toEqual(refused);
    expect(await logIn(deps, tenant.id, attempt({ dial_code: "1" }))).toEqual(refused);
    expect(await logIn(deps, tenant.id, attempt({ type: "seller" }))).toEqual(refused);
    expect(await logIn(deps, tenant.id, attempt({ password: "wrong" }))).toEqual(refused);
    expect(await logIn(deps, other.id, attempt())).toEqual(refused);
  });

  test("a token is ignored where the account has no MFA", async () => {
    await register();
    expect(await logIn(deps, tenant.id, attempt({ token: "000000" }))).toMatchObject({ ok: true });
  });
});

describe("auth flows", () => {
  test("any flow but 3 is refused before credentials are looked at", async () => {
    await register();
    const unsupported = { ok: false, reason: "auth_flow_unsupported" };
    for (const auth_type of [0, 1, 2, 4, 3.5, -3]) {
      expect(await logIn(deps, tenant.id, attempt({ auth_type }))).toEqual(unsupported);
      expect(await logIn(deps, tenant.id, attempt({ auth_type, password: "wrong" }))).toEqual(unsupported);
    }
  });

  test("the tenant's flow counts where the login names none, and the login's where it does", async () => {
    const other = await createTenant(store, { name: "Other", auth_type: 1 });
    await register({ of: other });
    expect(await logIn(deps, other.id, attempt())).toEqual({ ok: false, reason: "auth_flow_unsupported" });
    expect(await logIn(deps, other.id, attempt({ auth_type: 3 }))).toMatchObject({ ok: true });
  });
});

describe("with MFA", () => {
  const step = Math.floor(now / 30_000);

  test("password and code together log in", async () => {
    const { secret } = await register({ mfa: true });
    const token = codeOf(secret, step);
    expect(await logIn(deps, tenant.id, attempt({ token }))).toMatchObject({ ok: true });
  });

  test("a missing, empty or wrong code is told, but only after the password held", async () => {
    const { secret } = await register({ mfa: true });
    const wrong = codeOf(secret, step - 2);
    const required = { ok: false, reason: "totp_required" };
    const invalid = { ok: false, reason: "totp_invalid" };
    expect(await logIn(deps, tenant.id, attempt())).toEqual(required);
    expect(await logIn(deps, tenant.id, attempt({ token: "" }))).toEqual(required);
    expect(await logIn(deps, tenant.id, attempt({ token: wrong }))).toEqual(invalid);
    expect(await logIn(deps, tenant.id, attempt({ token: "abc" }))).toEqual(invalid);
    for (const token of [undefined, "", wrong, codeOf(secret, step)]) {
      expect(await logIn(deps, tenant.id, attempt({ token, password: "wrong" }))).toEqual(refused);
    }
  });

  test("a code works once, also for another device, and a wrong password does not use it up", async () => {
    const { secret } = await register({ mfa: true });
    const token = codeOf(secret, step);
    expect(await logIn(deps, tenant.id, attempt({ token, password: "wrong" }))).toEqual(refused);
    expect(await logIn(deps, tenant.id, attempt({ token }))).toMatchObject({ ok: true });
    const replayed = await logIn(deps, tenant.id, attempt({ token, uuid: "another" }));
    expect(replayed).toEqual({ ok: false, reason: "totp_invalid" });
  });

  test("after a code, an earlier one that is still within the drift no longer works, the next does", async () => {
    const { secret } = await register({ mfa: true });
    expect(await logIn(deps, tenant.id, attempt({ token: codeOf(secret, step) }))).toMatchObject({
      ok: true,
    });
    expect(await logIn(deps, tenant.id, attempt({ token: codeOf(secret, step - 1) }))).toEqual({
      ok: false,
      reason: "totp_invalid",
    });
    const later = { ...deps, clock: () => now + 30_000 };
    expect(await logIn(later, tenant.id, attempt({ token: codeOf(secret, step + 1) }))).toMatchObject({
      ok: true,
    });
  });

  test("of logins that race with one code exactly one succeeds, and one session is made", async () => {
    const { secret } = await register({ mfa: true });
    const token = codeOf(secret, step);
    const results = await Promise.all(
      ["a", "b", "c", "d"].map((uuid) => logIn(deps, tenant.id, attempt({ token, uuid }))),
    );
    expect(results.filter(({ ok }) => ok)).toHaveLength(1);
    expect(results.filter(({ ok }) => !ok)).toEqual(
      Array.from({ length: 3 }, () => ({ ok: false, reason: "totp_invalid" })),
    );
  });
});

async function register({ of = tenant, mfa = false } = {}): Promise<{ id: string; secret: string }> {
  const { user } = await registerUser(store, of, {
    type: "customer",
    dial_code: "91",
    mobile: "9876543210",
    password,
    first_name: "Asha",
    last_name: "Rao",
    email: "asha@example.com",
    mfa,
  });
  return { id: user.id, secret: user.totp_secret ?? "" };
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

async function keysOf(login: LoginAttempt) {
  const result = await logIn(deps, tenant.id, login);
  if (!result.ok) throw new Error(result.reason);
  return result.user.key;
}

function codeOf(secret: string, step: number): string {
  return generateSync({ secret, epoch: step * 30 });
}
