import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { text as readText } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { hashOfApiKey, issueApiKey } from "../domain/api-keys.ts";
import { createLoginLimits } from "../domain/login-limits.ts";
import { verifyPassword } from "../domain/passwords.ts";
import { createTotpKeys } from "../domain/totp-keys.ts";
import { openStore } from "../store/open.ts";
import type { Awaitable, Store, User } from "../store/store.ts";
import { databases } from "../testing/databases.ts";
import { runAdmin } from "./run.ts";

const now = Date.UTC(2026, 0, 1);
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const userCreate = ["user", "create", "--type", "customer", "--dial-code", "91", "--mobile", "9876543210"];

const login = { type: "customer", dial_code: "91", mobile: "9876543210" };
const [firstKey, otherKey] = [randomBytes(32), randomBytes(32)];

let databaseUrl: string;
let totpSecretKeys: Uint8Array[];
let production: boolean;
let databaseCreate: "if-missing" | "never";
beforeEach(() => {
  totpSecretKeys = [firstKey];
  production = true;
  databaseCreate = "if-missing";
});

describe.each(databases)("on $name", ({ create }) => {
  beforeEach(async () => {
    const { url, remove } = await create();
    databaseUrl = url;
    await (await openStore(url)).close();
    return remove;
  });

  describe("tenants", () => {
    test("a tenant is created with auth flow 3 unless told otherwise, and listed", async () => {
      const acme = await answer("tenant", "create", "--name", "Acme", "--json");
      const other = await answer("tenant", "create", "--name", "Other Ltd", "--auth-type", "7", "--json");
      expect(acme).toEqual({ tenant: { id: expect.stringMatching(uuid), name: "Acme", auth_type: 3 } });
      expect(other).toEqual({ tenant: { id: expect.stringMatching(uuid), name: "Other Ltd", auth_type: 7 } });
      expect(await answer("tenant", "list", "--json")).toEqual({ tenants: [acme.tenant, other.tenant] });
    });

    test("people read a sentence and a table", async () => {
      const created = await run("tenant", "create", "--name", "Acme");
      const id = created.stdout.trim().split(": ")[1] ?? "";
      expect(created).toEqual({ code: 0, stdout: `Created tenant Acme: ${id}\n`, stderr: "" });
      expect(await run("tenant", "list")).toEqual({
        code: 0,
        stdout: `ID${" ".repeat(36)}AUTH TYPE  NAME\n${id}  3          Acme\n`,
        stderr: "",
      });
    });

    test("an auth flow that no login can use is created with a warning", async () => {
      const { stdout } = await run("tenant", "create", "--name", "Acme", "--auth-type", "1");
      expect(stdout).toContain("\nOnly auth flow 3 is supported: logins that name none will be refused.\n");
    });
  });

  describe("keys", () => {
    test("a key is shown at its creation and nowhere else", async () => {
      const tenant = await createTenant();
      for (const kind of ["secret", "publishable"] as const) {
        const { key } = await answer("key", "create", "--tenant", tenant, "--kind", kind, "--json");
        expect(key).toEqual({
          id: expect.stringMatching(/^key_[0-9A-Za-z]{12}$/),
          kind,
          secret: expect.any(String),
        });
        const hash = hashOfApiKey(key.secret) ?? "";
        expect(await inStore((store) => store.apiKeys.findActiveByHash(hash))).toEqual({
          id: key.id,
          tenant_id: tenant,
          kind,
        });
        for (const listing of [
          await run("key", "list", "--tenant", tenant),
          await run("key", "list", "--tenant", tenant, "--json"),
        ]) {
          expect(listing.stdout).toContain(key.id);
          expect(listing.stdout).not.toContain(key.secret);
          expect(listing.stdout).not.toContain(hash);
        }
      }
    });

    test("people are told that the key is shown once", async () => {
      const { stdout } = await run("key", "create", "--tenant", await createTenant(), "--kind", "secret");
      expect(stdout).toMatch(
        /^Created secret key key_[0-9A-Za-z]{12}\. It is shown this once only; keep it now:\nsk_[0-9A-Za-z]{49}\n$/,
      );
    });

    test("a revoked key no longer works, is listed with its time, and revoking it again changes nothing", async () => {
      const tenant = await createTenant();
      const { key } = await answer("key", "create", "--tenant", tenant, "--kind", "secret", "--json");
      const revoked = { key: { id: key.id, kind: "secret", revoked_at: "2026-01-01T00:00:00.000Z" } };
      expect(await answer("key", "revoke", key.id, "--json")).toEqual(revoked);
      expect(await answer("key", "revoke", key.id, "--json")).toEqual(revoked);
      const hash = hashOfApiKey(key.secret) ?? "";
      expect(await inStore((store) => store.apiKeys.findActiveByHash(hash))).toBeUndefined();
      expect(await answer("key", "list", "--tenant", tenant, "--json")).toEqual({
        keys: [{ ...revoked.key, created_at: "2026-01-01T00:00:00.000Z" }],
      });
    });
  });

  describe("a key that has leaked", () => {
    test("is revoked by itself, where its id is not known, and printed nowhere", async () => {
      const tenant = await createTenant();
      const { key } = await answer("key", "create", "--tenant", tenant, "--kind", "secret", "--json");
      const printed = await runWith(` ${key.secret}\r\n`, "key", "revoke", "--key-stdin", "--json");
      expect(printed).toEqual({
        code: 0,
        stdout: `${JSON.stringify({ key: { id: key.id, kind: "secret", revoked_at: "2026-01-01T00:00:00.000Z" } })}\n`,
        stderr: "",
      });
      const hash = hashOfApiKey(key.secret) ?? "";
      expect(await inStore((store) => store.apiKeys.findActiveByHash(hash))).toBeUndefined();
    });

    test("is told apart from what is no key, and from a key of another database", async () => {
      const { secret } = issueApiKey("secret");
      const noKey =
        "error: standard input holds no API key, or one with a typing error; give the whole key, as in: --key-stdin < key.txt (--help shows the usage)\n";
      for (const text of ["", secret.slice(1), `${secret}x`, "x".repeat(2000)])
        expect(await runWith(text, "key", "revoke", "--key-stdin")).toEqual({
          ...{ code: 2, stdout: "", stderr: noKey },
        });
      expect(await runWith(secret, "key", "revoke", "--key-stdin")).toEqual({
        code: 1,
        stdout: "",
        stderr: 'error: no key is the one given; "key list --tenant ID" shows a tenant\'s keys\n',
      });
    });
  });

  describe("users", () => {
    const shown = {
      id: expect.stringMatching(uuid),
      type: "customer",
      dial_code: "91",
      mobile: "9876543210",
    };

    test("a user is created with the password of standard input, one newline at its end left out", async () => {
      const tenant = await createTenant();
      const created = await runWith(
        "pass word\n\n",
        ...userCreate,
        "--tenant",
        tenant,
        "--password-stdin",
        "--json",
      );
      expect(JSON.parse(created.stdout)).toEqual({
        user: { ...shown, first_name: "", last_name: "", email: "" },
      });
      const user = await inStore((store) => store.users.findByLogin({ ...login, tenant_id: tenant }));
      expect(await verifyPassword(user?.password_hash, "pass word\n")).toBe(true);
    });

    test("names and e-mail address are kept as given", async () => {
      const tenant = await createTenant();
      const names = ["--first-name", "Asha", "--last-name", "Rao", "--email", "asha@example.com"];
      const { stdout } = await runWith(
        "pw",
        ...userCreate,
        ...names,
        "--tenant",
        tenant,
        "--password-stdin",
        "--json",
      );
      const details = { first_name: "Asha", last_name: "Rao", email: "asha@example.com" };
      expect(JSON.parse(stdout)).toEqual({ user: { ...shown, ...details } });
      expect(
        await inStore((store) => store.users.findByLogin({ ...login, tenant_id: tenant })),
      ).toMatchObject(details);
    });

    test("with --mfa the otpauth URI is shown once, to programs and to people", async () => {
      const tenant = await createTenant();
      const mfa = ["--tenant", tenant, "--password-stdin", "--mfa"];
      const { user } = JSON.parse((await runWith("pw", ...userCreate, ...mfa, "--json")).stdout);
      const kept = await inStore((store) => store.users.findByLogin({ ...login, tenant_id: tenant }));
      expect(user.otpauth_uri).toBe(
        `otpauth://totp/Acme:%2B919876543210?secret=${secretOf(kept)}&issuer=Acme`,
      );
      const { stdout } = await runWith("pw", ...userCreate, ...mfa, "--type", "seller");
      expect(stdout).toMatch(
        /^Created seller \+91 9876543210: \S+\nEnrol an authenticator app with this URI\. It is shown this once only; keep it now:\notpauth:\/\/totp\/\S+\n$/,
      );
    });

    test("a tenant's users are listed without password, code or hash", async () => {
      const [tenant, other] = [await createTenant(), await createTenant()];
      const seller = await createUser(tenant, "--type", "seller", "--mfa");
      const customer = await createUser(tenant, "--first-name", "Asha", "--last-name", "Rao");
      expect(await answer("user", "list", "--tenant", tenant, "--json")).toEqual({
        users: [
          { ...shown, id: customer.id, first_name: "Asha", last_name: "Rao", email: "", mfa: false },
          { ...shown, id: seller.id, type: "seller", first_name: "", last_name: "", email: "", mfa: true },
        ],
      });
      expect((await run("user", "list", "--tenant", tenant)).stdout).toBe(
        [
          `ID${" ".repeat(36)}TYPE      NUMBER          MFA  NAME`,
          `${customer.id}  customer  +91 9876543210  no   Asha Rao`,
          `${seller.id}  seller    +91 9876543210  yes`,
          "",
        ].join("\n"),
      );
      expect(await answer("user", "list", "--tenant", other, "--json")).toEqual({ users: [] });
    });

    test("a new password is the one that holds, and the sessions have ended", async () => {
      const tenant = await createTenant();
      const { id } = await createUser(tenant);
      await logInAs(id);
      const changed = await runWith("new\n", "user", "set-password", id, "--password-stdin", "--json");
      expect(JSON.parse(changed.stdout)).toEqual({ user: await listed(tenant) });
      expect(changed.stdout).not.toContain("new");
      expect(await isLoggedIn()).toBe(false);
      const user = await inStore((store) => store.users.find(id));
      expect(await verifyPassword(user?.password_hash, "new")).toBe(true);
      expect((await runWith("new", "user", "set-password", id, "--password-stdin")).stdout).toBe(
        "The customer +91 9876543210 has another password; the sessions have ended.\n",
      );
    });

    test("MFA is enabled with a URI that is shown once, enabled anew with another, and disabled", async () => {
      const tenant = await createTenant();
      const { id } = await createUser(tenant);
      await logInAs(id);
      const enabled = await answer("user", "enable-mfa", id, "--json");
      const kept = await inStore((store) => store.users.find(id));
      expect(kept?.totp_secret).toMatch(/^v1\./);
      const otpauth_uri = `otpauth://totp/Acme:%2B919876543210?secret=${secretOf(kept)}&issuer=Acme`;
      expect(enabled).toEqual({ user: { ...(await listed(tenant)), mfa: true, otpauth_uri } });
      expect(await isLoggedIn()).toBe(false);
      const { stdout } = await run("user", "enable-mfa", id);
      expect(stdout).toMatch(
        /^The customer \+91 9876543210 logs in with a code; the sessions have ended\.\nEnrol an authenticator app with this URI\. It is shown this once only; keep it now:\notpauth:\/\/totp\/\S+\n$/,
      );
      expect(stdout).not.toContain(secretOf(kept));
      await logInAs(id);
      expect(await answer("user", "disable-mfa", id, "--json")).toEqual({ user: await listed(tenant) });
      expect(await isLoggedIn()).toBe(false);
      expect(await inStore((store) => store.users.find(id))).toMatchObject({
        ...{ totp_secret: null, totp_key_id: null },
      });
    });

    test("without a key MFA is enrolled with a warning, and in production not at all", async () => {
      totpSecretKeys = [];
      const tenant = await createTenant();
      const { id } = await createUser(tenant);
      const refused = {
        code: 1,
        stdout: "",
        stderr:
          "error: the TOTP secret would not be encrypted; set TOTP_SECRET_KEYS, here and for the server, to a key such as `openssl rand -base64 32` makes\n",
      };
      expect(await run("user", "enable-mfa", id)).toEqual(refused);
      const create = [...userCreate, "--tenant", tenant, "--type", "seller", "--password-stdin", "--mfa"];
      expect(await runWith("pw", ...create)).toEqual(refused);
      expect(await answer("user", "list", "--tenant", tenant, "--json")).toEqual({
        users: [expect.objectContaining({ id, mfa: false })],
      });
      production = false;
      for (const { code, stdout } of [await run("user", "enable-mfa", id), await runWith("pw", ...create)]) {
        expect(code).toBe(0);
        expect(stdout).toMatch(
          /\nIts secret is not encrypted in the database; set TOTP_SECRET_KEYS, here and for the server\.\n$/,
        );
      }
    });

    test("MFA is not enrolled with keys that cannot be the server's", async () => {
      const tenant = await createTenant();
      const { id } = await createUser(tenant, "--mfa");
      totpSecretKeys = [otherKey];
      expect(await run("user", "enable-mfa", id)).toEqual({ code: 1, stdout: "", stderr: missingKey });
    });

    test("an unlocked user's failures are forgotten", async () => {
      const tenant = await createTenant();
      const { id } = await createUser(tenant);
      const guess = () =>
        inStore(async (store) => {
          const settings = {
            attemptsPerAccount: 1,
            attemptsPerAddress: 1,
            windowSeconds: 900,
            codesPerDay: 1,
            failuresPerTenant: 9,
          };
          const limits = createLoginLimits({ store, clock: () => now }, settings);
          const name = { ...login, tenant_id: tenant };
          const attempt = { name, uuid: "phone", address: undefined };
          const { admitted } = await limits.settle(attempt, "wrong");
          return [admitted, (await limits.settleCode(name, "wrong")).admitted];
        });
      expect([await guess(), await guess()]).toEqual([
        [true, true],
        [false, false],
      ]);
      expect(await answer("user", "unlock", id, "--json")).toEqual({ user: await listed(tenant) });
      expect(await guess()).toEqual([true, true]);
      expect((await run("user", "unlock", id)).stdout).toBe(
        "The failed logins of customer +91 9876543210 are forgotten.\n",
      );
    });

    test("a removed user is gone with the sessions, and can be created anew", async () => {
      const tenant = await createTenant();
      const { id } = await createUser(tenant);
      const user = await listed(tenant);
      await logInAs(id);
      expect(await answer("user", "remove", id, "--json")).toEqual({ user });
      expect(await isLoggedIn()).toBe(false);
      expect(await answer("user", "list", "--tenant", tenant, "--json")).toEqual({ users: [] });
      const again = await createUser(tenant);
      expect((await run("user", "remove", again.id)).stdout).toBe(
        "Removed customer +91 9876543210; the sessions have ended.\n",
      );
    });

    async function createUser(tenant: string, ...options: string[]) {
      const command = [...userCreate, "--tenant", tenant, "--password-stdin", "--json", ...options];
      const { code, stdout, stderr } = await runWith("pw", ...command);
      expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
      return JSON.parse(stdout).user;
    }

    async function listed(tenant: string) {
      return (await answer("user", "list", "--tenant", tenant, "--json")).users[0];
    }

    async function logInAs(id: string) {
      await inStore(async (store) => {
        const { credential_version = 0 } = (await store.users.find(id)) ?? {};
        const times = { created_at: now, auth_expires_at: now + 1000, refresh_expires_at: now + 1000 };
        const session = { user_id: id, uuid: "phone", auth_hash: "a", refresh_hash: "r", ...times };
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

    test("a password is never printed", async () => {
      const tenant = await createTenant();
      const runs = [
        await runWith("hunter2", ...userCreate, "--tenant", tenant, "--password-stdin"),
        await runWith("hunter2", ...userCreate, "--tenant", tenant, "--password-stdin", "--json"),
        await runWith("hunter2", ...userCreate, "--tenant", "none", "--password-stdin"),
        await runWith("hunter2", "user", "set-password", "none", "--password-stdin"),
      ];
      for (const { stdout, stderr } of runs) expect(stdout + stderr).not.toContain("hunter2");
    });
  });

  describe("webhooks", () => {
    test("a webhook is created with all its events, each once, and listed for its tenant only", async () => {
      const [tenant, other] = [await createTenant(), await createTenant()];
      const events = ["--event", "order.created", "--event", "order.paid", "--event", "order.created"];
      const url = "https://example.com/hook";
      const created = await answer(
        "webhook",
        "create",
        "--tenant",
        tenant,
        "--url",
        url,
        ...events,
        "--json",
      );
      expect(created).toEqual({ webhook: { id: 1, url, events: ["order.created", "order.paid"] } });
      expect(await answer("webhook", "list", "--tenant", tenant, "--json")).toEqual({
        webhooks: [created.webhook],
      });
      expect(await answer("webhook", "list", "--tenant", other, "--json")).toEqual({ webhooks: [] });
      expect((await run("webhook", "list", "--tenant", tenant)).stdout).toBe(
        `ID  URL                       EVENTS\n1   ${url}  order.created, order.paid\n`,
      );
    });
  });

  describe("webhooks that change", () => {
    const create = ["webhook", "create", "--url", "https://a.example", "--event", "a.b", "--tenant"];

    test("URL and events are changed apart, the events all at once, each once", async () => {
      const tenant = await createTenant();
      const { webhook } = await answer(...create, tenant, "--json");
      const update = ["webhook", "update", `${webhook.id}`, "--tenant", tenant];
      const moved = { ...webhook, url: "https://b.example" };
      expect(await answer(...update, "--url", moved.url, "--json")).toEqual({ webhook: moved });
      const changed = { ...moved, events: ["c.d", "a.b"] };
      const events = ["--event", "c.d", "--event", "a.b", "--event", "c.d"];
      expect(await answer(...update, ...events, "--json")).toEqual({ webhook: changed });
      expect(await answer("webhook", "list", "--tenant", tenant, "--json")).toEqual({ webhooks: [changed] });
      expect((await run(...update, "--event", "a.b")).stdout).toBe(
        `Changed webhook ${webhook.id}: https://b.example (a.b)\n`,
      );
    });

    test("a removed one is answered and gone", async () => {
      const tenant = await createTenant();
      const { webhook } = await answer(...create, tenant, "--json");
      const kept = (await answer(...create, tenant, "--json")).webhook;
      const remove = (id: number) => ["webhook", "remove", `${id}`, "--tenant", tenant];
      expect(await answer(...remove(webhook.id), "--json")).toEqual({ webhook });
      expect(await answer("webhook", "list", "--tenant", tenant, "--json")).toEqual({ webhooks: [kept] });
      expect((await run(...remove(kept.id))).stdout).toBe(
        `Removed webhook ${kept.id}: https://a.example (a.b)\n`,
      );
    });

    test("another tenant's is as absent as one that never was", async () => {
      const [tenant, other] = [await createTenant(), await createTenant()];
      const { webhook } = await answer(...create, tenant, "--json");
      const stderr = (id: number) =>
        `error: the tenant has no webhook ${id}; "webhook list --tenant ID" shows those it has\n`;
      for (const [owner, id] of [
        [other, webhook.id],
        [tenant, webhook.id + 1],
      ]) {
        for (const command of [
          ["webhook", "update", `${id}`, "--tenant", owner, "--event", "c.d"],
          ["webhook", "remove", `${id}`, "--tenant", owner],
        ]) {
          expect(await run(...command)).toEqual({ code: 1, stdout: "", stderr: stderr(id) });
        }
      }
    });
  });

  describe("keys of TOTP secrets", () => {
    test("are rotated: the new one first, then every secret under it, then the old one is not needed", async () => {
      const tenant = await createTenant();
      const create = [...userCreate, "--tenant", tenant, "--password-stdin", "--json", "--mfa"];
      await runWith("pw", ...create);
      totpSecretKeys = [otherKey, firstKey];
      const key_id = createTotpKeys([otherKey]).current;
      expect(await answer("totp", "rotate", "--json")).toEqual({ totp: { key_id, users: 1 } });
      totpSecretKeys = [otherKey];
      expect((await run("totp", "rotate")).stdout).toBe(
        `Encrypted 0 TOTP secrets anew; all are under the key ${key_id}.\n`,
      );
      totpSecretKeys = [firstKey];
      expect(await run("totp", "rotate")).toEqual({
        code: 1,
        stdout: "",
        stderr: missingKey.replace(`${createTotpKeys([firstKey]).current}`, `${key_id}`),
      });
      totpSecretKeys = [];
      expect(await run("totp", "rotate")).toMatchObject({ code: 1, stdout: "" });
    });
  });

  const missingKey = `error: TOTP secrets are encrypted with the key ${createTotpKeys([firstKey]).current}, which TOTP_SECRET_KEYS does not hold; put it back there.\n`;

  describe("faults", () => {
    test("what the database does not allow is refused with status 1 and one line that says what to do", async () => {
      const noTenant = 'error: no tenant has the id none; "tenant list" shows those there are\n';
      for (const command of [
        ["key", "create", "--tenant", "none", "--kind", "secret"],
        ["key", "list", "--tenant", "none"],
        [...userCreate, "--tenant", "none", "--password-stdin"],
        ["webhook", "create", "--tenant", "none", "--url", "https://a.example", "--event", "a.b"],
        ["webhook", "list", "--tenant", "none"],
        ["webhook", "update", "1", "--tenant", "none", "--event", "a.b"],
        ["webhook", "remove", "1", "--tenant", "none"],
        ["user", "list", "--tenant", "none"],
      ]) {
        expect(await runWith("pw", ...command)).toEqual({ code: 1, stdout: "", stderr: noTenant });
      }
      expect(await run("key", "revoke", "key_none")).toEqual({
        code: 1,
        stdout: "",
        stderr: 'error: no key has the id key_none; "key list --tenant ID" shows a tenant\'s keys\n',
      });
    });

    test("a key that is given in the place of an id is not repeated", async () => {
      const tenant = await createTenant();
      const { key } = await answer("key", "create", "--tenant", tenant, "--kind", "secret", "--json");
      const redacted = 'no key has the id [redacted]; "key list --tenant ID" shows a tenant\'s keys';
      expect(await run("key", "revoke", key.secret)).toEqual({
        code: 1,
        stdout: "",
        stderr: `error: ${redacted}\n`,
      });
      for (const command of [
        ["key", "list", "--tenant", key.secret],
        ["key", "create", "--tenant", tenant, "--kind", key.secret],
        ["key", key.secret],
        ["user", "remove", key.secret],
      ]) {
        expect((await run(...command)).stderr).not.toContain(key.secret);
      }
    });

    test("a user who does not exist is refused, with a remedy", async () => {
      for (const command of [
        ["set-password", "none", "--password-stdin"],
        ["enable-mfa", "none"],
        ["disable-mfa", "none"],
        ["unlock", "none"],
        ["remove", "none"],
      ]) {
        expect(await runWith("pw", "user", ...command)).toEqual({
          code: 1,
          stdout: "",
          stderr: 'error: no user has the id none; "user list --tenant ID" shows a tenant\'s users\n',
        });
      }
    });

    test("a user who exists already is refused, with a remedy", async () => {
      const tenant = await createTenant();
      const command = [...userCreate, "--tenant", tenant, "--password-stdin"];
      await runWith("pw", ...command);
      expect(await runWith("other", ...command)).toEqual({
        code: 1,
        stdout: "",
        stderr: "error: the tenant has a customer +91 9876543210 already; choose another number or type\n",
      });
    });
  });

  test("it works while a server has the database open, which sees the outcome at once", async () => {
    const tenant = await createTenant();
    const server = await openStore(databaseUrl);
    try {
      const { key } = await answer("key", "create", "--tenant", tenant, "--kind", "secret", "--json");
      const hash = hashOfApiKey(key.secret) ?? "";
      expect(await server.apiKeys.findActiveByHash(hash)).toMatchObject({ id: key.id });
      await run("key", "revoke", key.id);
      expect(await server.apiKeys.findActiveByHash(hash)).toBeUndefined();
    } finally {
      await server.close();
    }
  });

  test("as a program it reads DATABASE_URL and its streams, and exits with the status", async () => {
    const tenant = await createTenant();
    const created = await runProgram("pw\n", ...userCreate, "--tenant", tenant, "--password-stdin", "--json");
    expect(created).toEqual({ code: 0, stdout: expect.stringMatching(/^\{"user":\{.*\}\}\n$/), stderr: "" });
    expect(await runProgram("", "tenant", "lst")).toEqual({
      code: 2,
      stdout: "",
      stderr: "error: unknown command 'lst' (Did you mean list?) (--help shows the usage)\n",
    });
  });

  test("as a program it takes the keys of TOTP secrets, and repeats none that is wrong", async () => {
    const tenant = await createTenant();
    const { key_id } = (await answer("totp", "rotate", "--json")).totp;
    const settings = { TOTP_SECRET_KEYS: firstKey.toString("base64") };
    const command = [...userCreate, "--tenant", tenant, "--password-stdin", "--mfa"];
    expect(await runProgramWith(settings, "pw\n", ...command)).toMatchObject({ code: 0, stderr: "" });
    const user = await inStore((store) => store.users.findByLogin({ ...login, tenant_id: tenant }));
    expect(user?.totp_key_id).toBe(key_id);
    const wrong = { TOTP_SECRET_KEYS: `${settings.TOTP_SECRET_KEYS},c2VjcmV0` };
    expect(await runProgramWith(wrong, "", "totp", "rotate")).toEqual({
      code: 2,
      stdout: "",
      stderr:
        "error: TOTP_SECRET_KEYS must be keys of 32 bytes in Base64, with commas between them, such as `openssl rand -base64 32` makes\n",
    });
  });
});

describe("on a file", () => {
  let folder: string;
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), "admin-"));
    databaseUrl = `file:${folder}/commerce.db`;
    await (await openStore(databaseUrl)).close();
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  test("a database that had to be made is told, for its name may be mistyped", async () => {
    databaseUrl = `file:${folder}/comerce.db`;
    expect(await run("tenant", "list", "--json")).toEqual({
      code: 0,
      stdout: '{"tenants":[]}\n',
      stderr: `note: ${folder}/comerce.db was missing or empty; it is a new database now\n`,
    });
    expect((await run("tenant", "list", "--json")).stderr).toBe("");
  });

  test("no database is made where DATABASE_CREATE is never", async () => {
    databaseUrl = `file:${folder}/data/comerce.db`;
    databaseCreate = "never";
    expect(await run("tenant", "create", "--name", "Acme")).toEqual({
      code: 1,
      stdout: "",
      stderr: `error: Cannot open the database ${folder}/data/comerce.db (it is missing or empty, and DATABASE_CREATE is never); restore it, or set DATABASE_CREATE to if-missing for a new one.\n`,
    });
    expect(existsSync(join(folder, "data"))).toBe(false);
  });

  test("a newer database, and one that cannot be opened, are refused with a remedy", async () => {
    await createTenant();
    const file = readFileSync(join(folder, "commerce.db"));
    file.writeUInt32BE(99, 60); // SQLite's user_version (file format, 1.3)
    writeFileSync(join(folder, "commerce.db"), file);
    expect(await run("tenant", "list")).toEqual({
      code: 1,
      stdout: "",
      stderr: expect.stringMatching(
        /^error: The database has schema version 99, .*; run the newer release, .*\n$/,
      ),
    });
    databaseUrl = `file:${folder}`;
    expect(await run("tenant", "list")).toEqual({
      code: 1,
      stdout: "",
      stderr: `error: Cannot open the database ${folder} (it cannot be opened); set DATABASE_URL to a file that this user may read and write.\n`,
    });
    writeFileSync(join(folder, "notes.txt"), "text");
    databaseUrl = `file:${folder}/notes.txt`;
    expect(await run("tenant", "list")).toMatchObject({ code: 1, stdout: "" });
  });

  test("it lets go of the database, also after a refusal", async () => {
    const log = join(folder, "commerce.db-wal");
    await createTenant();
    expect(existsSync(log)).toBe(false);
    await run("key", "revoke", "key_none");
    expect(existsSync(log)).toBe(false);
  });
});

test("a PostgreSQL server that is out of reach is named without the password", async () => {
  databaseUrl = "postgres://u:hunter2@127.0.0.1:1/shop";
  expect(await run("tenant", "list")).toEqual({
    code: 1,
    stdout: "",
    stderr:
      "error: Cannot open the database shop at 127.0.0.1:1 (ECONNREFUSED); check that it runs and that DATABASE_URL names its host and port.\n",
  });
});

describe("wrong usage", () => {
  const user = [...userCreate, "--tenant", "t", "--password-stdin"];
  const webhook = ["webhook", "create", "--tenant", "t", "--url", "https://a.example", "--event", "a.b"];
  test.each<[fault: string, command: string[], says: string]>([
    ["no command", [], "a command is missing"],
    ["a noun alone", ["tenant"], "a command is missing"],
    ["an unknown noun", ["tennant", "list"], "unknown command 'tennant' (Did you mean tenant?)"],
    ["an unknown verb", ["tenant", "creat"], "unknown command 'creat' (Did you mean create?)"],
    ["an unknown option", ["tenant", "list", "--jsn"], "unknown option '--jsn' (Did you mean --json?)"],
    ["an argument too many", ["tenant", "list", "x"], "too many arguments"],
    ["a missing option", ["tenant", "create"], "required option '--name <name>' not specified"],
    ["an empty name", ["tenant", "create", "--name", " "], "It must not be empty."],
    [
      "a name with an escape",
      ["tenant", "create", "--name", "a\u001b[2J"],
      "It must not contain control characters.",
    ],
    [
      "a bad auth type",
      ["tenant", "create", "--name", "A", "--auth-type", "3.5"],
      "It must be a whole number",
    ],
    [
      "a bad kind",
      ["key", "create", "--tenant", "t", "--kind", "public"],
      "It must be secret or publishable.",
    ],
    ["a dial code with +", [...user, "--dial-code", "+91"], "It must be one to four digits without +"],
    ["a bad mobile", [...user, "--mobile", "98-76"], "It must be 4 to 15 digits"],
    ["a bad e-mail address", [...user, "--email", "asha"], "It must be an address"],
    [
      "no --password-stdin",
      [...userCreate, "--tenant", "t"],
      "required option '--password-stdin' not specified",
    ],
    ["an empty password", user, "the password is empty"],
    [
      "a name that is too long",
      [...user, "--first-name", "n".repeat(101)],
      "It must have at most 100 characters",
    ],
    [
      "an address that is too long",
      [...user, "--email", `${"a".repeat(250)}@b.cd`],
      "It must have at most 254 characters",
    ],
    [
      "a URL that is not http",
      [...webhook, "--url", "ftp://a.example"],
      "It must be a complete http or https URL",
    ],
    ["a bad event name", [...webhook, "--event", "Order"], "It must be lower-case words joined by dots"],
    ["no event", webhook.slice(0, -2), "required option '--event <name>' not specified"],
    ["no key id", ["key", "revoke"], "give either the key's id or --key-stdin"],
    [
      "a key id beside a key",
      ["key", "revoke", "key_x", "--key-stdin"],
      "give either the key's id or --key-stdin",
    ],
    ["no user id", ["user", "remove"], "missing required argument 'id'"],
    [
      "a new password that is empty",
      ["user", "set-password", "u", "--password-stdin"],
      "the password is empty",
    ],
    ["a webhook id that is none", ["webhook", "remove", "one", "--tenant", "t"], "It must be a number"],
    [
      "a webhook id too large",
      ["webhook", "remove", "9007199254740993", "--tenant", "t"],
      "It must be a number",
    ],
    ["nothing to change", ["webhook", "update", "1", "--tenant", "t"], "there is nothing to change"],
  ])("%s is wrong usage: status 2, one line, and no database touched", async (_fault, command, says) => {
    databaseUrl = "not a database";
    const { code, stdout, stderr } = await runWith("\n", ...command);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toMatch(/^error: [^\n]+\n$/);
    expect(stderr).toContain(says);
  });
});

test("a password that is not UTF-8 is refused, for nobody could log in with it as it was typed", async () => {
  const { code, stderr } = await runWith(
    new Uint8Array([0x61, 0xff]),
    ...userCreate,
    "--tenant",
    "t",
    "--password-stdin",
  );
  expect({ code, stderr }).toEqual({
    code: 2,
    stderr:
      "error: the password is not UTF-8 text; give it on standard input in that encoding (--help shows the usage)\n",
  });
});

test("standard input without end is refused as too long a password", async () => {
  async function* endless() {
    for (;;) yield "p".repeat(1000);
  }
  let stderr = "";
  const code = await runAdmin([...userCreate, "--tenant", "t", "--password-stdin"], {
    databaseUrl: "not a database",
    databaseCreate,
    totpSecretKeys,
    production,
    stdin: endless(),
    stdout: { write: () => true },
    stderr: { write: (text) => (stderr += text) },
  });
  expect({ code, stderr }).toEqual({
    code: 2,
    stderr:
      "error: the password is longer than 1024 characters; choose a shorter one (--help shows the usage)\n",
  });
});

test("every command has help with examples, without touching the database", async () => {
  databaseUrl = "not a database";
  const verbs = [
    "tenant create",
    "tenant list",
    "key create",
    "key list",
    "key revoke",
    "user create",
    "user list",
    "user set-password",
    "user enable-mfa",
    "user disable-mfa",
    "user unlock",
    "user remove",
    "webhook create",
    "webhook list",
    "webhook update",
    "webhook remove",
    "totp rotate",
  ];
  for (const command of ["", "tenant", "key", "user", "webhook", "totp", ...verbs]) {
    const { code, stdout, stderr } = await run(...command.split(" ").filter(Boolean), "--help");
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toContain(`Usage: npm run -s admin -- ${command}`);
    expect(stdout).toContain("\nExamples:\n  $ npm run -s admin -- ");
  }
});

function run(...argv: string[]) {
  return runWith("", ...argv);
}

async function runWith(stdin: string | Uint8Array, ...argv: string[]) {
  const written = { stdout: "", stderr: "" };
  const code = await runAdmin(argv, {
    databaseUrl,
    databaseCreate,
    totpSecretKeys,
    production,
    stdin: Readable.from([Buffer.from(stdin)]),
    stdout: { write: (text) => (written.stdout += text) },
    stderr: { write: (text) => (written.stderr += text) },
    clock: () => now,
  });
  return { code, ...written };
}

async function answer(...argv: string[]) {
  const { code, stdout, stderr } = await run(...argv);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(stdout).toMatch(/^\{[^\n]*\}\n$/);
  return JSON.parse(stdout);
}

async function createTenant(): Promise<string> {
  return (await answer("tenant", "create", "--name", "Acme", "--json")).tenant.id;
}

async function inStore<T>(work: (store: Store) => Awaitable<T>): Promise<T> {
  const store = await openStore(databaseUrl);
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

function runProgram(stdin: string, ...argv: string[]) {
  return runProgramWith({}, stdin, ...argv);
}

async function runProgramWith(settings: Record<string, string>, stdin: string, ...argv: string[]) {
  const main = fileURLToPath(new URL("./main.ts", import.meta.url));
  const child = spawn(process.execPath, [main, ...argv], {
    env: { ...process.env, DATABASE_URL: databaseUrl, ...settings },
    // Here is no file `.env` that could set anything.
    cwd: import.meta.dirname,
  });
  child.stdin.end(stdin);
  const [stdout, stderr, code] = await Promise.all([
    readText(child.stdout),
    readText(child.stderr),
    new Promise((resolve) => child.on("close", resolve)),
  ]);
  return { code, stdout, stderr };
}
