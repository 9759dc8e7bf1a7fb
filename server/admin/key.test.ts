import { describe, expect, test } from "vitest";
import { hashOfApiKey, issueApiKey } from "../domain/api-keys.ts";
import { databases } from "../testing/databases.ts";
import { adminOn, now } from "./testing/commands.ts";

describe.each(databases)("on $name", (database) => {
  const admin = adminOn(database);
  const { createTenant, inStore, rejected, resultOf, run } = admin;

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
