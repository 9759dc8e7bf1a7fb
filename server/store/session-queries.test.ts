/** Tests the SQL statements in docs/operating.md for services that check, renew and end sessions. */
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { hashSessionKey, issueSessionKeys, type SessionKeys } from "../domain/sessions.ts";
import { databases } from "../testing/databases.ts";
import { plainUser, rightPassword, startService } from "../testing/service.ts";

const page = readFileSync("docs/operating.md", "utf8");
const [check = "", renew = "", end = "", ...others] = [...page.matchAll(/^```sql\n(.*?)^```$/gms)].map(
  ([, sql = ""]) => sql,
);

type Values = Readonly<Record<string, string | number>>;

/** Returns the statement with its parameters replaced by literals. */
function withValues(sql: string, values: Values): string {
  return sql.replaceAll(/:(\w+)/g, (_, name: string) => {
    const value = values[name];
    return typeof value === "number" ? String(value) : `'${value}'`;
  });
}

it.each(databases)(
  "the statements of docs/operating.md check, renew and end a session on $name",
  async (database) => {
    expect(others).toEqual([]);
    const { url, remove } = await database.create();
    await using service = await startService({ settings: { DATABASE_URL: url } });
    const body = { user: { ...plainUser, uuid: "phone", password: rightPassword } };
    const response = await service.send({
      method: "POST",
      path: "/v1/users/login",
      key: service.acme.secretKey,
      body,
    });
    const { data } = response.body as { data: { user: { id: string; key: SessionKeys["key"] } } };
    const { id, key } = data.user;
    const now = service.time;
    const run = (sql: string, values: Values) => database.runSql(url, withValues(sql, { now, ...values }));
    const checked = (auth_key: string, at = now) =>
      run(check, { auth_hash: hashSessionKey(auth_key), now: at });

    const user = { id, tenant_id: service.acme.tenant.id, type: plainUser.type };
    expect(await checked(key.auth_key)).toEqual([user]);
    expect(await checked(key.auth_key, now + 3_600_000)).toEqual([]);
    expect(await checked(key.refresh_key)).toEqual([]);

    const renewed = issueSessionKeys({ authSeconds: 60, refreshSeconds: 600 }, now);
    const renewal = {
      refresh_hash: hashSessionKey(key.refresh_key),
      new_auth_hash: renewed.record.auth_hash,
      new_refresh_hash: renewed.record.refresh_hash,
      auth_ms: 60_000,
      refresh_ms: 600_000,
    };
    expect(await run(renew, renewal)).toEqual([{ user_id: id }]);
    expect(await run(renew, renewal)).toEqual([]);
    expect(await checked(key.auth_key)).toEqual([]);
    expect(await checked(renewed.key.auth_key, now + 59_999)).toEqual([user]);

    const auth_hash = renewed.record.auth_hash;
    expect([await run(end, { auth_hash }), await checked(renewed.key.auth_key)]).toEqual([
      [{ user_id: id }],
      [],
    ]);
    await remove();
  },
);
