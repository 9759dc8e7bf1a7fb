import { describe, expect, test } from "vitest";
import { createLoginLimits } from "../domain/login-limits.ts";
import { verifyPassword } from "../domain/passwords.ts";
import { createTotpKeys } from "../domain/totp-keys.ts";
import type { User } from "../store/store.ts";
import { databases } from "../testing/databases.ts";
import { adminOn, firstKey, login, missingKey, now, otherKey, userCreate, uuid } from "./testing/commands.ts";

describe.each(databases)("on $name", (database) => {
  const admin = adminOn(database);
  const { createTenant, inStore, rejected, resultOf, run } = admin;

  const shown = {
    id: expect.stringMatching(uuid),
    type: "customer",
    dial_code: "91",
    mobile: "9876543210",
  };

  test("a user is created with the password from standard input, and one newline at the end is ignored", async () => {
    const tenant = await createTenant();
    const names = "--first-name Asha --last-name Rao --email asha@example.com";
    const created = await resultOf(`${userCreate} --tenant ${tenant} ${names}`, "pass word\n\n");
    const details = { first_name: "Asha", last_name: "Rao", email: "asha@example.com" };
    expect(created).toEqual({ user: { ...shown, ...details } });
    const user = await inStore((store) => store.users.findByLogin({ ...login, tenant_id: tenant }));
    expect(user).toMatchObject(details);
    expect(await verifyPassword(user?.password_hash, "pass word\n")).toBe(true);
  });

  test("with --mfa, the otpauth URI is shown once, with and without --json", async () => {
    const tenant = await createTenant();
    const user = await createUser(tenant, "--mfa");
    const stored = await inStore((store) => store.users.find(user.id));
    expect(user.otpauth_uri).toBe(
      `otpauth://totp/Acme:%2B919876543210?secret=${secretOf(stored)}&issuer=Acme`,
    );
    const { stdout } = await run(`${userCreate} --tenant ${tenant} --mfa --type seller`, "pass word");
    expect(stdout).toMatch(
      /^Created seller \+91 9876543210: \S+\nEnrol an authenticator app with this URI\. It is shown only once\. Store it now\. A login sends the app's code as the property "token":\notpauth:\/\/totp\/\S+\n$/,
    );
  });

  test("a tenant's users are listed without password hash and TOTP secret", async () => {
    const [tenant, other] = [await createTenant(), await createTenant()];
    const seller = await createUser(tenant, "--type seller --mfa");
    const customer = await createUser(tenant, "--first-name Asha --last-name Rao");
    expect(await resultOf(`user list --tenant ${tenant}`)).toEqual({
      users: [
        { ...shown, id: customer.id, first_name: "Asha", last_name: "Rao", email: "", mfa: false },
        { ...shown, id: seller.id, type: "seller", first_name: "", last_name: "", email: "", mfa: true },
      ],
    });
    expect((await run(`user list --tenant ${tenant}`)).stdout).toBe(
      [
        `ID${" ".repeat(36)}TYPE      NUMBER          MFA  NAME`,
        `${customer.id}  customer  +91 9876543210  no   Asha Rao`,
        `${seller.id}  seller    +91 9876543210  yes`,
        "",
      ].join("\n"),
    );
    expect(await resultOf(`user list --tenant ${other}`)).toEqual({ users: [] });
  });

  test("a new password replaces the old one and ends the sessions", async () => {
    const tenant = await createTenant();
    const { id } = await createUser(tenant);
    await logInAs(id);
    const command = `user set-password ${id} --password-stdin`;
    expect(await resultOf(command, "new password\n")).toEqual({ user: await listed(tenant) });
    expect(await isLoggedIn()).toBe(false);
    const user = await inStore((store) => store.users.find(id));
    expect(await verifyPassword(user?.password_hash, "new password")).toBe(true);
    expect((await run(command, "new password")).stdout).toBe(
      "The password of the customer +91 9876543210 was changed. The user's sessions have ended.\n",
    );
  });

  test("MFA can be enabled, enabled again with another secret, and disabled, and each URI is shown once", async () => {
    const tenant = await createTenant();
    const { id } = await createUser(tenant);
    await logInAs(id);
    const enabled = await resultOf(`user enable-mfa ${id}`);
    const stored = await inStore((store) => store.users.find(id));
    expect(stored?.totp_secret).toMatch(/^v1\./);
    const otpauth_uri = `otpauth://totp/Acme:%2B919876543210?secret=${secretOf(stored)}&issuer=Acme`;
    expect(enabled).toEqual({ user: { ...(await listed(tenant)), mfa: true, otpauth_uri } });
    expect(await isLoggedIn()).toBe(false);
    const { stdout } = await run(`user enable-mfa ${id}`);
    expect(stdout).toMatch(
      /^The customer \+91 9876543210 now logs in with a code\. The user's sessions have ended\.\nEnrol an authenticator app with this URI\. It is shown only once\. Store it now\. A login sends the app's code as the property "token":\notpauth:\/\/totp\/\S+\n$/,
    );
    expect(stdout).not.toContain(secretOf(stored));
    await logInAs(id);
    expect(await resultOf(`user disable-mfa ${id}`)).toEqual({ user: await listed(tenant) });
    expect(await isLoggedIn()).toBe(false);
    expect(await inStore((store) => store.users.find(id))).toMatchObject({
      ...{ totp_secret: null, totp_key_id: null },
    });
  });

  test("without an encryption key, MFA is enabled with a warning, but production rejects it", async () => {
    admin.totpSecretKeys = [];
    const tenant = await createTenant();
    const { id } = await createUser(tenant);
    const commands = [`user enable-mfa ${id}`, `${userCreate} --tenant ${tenant} --type seller --mfa`];
    for (const command of commands)
      expect(await run(command, "pass word")).toEqual(
        rejected(
          "the TOTP secret would not be encrypted; set TOTP_SECRET_KEYS, here and for the server, to the output of `openssl rand -base64 32`",
        ),
      );
    expect(await resultOf(`user list --tenant ${tenant}`)).toEqual({
      users: [expect.objectContaining({ id, mfa: false })],
    });
    admin.production = false;
    for (const command of commands) {
      const { code, stdout } = await run(command, "pass word");
      expect(code).toBe(0);
      expect(stdout).toMatch(
        /\nIts secret is not encrypted in the database; set TOTP_SECRET_KEYS, here and for the server\.\n$/,
      );
    }
  });

  test("MFA is not enabled if the keys cannot decrypt the secrets in the database", async () => {
    const { id } = await createUser(await createTenant(), "--mfa");
    admin.totpSecretKeys = [otherKey];
    expect(await run(`user enable-mfa ${id}`)).toEqual({ code: 1, stdout: "", stderr: missingKey });
  });

  test("an unlocked user's failures are reset", async () => {
    const tenant = await createTenant();
    const { id } = await createUser(tenant);
    const most = { attemptsPerAccount: 1, attemptsPerAddress: 1, codesPerDay: 1, failuresPerTenant: 9 };
    const guess = () =>
      inStore(async (store) => {
        const limits = createLoginLimits({ store, clock: () => now }, { ...most, windowSeconds: 900 });
        return (await limits.settleCode({ ...login, tenant_id: tenant }, "wrong")).admitted;
      });
    expect([await guess(), await guess()]).toEqual([true, false]);
    expect(await resultOf(`user unlock ${id}`)).toEqual({ user: await listed(tenant) });
    expect(await guess()).toBe(true);
    expect((await run(`user unlock ${id}`)).stdout).toBe(
      "The failed logins of the customer +91 9876543210 were reset.\n",
    );
  });

  test("a removed user is deleted together with the sessions, and can be created again", async () => {
    const tenant = await createTenant();
    const { id } = await createUser(tenant);
    const user = await listed(tenant);
    await logInAs(id);
    expect(await resultOf(`user remove ${id}`)).toEqual({ user });
    expect(await isLoggedIn()).toBe(false);
    expect(await resultOf(`user list --tenant ${tenant}`)).toEqual({ users: [] });
    const again = await createUser(tenant);
    expect((await run(`user remove ${again.id}`)).stdout).toBe(
      "Removed the customer +91 9876543210. The user's sessions have ended.\n",
    );
  });

  async function createUser(tenant: string, options = "") {
    return (await resultOf(`${userCreate} --tenant ${tenant} ${options}`.trim(), "pass word")).user;
  }

  async function listed(tenant: string) {
    return (await resultOf(`user list --tenant ${tenant}`)).users[0];
  }

  async function logInAs(id: string) {
    await inStore(async (store) => {
      const { credential_version = 0 } = (await store.users.find(id)) ?? {};
      const times = { created_at: now, auth_expires_at: now + 1000, refresh_expires_at: now + 1000 };
      const session = {
        user_id: id,
        uuid: "phone",
        address_key: null,
        auth_hash: "a",
        refresh_hash: "r",
        ...times,
      };
      expect(await store.sessions.replace(session, credential_version, 50)).toBe(true);
    });
  }

  async function isLoggedIn() {
    return (await inStore((store) => store.sessions.findByAuthHash("a"))) !== undefined;
  }

  function secretOf(user: User | undefined): string {
    const { id = "", totp_secret = null, totp_key_id = null } = user ?? {};
    return createTotpKeys([firstKey]).open(id, { totp_secret: totp_secret ?? "", totp_key_id });
  }
});
