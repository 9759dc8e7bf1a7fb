import { randomUUID } from "node:crypto";
import { resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { issueApiKey } from "../domain/api-keys.ts";
import { databaseName } from "../store/open.ts";
import { databases } from "../testing/databases.ts";
import { auditLine } from "./audit-line.ts";
import { adminOn, now, userCreate } from "./testing/commands.ts";

describe.each(databases)("on $name", (database) => {
  const admin = adminOn(database);
  const { createTenant, resultOf, run } = admin;
  const common = () => {
    const database = databaseName(admin.databaseUrl);
    return { level: 30, time: now, audit: "admin", database, msg: "a command was run" };
  };

  test("each action writes a line with its ids and result, but no secrets, to the audit log", async () => {
    const line = { ...common(), result: "done" };
    const tenant_id = await createTenant();
    expect(admin.audited).toEqual([{ ...line, action: "tenant create", tenant_id }]);
    const { key } = await resultOf(`key create --kind secret --tenant ${tenant_id}`);
    expect(admin.audited).toEqual([{ ...line, action: "key create", tenant_id, key_id: key.id }]);
    const { user } = await resultOf(`${userCreate} --tenant ${tenant_id} --mfa`, "marked password");
    const ofUser = { ...line, tenant_id, user_id: user.id };
    expect(admin.audited).toEqual([{ ...ofUser, action: "user create" }]);
    await resultOf(`user set-password ${user.id} --password-stdin`, "marked password");
    expect(admin.audited).toEqual([{ ...ofUser, action: "user set-password" }]);
    await resultOf(`user enable-mfa ${user.id}`);
    expect(admin.audited).toEqual([{ ...ofUser, action: "user enable-mfa" }]);
    await resultOf("key revoke --key-stdin", key.secret);
    expect(admin.audited).toEqual([{ ...line, action: "key revoke", tenant_id, key_id: key.id }]);
  });

  test("a failed action also writes a line with the given ids, but omits text that does not have the form of an id", async () => {
    const line = { ...common(), result: "failed" };
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
      expect(admin.audited).toEqual([{ ...line, action: command.split(" ", 2).join(" "), ...ids }]);
    }
    admin.databaseUrl = `file:${import.meta.dirname}`;
    await run("tenant list");
    expect(admin.audited).toEqual([{ ...line, action: "tenant list", database: import.meta.dirname }]);
  });
});

test("a terminal shows the line of an action in words", () => {
  const tenant_id = randomUUID();
  const action = { time: now, ids: { tenant_id }, result: "done", database: "/data/a.db" } as const;
  expect(auditLine(["tenant", "create", "--name", "Acme"], action, true)).toBe(
    `audit: tenant create, done, tenant_id ${tenant_id}, database /data/a.db\n`,
  );
});

test.each([
  ["file:a.db", resolve("a.db")],
  ["file:///data/a.db", "/data/a.db"],
  ["postgres://root:s3cret@db:5433/commerce?password=s3cret", "db:5433/commerce"],
  ["postgres://root:s3cret@a:1,b:2/commerce", ""],
])("the name of the database %s has no password", (url, name) => {
  expect(databaseName(url)).toBe(name);
});
