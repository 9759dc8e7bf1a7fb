/** Tests that a database of an earlier release is upgraded and keeps its data. */
import { describe, expect, test } from "vitest";
import { databases } from "../testing/databases.ts";
import { openStore } from "./open.ts";

/** For each database, an SQL literal for a list of events and a query for all columns of all tables. */
const dialects = new Map([
  [
    "SQLite",
    {
      events: `'["order.created"]'`,
      columns: `SELECT tables.name AS "table", columns.* FROM sqlite_schema AS tables, pragma_table_info(tables.name) AS columns
        WHERE tables.type = 'table' ORDER BY 1, cid`,
    },
  ],
  [
    "PostgreSQL",
    {
      events: "'{order.created}'",
      columns: `SELECT table_name, column_name, data_type, collation_name, is_nullable, column_default
        FROM information_schema.columns WHERE table_schema = 'public' ORDER BY table_name, ordinal_position`,
    },
  ],
]);

/** Rows for the tables of the first release. */
const rows = (events: string): readonly string[] => [
  "INSERT INTO tenants (id, name, auth_type) VALUES ('t', 'Acme', 3)",
  "INSERT INTO api_keys (id, tenant_id, kind, hash, created_at) VALUES ('key_1', 't', 'secret', 'key hash', 1)",
  `INSERT INTO users (id, tenant_id, type, dial_code, mobile, password_hash, first_name, last_name, email, profile_pic,
     email_verified, totp_secret, totp_last_step)
   VALUES ('u', 't', 'customer', '91', '9876543210', 'password hash', 'Asha', 'Rao', '', '', '1', 'TOTPSECRET', 7)`,
  `INSERT INTO sessions (user_id, uuid, auth_hash, refresh_hash, auth_expires_at, refresh_expires_at, created_at)
   VALUES ('u', 'phone', 'auth hash', 'refresh hash', 20, 30, 10)`,
  `INSERT INTO commissions (tenant_id, definition_hash, definition, rate, created_at)
   VALUES ('t', 'definition hash', '{}', 12.5, 1)`,
  `INSERT INTO webhooks (tenant_id, url, events) VALUES ('t', 'https://shop.test/', ${events})`,
];

describe.each(databases)("$name", ({ name, versions, createEmpty, migrateTo, runSql }) => {
  const { events = "", columns = "" } = dialects.get(name) ?? {};
  const earlier = Array.from({ length: versions - 1 }, (_, index) => index + 1);

  test.each(earlier)(
    "version %i is upgraded to the current version without loss of data",
    async (version) => {
      const { url, remove } = await createEmpty();
      await migrateTo(url, version);
      for (const row of rows(events)) await runSql(url, row);
      const store = await openStore(url);
      expect(await store.tenants.list()).toEqual([{ id: "t", name: "Acme", auth_type: 3 }]);
      const key = { id: "key_1", tenant_id: "t", kind: "secret", operations: null, expires_at: null };
      expect(await store.apiKeys.findActiveByHash("key hash")).toEqual(key);
      const unknown = { name: null, last_four: null, last_used_at: null, revoked_at: null };
      expect(await store.apiKeys.list("t")).toEqual([{ ...key, ...unknown, created_at: 1 }]);
      const login = { tenant_id: "t", type: "customer", dial_code: "91", mobile: "9876543210" };
      expect(await store.users.findByLogin(login)).toMatchObject({
        id: "u",
        ...login,
        password_hash: "password hash",
        email_verified: true,
        totp_secret: "TOTPSECRET",
        totp_key_id: null,
      });
      // The code of this step was used before.
      expect(await store.users.consumeTotpStep("u", 7)).toBe(false);
      expect(await store.sessions.findByAuthHash("auth hash")).toMatchObject({
        user_id: "u",
        uuid: "phone",
        refresh_hash: "refresh hash",
        refresh_expires_at: 30,
      });
      const commission = { tenant_id: "t", definition_hash: "definition hash", definition: "{}", rate: 1 };
      expect(await store.commissions.submit({ ...commission, created_at: 2 })).toMatchObject({
        id: 1,
        rate: 12.5,
      });
      const webhook = { id: 1, tenant_id: "t", url: "https://shop.test/", events: ["order.created"] };
      expect(await store.webhooks.list("t")).toEqual([webhook]);
      expect(await store.webhooks.create({ ...webhook, url: "https://shop.test/2" })).toMatchObject({
        id: 2,
      });
      await store.close();
      const upgraded = await runSql(url, columns);
      await remove();
      expect(upgraded.length).toBeGreaterThan(30);

      const fresh = await createEmpty();
      await (await openStore(fresh.url)).close();
      expect(await runSql(fresh.url, columns)).toEqual(upgraded);
      await fresh.remove();
    },
  );
});
