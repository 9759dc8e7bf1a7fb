import { spawn } from "node:child_process";
import { randomBytes, randomUUID } from "node:crypto";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
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
const userCreate = "user create --type customer --dial-code 91 --mobile 9876543210 --password-stdin";
const webhookCreate = "webhook create --url https://a.example --event a.b";

const login = { type: "customer", dial_code: "91", mobile: "9876543210" };
const [firstKey, otherKey] = [randomBytes(32), randomBytes(32)];
const missingKey = `error: TOTP secrets are encrypted with the key ${createTotpKeys([firstKey]).current}, which TOTP_SECRET_KEYS does not contain; add it again.\n`;

let databaseUrl: string;
/** The lines that the last command wrote to the audit log. */
let audited: Record<string, unknown>[];
let totpSecretKeys: Uint8Array[];
let production: boolean;
let databaseCreate: "if-missing" | "never";
let commonPasswords: "reject" | "accept";
beforeEach(() => {
  totpSecretKeys = [firstKey];
  production = true;
  databaseCreate = "if-missing";
  commonPasswords = "reject";
});

describe.each(databases)("on $name", ({ create }) => {
  beforeEach(async () => {
    const { url, remove } = await create();
    databaseUrl = url;
    await (await openStore(url)).close();
    return remove;
  });

  describe("tenants", () => {
    test("a tenant is created with auth flow 3 by default and then listed", async () => {
      const acme = await resultOf("tenant create --name Acme");
      const other = await resultOf("tenant create --name Other --auth-type 7");
      expect(acme).toEqual({ tenant: { id: expect.stringMatching(uuid), name: "Acme", auth_type: 3 } });
      expect(other).toEqual({ tenant: { id: expect.stringMatching(uuid), name: "Other", auth_type: 7 } });
      expect(await resultOf("tenant list")).toEqual({ tenants: [acme.tenant, other.tenant] });
    });

    test("without --json, output is a sentence or a table", async () => {
      const created = await run("tenant create --name Acme");
      const id = created.stdout.trim().split(": ")[1] ?? "";
      expect(created).toEqual({ code: 0, stdout: `Created tenant Acme: ${id}\n`, stderr: "" });
      expect(await run("tenant list")).toEqual({
        code: 0,
        stdout: `ID${" ".repeat(36)}AUTH TYPE  NAME\n${id}  3          Acme\n`,
        stderr: "",
      });
    });

    test("a tenant with an unsupported auth flow is created with a warning", async () => {
      const { stdout } = await run("tenant create --name Acme --auth-type 1");
      expect(stdout).toContain(
        "\nOnly authentication flow 3 is supported: logins that do not set auth_type will be rejected.\n",
      );
    });
  });

  describe("keys", () => {
    test("a key is shown only when it is created", async () => {
      const tenant = await createTenant();
      for (const kind of ["secret", "publishable"] as const) {
        const { key } = await resultOf(`key create --tenant ${tenant} --kind ${kind}`);
        expect(key).toEqual({
          id: expect.stringMatching(/^key_[0-9A-Za-z]{12}$/),
          kind,
          ...{ name: null, operations: null, expires_at: null },
          secret: expect.any(String),
        });
        expect(await findActive(key.secret)).toMatchObject({ id: key.id, tenant_id: tenant, kind });
        for (const list of [`key list --tenant ${tenant}`, `key list --tenant ${tenant} --json`]) {
          const { stdout } = await run(list);
          expect(stdout).toContain(key.id);
          expect(stdout).not.toContain(key.secret);
          expect(stdout).not.toContain(hashOfApiKey(key.secret));
        }
      }
    });

    test("a revoked key no longer works and is listed with the time, which a second revocation does not change", async () => {
      const tenant = await createTenant();
      const { key } = await resultOf(`key create --tenant ${tenant} --kind secret`);
      const revoked = { key: { id: key.id, kind: "secret", revoked_at: "2026-01-01T00:00:00.000Z" } };
      expect(await resultOf(`key revoke ${key.id}`)).toEqual(revoked);
      expect(await resultOf(`key revoke ${key.id}`)).toEqual(revoked);
      expect(await findActive(key.secret)).toBeUndefined();
      expect(await resultOf(`key list --tenant ${tenant}`)).toEqual({
        keys: [expect.objectContaining({ ...revoked.key, created_at: "2026-01-01T00:00:00.000Z" })],
      });
    });

    test("a key's name, last characters, expiry, last use and operations are listed, with and without --json", async () => {
      const tenant = await createTenant();
      const options = "--name Invoices --expires 90d --operation getWebhook --operation loginUser";
      const { key } = await resultOf(`key create --tenant ${tenant} --kind secret ${options}`);
      const operations = ["getWebhook", "loginUser"];
      const shown = { name: "Invoices", operations, expires_at: "2026-04-01T00:00:00.000Z" };
      expect(key).toMatchObject(shown);
      await inStore((store) => store.apiKeys.noteUses(new Map([[key.id, now + 1]])));
      const plain = await resultOf(`key create --tenant ${tenant} --kind publishable`);
      const created_at = "2026-01-01T00:00:00.000Z";
      const times = { created_at, revoked_at: null };
      const ends = [key, plain.key].map(({ secret }) => secret.slice(-4));
      expect(await resultOf(`key list --tenant ${tenant}`)).toEqual({
        keys: [
          {
            ...{ ...shown, id: key.id, kind: "secret", last_four: ends[0], ...times },
            last_used_at: "2026-01-01T00:00:00.001Z",
          },
          {
            ...{ id: plain.key.id, kind: "publishable", last_four: ends[1], ...times },
            ...{ name: null, operations: null, expires_at: null, last_used_at: null },
          },
        ],
      });
      const line = `publishable  ${ends[1]}     ${created_at}  -${" ".repeat(25)}-${" ".repeat(25)}-        -`;
      expect((await run(`key list --tenant ${tenant}`)).stdout.split("\n")).toEqual([
        expect.stringMatching(/^ID +KIND +ENDS IN +CREATED +EXPIRES +LAST USED +REVOKED +OPERATIONS +NAME$/),
        expect.stringMatching(/ getWebhook,loginUser {2}Invoices$/),
        expect.stringContaining(line),
        "",
      ]);
    });

    test("an expiry is a duration, a date, a time or never", async () => {
      const tenant = await createTenant();
      const expiryOf = async (expires: string) =>
        (await resultOf(`key create --tenant ${tenant} --kind secret --expires ${expires}`)).key.expires_at;
      expect(await expiryOf("36h")).toBe("2026-01-02T12:00:00.000Z");
      expect(await expiryOf("2028-02-29")).toBe("2028-02-29T00:00:00.000Z");
      expect(await expiryOf("2026-03-31T18:00Z")).toBe("2026-03-31T18:00:00.000Z");
      expect(await expiryOf("2026-04-01T00:00:00.001Z")).toBe("2026-04-01T00:00:00.001Z");
      expect(await expiryOf("never")).toBeNull();
      const { stdout } = await run(`key create --tenant ${tenant} --kind secret --expires 90d`);
      expect(stdout).toContain(". It expires at 2026-04-01T00:00:00.000Z. It is shown only once.");
    });

    test("key rotate makes a key with the same kind, name and operations, and the old key expires after the overlap", async () => {
      const tenant = await createTenant();
      const options = "--name Invoices --operation getWebhook";
      const { key } = await resultOf(`key create --tenant ${tenant} --kind secret ${options}`);
      const rotated = await resultOf(`key rotate ${key.id} --overlap 24h`);
      const expires_at = "2026-01-02T00:00:00.000Z";
      expect(rotated).toEqual({
        key: { ...key, id: rotated.key.id, secret: rotated.key.secret },
        rotated: { id: key.id, expires_at },
      });
      expect(rotated.key.secret).not.toBe(key.secret);
      const { keys } = await resultOf(`key list --tenant ${tenant}`);
      expect(keys).toMatchObject([
        { id: key.id, expires_at },
        { id: rotated.key.id, expires_at: null },
      ]);
      const { stdout } = await run(`key rotate ${rotated.key.id} --overlap 1d --expires 90d`);
      expect(stdout).toMatch(
        /^The key key_\w{12} expires at 2026-01-02T00:00:00\.000Z\.\nCreated secret key key_\w{12}\. It expires at 2026-04-01T00:00:00\.000Z\. It is shown only once\. Store it now:\nsk_\w{49}\n$/,
      );
    });

    test("if a key cannot be rotated, the error shows its id and the reason", async () => {
      const tenant = await createTenant();
      const create = async (options = "") =>
        (await resultOf(`key create --tenant ${tenant} --kind secret${options}`)).key.id;
      const rotate = (id: string) => run(`key rotate ${id} --overlap 24h`);
      expect(await rotate("key_none")).toEqual(
        rejected('no key has the id key_none; "key list --tenant ID" lists a tenant\'s keys'),
      );
      const revoked = await create();
      await resultOf(`key revoke ${revoked}`);
      const ended = await create();
      await resultOf(`key rotate ${ended} --overlap 0h`);
      for (const id of [revoked, ended])
        expect(await rotate(id)).toEqual(
          rejected(`the key ${id} is revoked or has expired; create another with "key create"`),
        );
      const expiring = await create(" --expires 90d");
      expect(await rotate(expiring)).toEqual(
        rejected(
          `the key ${expiring} expires at 2026-04-01T00:00:00.000Z; set the expiry of the new key, for example with --expires 90d or --expires never`,
        ),
      );
      expect((await resultOf(`key list --tenant ${tenant}`)).keys).toHaveLength(4);
      const { key } = await resultOf(`key rotate ${expiring} --overlap 24h --expires never`);
      expect(key.expires_at).toBe(null);
    });

    test("a leaked key whose id is unknown can be revoked with the key itself, which is not printed", async () => {
      const tenant = await createTenant();
      const { key } = await resultOf(`key create --tenant ${tenant} --kind secret`);
      expect(await resultOf("key revoke --key-stdin", ` ${key.secret}\r\n`)).toEqual({
        key: { id: key.id, kind: "secret", revoked_at: "2026-01-01T00:00:00.000Z" },
      });
      expect(await findActive(key.secret)).toBeUndefined();
    });

    test("text that is not a key and a key of another database cause different errors", async () => {
      const { secret } = issueApiKey("secret");
      const noKey =
        "error: standard input has no valid API key; give the complete key, for example: --key-stdin < key.txt (--help shows the usage)\n";
      for (const text of ["", secret.slice(1), "x".repeat(2000)])
        expect(await run("key revoke --key-stdin", text)).toEqual({ code: 2, stdout: "", stderr: noKey });
      expect(await run("key revoke --key-stdin", secret)).toEqual(
        rejected('no key matches; "key list --tenant ID" lists a tenant\'s keys'),
      );
    });

    function findActive(secret: string) {
      return inStore((store) => store.apiKeys.findActiveByHash(hashOfApiKey(secret) ?? ""));
    }
  });

  describe("users", () => {
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
        /^Created seller \+91 9876543210: \S+\nEnrol an authenticator app with this URI\. It is shown only once\. Store it now:\notpauth:\/\/totp\/\S+\n$/,
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
        /^The customer \+91 9876543210 now logs in with a code\. The user's sessions have ended\.\nEnrol an authenticator app with this URI\. It is shown only once\. Store it now:\notpauth:\/\/totp\/\S+\n$/,
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
      totpSecretKeys = [];
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
      production = false;
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
      totpSecretKeys = [otherKey];
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

  describe("webhooks", () => {
    test("a webhook is created with each event once, and listed only for its tenant", async () => {
      const [tenant, other] = [await createTenant(), await createTenant()];
      const created = await resultOf(`${webhookCreate} --event c.d --event a.b --tenant ${tenant}`);
      expect(created).toEqual({ webhook: { id: 1, url: "https://a.example", events: ["a.b", "c.d"] } });
      expect(await resultOf(`webhook list --tenant ${tenant}`)).toEqual({ webhooks: [created.webhook] });
      expect(await resultOf(`webhook list --tenant ${other}`)).toEqual({ webhooks: [] });
      expect((await run(`webhook list --tenant ${tenant}`)).stdout).toBe(
        "ID  URL                EVENTS\n1   https://a.example  a.b, c.d\n",
      );
    });

    test("URL and events can be changed separately, and new events replace all old ones", async () => {
      const tenant = await createTenant();
      const { webhook } = await resultOf(`${webhookCreate} --tenant ${tenant}`);
      const update = `webhook update ${webhook.id} --tenant ${tenant}`;
      const moved = { ...webhook, url: "https://b.example" };
      expect(await resultOf(`${update} --url ${moved.url}`)).toEqual({ webhook: moved });
      const changed = { ...moved, events: ["c.d", "a.b"] };
      expect(await resultOf(`${update} --event c.d --event a.b --event c.d`)).toEqual({ webhook: changed });
      expect(await resultOf(`webhook list --tenant ${tenant}`)).toEqual({ webhooks: [changed] });
      expect((await run(`${update} --event a.b`)).stdout).toBe(
        `Changed webhook ${webhook.id}: https://b.example (a.b)\n`,
      );
    });

    test("a removed webhook is returned and deleted", async () => {
      const tenant = await createTenant();
      const { webhook } = await resultOf(`${webhookCreate} --tenant ${tenant}`);
      const stored = (await resultOf(`${webhookCreate} --tenant ${tenant}`)).webhook;
      expect(await resultOf(`webhook remove ${webhook.id} --tenant ${tenant}`)).toEqual({ webhook });
      expect(await resultOf(`webhook list --tenant ${tenant}`)).toEqual({ webhooks: [stored] });
      expect((await run(`webhook remove ${stored.id} --tenant ${tenant}`)).stdout).toBe(
        `Removed webhook ${stored.id}: https://a.example (a.b)\n`,
      );
    });
  });

  test("keys of TOTP secrets are rotated: first add the new key, then encrypt the secrets, then remove the old key", async () => {
    await resultOf(`${userCreate} --tenant ${await createTenant()} --mfa`, "pass word");
    totpSecretKeys = [otherKey, firstKey];
    const key_id = createTotpKeys([otherKey]).current;
    expect(await resultOf("totp rotate")).toEqual({ totp: { key_id, users: 1 } });
    totpSecretKeys = [otherKey];
    expect((await run("totp rotate")).stdout).toBe(
      `Re-encrypted 0 TOTP secrets. All are now encrypted with the key ${key_id}.\n`,
    );
    totpSecretKeys = [firstKey];
    expect(await run("totp rotate")).toEqual({
      code: 1,
      stdout: "",
      stderr: missingKey.replace(`${createTotpKeys([firstKey]).current}`, `${key_id}`),
    });
  });

  describe("errors", () => {
    test("an action that the data does not allow exits with status 1 and prints one line with the fix", async () => {
      const [tenant, other] = [await createTenant(), await createTenant()];
      const { webhook } = await resultOf(`${webhookCreate} --tenant ${tenant}`);
      await resultOf(`${userCreate} --tenant ${tenant}`, "pass word");
      const noWebhook = (id: number) =>
        `the tenant has no webhook ${id}; "webhook list --tenant ID" lists its webhooks`;
      const problems: Record<string, string[]> = {
        'no tenant has the id none; "tenant list" lists all tenants': [
          "key create --tenant none --kind secret",
          "key list --tenant none",
          `${userCreate} --tenant none`,
          "user list --tenant none",
          `${webhookCreate} --tenant none`,
          "webhook list --tenant none",
          "webhook update 1 --tenant none --event a.b",
          "webhook remove 1 --tenant none",
        ],
        'no key has the id key_none; "key list --tenant ID" lists a tenant\'s keys': ["key revoke key_none"],
        'no user has the id none; "user list --tenant ID" lists a tenant\'s users': [
          "user set-password none --password-stdin",
          "user enable-mfa none",
          "user disable-mfa none",
          "user unlock none",
          "user remove none",
        ],
        "the tenant already has a customer +91 9876543210; choose another number or type": [
          `${userCreate} --tenant ${tenant}`,
        ],
        [noWebhook(webhook.id)]: [
          `webhook update ${webhook.id} --tenant ${other} --event c.d`,
          `webhook remove ${webhook.id} --tenant ${other}`,
        ],
        [noWebhook(webhook.id + 1)]: [`webhook remove ${webhook.id + 1} --tenant ${tenant}`],
      };
      for (const [problem, commands] of Object.entries(problems))
        for (const command of commands) expect(await run(command, "pass word")).toEqual(rejected(problem));
    });

    test("an error does not repeat a key that was given instead of its id", async () => {
      const { secret } = issueApiKey("secret");
      expect(await run(`key revoke ${secret}`)).toEqual(
        rejected('no key has the id [redacted]; "key list --tenant ID" lists a tenant\'s keys'),
      );
      for (const command of [`key create --tenant none --kind ${secret}`, `key ${secret}`])
        expect((await run(command)).stderr).not.toContain(secret);
    });
  });

  test("each action writes a line with its ids and result, but no secrets, to the audit log", async () => {
    const line = { level: 30, time: now, audit: "admin", result: "done", msg: "a command was run" };
    const tenant_id = await createTenant();
    expect(audited).toEqual([{ ...line, action: "tenant create", tenant_id }]);
    const { key } = await resultOf(`key create --kind secret --tenant ${tenant_id}`);
    expect(audited).toEqual([{ ...line, action: "key create", tenant_id, key_id: key.id }]);
    const { user } = await resultOf(`${userCreate} --tenant ${tenant_id} --mfa`, "marked password");
    const ofUser = { ...line, tenant_id, user_id: user.id };
    expect(audited).toEqual([{ ...ofUser, action: "user create" }]);
    await resultOf(`user set-password ${user.id} --password-stdin`, "marked password");
    expect(audited).toEqual([{ ...ofUser, action: "user set-password" }]);
    await resultOf(`user enable-mfa ${user.id}`);
    expect(audited).toEqual([{ ...ofUser, action: "user enable-mfa" }]);
    await resultOf("key revoke --key-stdin", key.secret);
    expect(audited).toEqual([{ ...line, action: "key revoke", tenant_id, key_id: key.id }]);
  });

  test("a failed action also writes a line with the given ids, but omits text that does not have the form of an id", async () => {
    const line = { level: 30, time: now, audit: "admin", result: "failed", msg: "a command was run" };
    const [tenant_id, user_id] = [randomUUID(), randomUUID()];
    const { secret } = issueApiKey("secret");
    const key_id = "key_4fzXq0Tn2bLd";
    for (const [command, ids] of [
      [`key create --kind secret --tenant ${tenant_id}`, { tenant_id }],
      [`key rotate ${key_id} --overlap 1h`, { rotated_key_id: key_id }],
      [`key revoke ${key_id}`, { key_id }],
      [`user unlock ${user_id}`, { user_id }],
      [`webhook remove 7 --tenant ${tenant_id}`, { tenant_id, webhook_id: 7 }],
      [`key list --tenant ${secret}`, {}],
      ["user unlock 9876543210", {}],
    ] as const) {
      expect((await run(command)).code).toBe(1);
      expect(audited).toEqual([{ ...line, action: command.split(" ", 2).join(" "), ...ids }]);
    }
    databaseUrl = `file:${import.meta.dirname}`;
    await run("tenant list");
    expect(audited).toEqual([{ ...line, action: "tenant list" }]);
  });
});

describe("on a SQLite file", () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "admin-"));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  test("a new database is reported, because its name may be mistyped", async () => {
    databaseUrl = `file:${folder}/comerce.db`;
    expect(await run("tenant list --json")).toEqual({
      code: 0,
      stdout: '{"tenants":[]}\n',
      stderr: `{"note":{"message":"${folder}/comerce.db was missing or empty; it is a new database now"}}\n`,
    });
    expect((await run("tenant list --json")).stderr).toBe("");
  });

  test("each command closes the database, even after an error", async () => {
    databaseUrl = `file:${folder}/commerce.db`;
    for (const command of ["tenant list", "key revoke key_none"]) {
      await run(command);
      expect(existsSync(join(folder, "commerce.db-wal")), command).toBe(false);
    }
  });

  test("the program reads its settings and standard input, and exits with the status", async () => {
    databaseUrl = `file:${folder}/commerce.db`;
    await run("tenant list");
    const tenant = await createTenant();
    const command = `${userCreate} --tenant ${tenant} --mfa --json`;
    const created = await runProgram(command, "pass word\n", {
      TOTP_SECRET_KEYS: firstKey.toString("base64"),
    });
    expect(created).toEqual({
      code: 0,
      stdout: expect.stringMatching(/^\{"user":\{.*\}\}\n$/),
      stderr: expect.stringMatching(/^\{"level":30,"time":\d+,"audit":"admin",[^\n]*\}\n$/),
    });
    const user = await inStore((store) => store.users.findByLogin({ ...login, tenant_id: tenant }));
    expect(user?.totp_key_id).toBe(createTotpKeys([firstKey]).current);
    expect(await runProgram("key revoke key_none")).toMatchObject({ code: 1, stdout: "" });
    expect(await runProgram("tenant list", "", { TOTP_SECRET_KEYS: "c2VjcmV0" })).toEqual({
      code: 2,
      stdout: "",
      stderr:
        "error: TOTP_SECRET_KEYS must be keys of 32 bytes in Base64, separated by commas; `openssl rand -base64 32` makes one\n",
    });
  });

  test("no database is created if DATABASE_CREATE is never", async () => {
    databaseUrl = `file:${folder}/data/comerce.db`;
    databaseCreate = "never";
    expect(await run("tenant create --name Acme")).toEqual({
      code: 1,
      stdout: "",
      stderr: `error: Cannot open the database ${folder}/data/comerce.db (it is missing or empty, and DATABASE_CREATE is never); restore it, or set DATABASE_CREATE to if-missing to create a new one.\n`,
    });
    expect(existsSync(join(folder, "data"))).toBe(false);
  });
});

describe("wrong usage", () => {
  const user = `${userCreate} --tenant t`;
  const webhook = `${webhookCreate} --tenant t`;
  const keyCreate = "key create --tenant t --kind secret";
  test.each<[problem: string, command: string, says: string]>([
    ["an unknown noun", "tenat create", "unknown command 'tenat' (Did you mean tenant?)"],
    [
      "an unknown option instead of a required one",
      "tenant create --nam x",
      "unknown option '--nam'; required option '--name <name>' not specified",
    ],
    ["options that npm has read itself", "tenant create", "`npm run` needs -- before options"],
    ["an empty name", "tenant create --name ", "It must not be empty."],
    ["a name with an escape", "tenant create --name a\u001b[2J", "It must not contain control characters."],
    [
      "a name that reverses the text after it",
      "tenant create --name a\u202eb",
      "It must not contain control characters.",
    ],
    ["a bad auth type", "tenant create --name A --auth-type 3.5", "It must be a whole number"],
    ["a bad kind", "key create --tenant t --kind public", "It must be secret or publishable."],
    ["a day that does not exist", `${keyCreate} --expires 2027-02-30`, "It must be a duration such as 90d"],
    [
      "a date in the past",
      `${keyCreate} --expires 2025-12-31`,
      "It must be in the future; it is 2026-01-01T",
    ],
    ["an unknown operation", `${keyCreate} --operation x`, "It must be an operationId: submitCommission, "],
    [
      "a bad overlap",
      "key rotate key_x --overlap day",
      "It must be a whole number with the unit s, m, h or d",
    ],
    ["a dial code with +", `${user} --dial-code +91`, "It must be one to four digits, such as 91, without +"],
    ["a bad mobile", `${user} --mobile 98-76`, "It must be 4 to 15 digits"],
    ["a bad e-mail address", `${user} --email asha`, "It must be an e-mail address"],
    ["an empty password", user, "the password is empty"],
    ["a name that is too long", `${user} --first-name ${"n".repeat(101)}`, "at most 100 characters"],
    ["a URL that is not http", `${webhook} --url ftp://a.example`, "It must be a complete http or https URL"],
    ["a bad event name", `${webhook} --event Order`, "It must consist of lower-case words with dots"],
    ["a key id and a key", "key revoke key_x --key-stdin", "give the key's id or --key-stdin, but not both"],
    ["a webhook id too large", "webhook remove 9007199254740993 --tenant t", "It must be a number"],
    ["nothing to change", "webhook update 1 --tenant t", "there is nothing to change"],
  ])(
    "%s exits with status 2, prints one line and does not open the database",
    async (_fault, command, says) => {
      databaseUrl = "not a database";
      const { code, stdout, stderr } = await run(command, "\n");
      expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
      expect(stderr).toMatch(/^error: [^\n]+\n$/);
      expect(stderr).toContain(says);
    },
  );

  test.each<[text: string, stdin: Iterable<Uint8Array>, says: string]>([
    ["is too short", [Buffer.from("seven77\n")], "the password is shorter than 8 characters"],
    ["is not UTF-8", [new Uint8Array([0x61, 0xff])], "the password is not UTF-8 text"],
    ["is common", [Buffer.from("iloveyou1\n")], "the password is one of the most common ones"],
    ["is common, apart from its case", [Buffer.from("Passw0rd\n")], "the password is one of the most common"],
    ["is common in capitals", [Buffer.from("PASSWORD123\n")], "the password is one of the most common ones"],
    ["has no end", endless(), "the password is longer than 1024 characters"],
  ])("a password that %s is rejected", async (_, stdin, says) => {
    databaseUrl = "not a database";
    const { code, stderr } = await runOn(Readable.from(stdin), user.split(" "));
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(says) });
  });

  test("the list of common passwords is in lower case, and has at least 10,000 that are long enough", async () => {
    const { dictionary } = await import("@zxcvbn-ts/language-common");
    const common = dictionary["passwords-common"];
    expect(common.filter((each) => each !== each.toLowerCase())).toEqual([]);
    expect(common.filter((each) => each.length >= 8).length).toBeGreaterThan(10_000);
  });

  test.each<[rule: string, stdin: string, setting: typeof commonPasswords]>([
    ["only contains a common one", "iloveyou1 iloveyou1", "reject"],
    ["is common, if COMMON_PASSWORDS is accept", "iloveyou1", "accept"],
    ["has 1024 equal letters", "p".repeat(1024), "reject"],
  ])("a password is accepted that %s", async (_, stdin, setting) => {
    commonPasswords = setting;
    databaseUrl = `file:${import.meta.dirname}`;
    // Status 1 means that only the database could not be opened.
    expect((await run(user, stdin)).code).toBe(1);
  });

  function* endless() {
    for (;;) yield Buffer.alloc(1000, "p");
  }
});

test("with --json, an error is printed to standard error as one JSON object, with the same exit status", async () => {
  databaseUrl = "not a database";
  const unknown = await run("tenant list --jsn --json");
  expect(unknown).toEqual({
    code: 2,
    stdout: "",
    stderr: `${JSON.stringify({ error: { message: "unknown option '--jsn' (Did you mean --json?) (--help shows the usage)" } })}\n`,
  });
  const failed = await run("tenant list --json");
  expect({ ...failed, stderr: JSON.parse(failed.stderr) }).toEqual({
    code: 1,
    stdout: "",
    stderr: { error: { message: expect.stringMatching(/^DATABASE_URL must be file:PATH or postgres:/) } },
  });
  const misconfigured = await runProgram("tenant list --json", "", { TOTP_SECRET_KEYS: "c2VjcmV0" });
  expect({ ...misconfigured, stderr: JSON.parse(misconfigured.stderr) }).toEqual({
    code: 2,
    stdout: "",
    stderr: { error: { message: expect.stringContaining("; TOTP_SECRET_KEYS must be ") } },
  });
});

test("every command prints help with examples without opening the database", async () => {
  databaseUrl = "not a database";
  /** Checks the help of a command, and returns the commands in it. */
  const helpOf = async (command: string) => {
    const { code, stdout, stderr } = await run(`${command} --help`.trim());
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toContain(`Usage: node server/admin/main.ts ${command}`);
    expect(stdout).toContain("\nExamples:\n  $ node server/admin/main.ts ");
    const [, listed = ""] = stdout.split("\nCommands:\n");
    return [...listed.matchAll(/^ {2}([a-z-]+(?: [a-z-]+)?) /gm)].map(([, name = ""]) => name);
  };
  const commands = await helpOf("");
  await Promise.all(commands.map(helpOf));
  const nouns = new Set(commands.filter((each) => each.includes(" ")).map((each) => each.replace(/ .*/, "")));
  const ofNouns = (await Promise.all([...nouns].map(helpOf))).flat();
  expect([commands.length, [...ofNouns, "backup"]]).toEqual([19, commands]);
});

/** No argument in `command` may contain a space. */
function run(command: string, stdin = "") {
  return runOn(Readable.from([Buffer.from(stdin)]), command.split(" "));
}

async function runOn(stdin: Readable, argv: readonly string[]) {
  const written = { stdout: "", stderr: "" };
  audited = [];
  const code = await runAdmin(argv, {
    databaseUrl,
    databaseCreate,
    totpSecretKeys,
    commonPasswords,
    production,
    stdin,
    stdout: { write: (text) => (written.stdout += text) },
    stderr: { write: (text) => (written.stderr += text) },
    audit: { write: (line) => audited.push(JSON.parse(line)) },
    clock: () => now,
  });
  return { code, ...written };
}

function rejected(problem: string) {
  return { code: 1, stdout: "", stderr: `error: ${problem}\n` };
}

async function resultOf(command: string, stdin?: string) {
  const { code, stdout, stderr } = await run(`${command} --json`, stdin);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(stdout).toMatch(/^\{[^\n]*\}\n$/);
  return JSON.parse(stdout);
}

async function createTenant(): Promise<string> {
  return (await resultOf("tenant create --name Acme")).tenant.id;
}

async function inStore<T>(work: (store: Store) => Awaitable<T>): Promise<T> {
  const store = await openStore(databaseUrl);
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

async function runProgram(command: string, stdin = "", settings: Record<string, string> = {}) {
  const main = fileURLToPath(new URL("./main.ts", import.meta.url));
  const child = spawn(process.execPath, [main, ...command.split(" ")], {
    env: { ...process.env, DATABASE_URL: databaseUrl, ...settings },
    // This folder contains no file `.env` that the program would read.
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
