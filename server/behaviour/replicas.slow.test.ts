/** Tests two servers, each in a separate process, that share one database. */
import { randomBytes } from "node:crypto";
import { generateSync } from "otplib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createApiKey, issueApiKey } from "../domain/api-keys.ts";
import { createTenant, registerUser } from "../domain/registration.ts";
import { createTotpKeys, rotateTotpKeys } from "../domain/totp-keys.ts";
import { openStore } from "../store/open.ts";
import { createDatabase, runSql } from "../store/postgres/testing/database.ts";
import type { Store } from "../store/store.ts";
import { databases } from "../testing/databases.ts";
import { type ReceivedResponse, send } from "../testing/http.ts";
import { type RunningServer, startServer } from "../testing/program.ts";

const password = "correct horse";
const attemptsPerAccount = 4;

describe.each(databases)("two servers that share one $name database", ({ create, runSql }) => {
  let databaseUrl: string;
  let store: Store;
  let servers: readonly [RunningServer, RunningServer];
  let tenantId: string;
  let secretKey: string;
  let stack: AsyncDisposableStack;
  beforeAll(async () => {
    stack = new AsyncDisposableStack();
    const { url, remove } = await create();
    stack.defer(remove);
    databaseUrl = url;
    const settings = { LOGIN_ATTEMPTS_PER_ACCOUNT: `${attemptsPerAccount}` };
    servers = await Promise.all([startServer(url, settings), startServer(url, settings)]);
    for (const server of servers) stack.use(server);
    store = await openStore(url);
    stack.defer(() => store.close());
    const tenant = await createTenant(store, { name: "Acme", auth_type: 3 });
    tenantId = tenant.id;
    secretKey = (await createKey()).secret;
  });
  afterAll(() => stack.disposeAsync());

  test("return one record for a hundred simultaneous submissions of one definition", async () => {
    const commission = { title: "Flat", type: "supply", default_value: 10 };
    const responses = await Promise.all(times(100, (n) => onServer(n, "GET", "/", { commission })));
    const [first] = responses;
    expect(first).toMatchObject({ status: 200, body: { data: { commission: { rate: 10 } } } });
    expect(new Set(responses.map(({ status, body }) => JSON.stringify({ status, body }))).size).toBe(1);
    expect(await runSql(databaseUrl, "SELECT count(*) AS records FROM commissions")).toEqual([
      { records: expect.toSatisfy((count) => Number(count) === 1) },
    ]);
  });

  test("count failed logins together", async () => {
    await createUser("5550003");
    const wrong = { uuid: "phone", password: "wrong" };
    const statuses = [];
    for (const n of times(attemptsPerAccount, (n) => n)) {
      statuses.push((await logIn(n, "5550003", wrong)).status);
    }
    expect(statuses).toEqual(Array(attemptsPerAccount).fill(401));
    for (const n of [0, 1]) {
      const rejected = await logIn(n, "5550003", { uuid: "phone" });
      expect({ status: rejected.status, code: codeOf(rejected) }).toEqual({
        status: 429,
        code: "too_many_attempts",
      });
      expect(Number(rejected.headers["retry-after"])).toBeGreaterThan(0);
    }
  });

  test("reject a revoked key with the next request", async () => {
    const { id, secret } = await createKey();
    const statuses = async () =>
      (await Promise.all([0, 1].map((n) => onServer(n, "GET", "/v1/webhooks/1", {}, secret)))).map(
        ({ status }) => status,
      );
    expect(await statuses()).toEqual([404, 404]);
    await store.apiKeys.revoke({ id }, Date.now());
    expect(await statuses()).toEqual([401, 401]);
  });

  function createKey() {
    return createApiKey({ store, clock: Date.now }, { tenant_id: tenantId, kind: "secret" });
  }

  async function createUser(mobile: string) {
    const tenant = { id: tenantId, name: "Acme", auth_type: 3 };
    const names = { first_name: "", last_name: "", email: "" };
    const user = { type: "customer", dial_code: "91", mobile, password, ...names };
    return registerUser({ store, totpKeys: createTotpKeys([]) }, tenant, { ...user, mfa: false });
  }

  function logIn(n: number, mobile: string, details: Record<string, string>) {
    const user = { mobile, dial_code: "91", password, type: "customer", ...details };
    return onServer(n, "POST", "/v1/users/login", { user });
  }

  /** Uses the servers alternately. */
  function onServer(
    n: number,
    method: string,
    path: string,
    body: unknown,
    key = secretKey,
  ): Promise<ReceivedResponse> {
    return send(servers[n % 2 === 0 ? 0 : 1].url, { method, path, key, body });
  }
});

describe.each(databases)("while the keys of TOTP secrets are rotated on a $name database", ({ create }) => {
  const [oldKey, newKey] = [randomBytes(32), randomBytes(32)];
  const settingOf = (...keys: Buffer[]) => ({
    TOTP_SECRET_KEYS: keys.map((key) => key.toString("base64")).join(),
  });

  test("a replica that has only the old key works until the rotation, and then reports the missing key", async () => {
    await using stack = new AsyncDisposableStack();
    const { url, remove } = await create();
    stack.defer(remove);
    const store = await openStore(url);
    stack.defer(() => store.close());
    const tenant = await createTenant(store, { name: "Acme", auth_type: 3 });
    const { secret: key } = await createApiKey(
      { store, clock: Date.now },
      { tenant_id: tenant.id, kind: "secret" },
    );
    const secrets: string[] = [];
    /** Each login uses a different user, because a code works only once. */
    const loginOf = async (mobile: string) => {
      const login = { type: "customer", dial_code: "91", mobile, password };
      const names = { first_name: "", last_name: "", email: "" };
      const registering = { store, totpKeys: createTotpKeys([oldKey]) };
      const { otpauth_uri } = await registerUser(registering, tenant, { ...login, ...names, mfa: true });
      const secret = new URL(otpauth_uri ?? "").searchParams.get("secret") ?? "";
      secrets.push(secret);
      return ({ url }: RunningServer) => {
        const user = { ...login, uuid: "phone", token: generateSync({ secret }) };
        return send(url, { method: "POST", path: "/v1/users/login", key, body: { user } });
      };
    };
    const [first, second, third, fourth] = await Promise.all(
      ["5550001", "5550002", "5550003", "5550004"].map(loginOf),
    );
    const [old, renewed] = await Promise.all([
      startServer(url, settingOf(oldKey)),
      startServer(url, settingOf(newKey, oldKey)),
    ]);
    stack.use(old);
    stack.use(renewed);
    expect([await first?.(old), await second?.(renewed)].map((response) => response?.status)).toEqual([
      200, 200,
    ]);

    const { totp_key_id } = await rotateTotpKeys(store, createTotpKeys([newKey, oldKey]));
    expect((await third?.(renewed))?.status).toBe(200);
    const rejected = await fourth?.(old);
    expect({ status: rejected?.status, code: rejected && codeOf(rejected) }).toEqual({
      status: 500,
      code: "internal_error",
    });
    await old.printed(
      `TOTP secrets are encrypted with the key ${totp_key_id}, which TOTP_SECRET_KEYS does not contain`,
    );
    for (const secret of [...secrets, settingOf(oldKey).TOTP_SECRET_KEYS])
      expect(old.output()).not.toContain(secret);
    expect((await fourth?.(renewed))?.status).toBe(200);
  });
});

test("a server opens at most DATABASE_POOL_SIZE connections to PostgreSQL", async () => {
  const url = await createDatabase();
  await using server = await startServer(url, { DATABASE_POOL_SIZE: "2" });
  const { secret } = issueApiKey("secret");
  const responses = await Promise.all(
    times(30, () => send(server.url, { method: "GET", path: "/v1/webhooks/1", key: secret, body: {} })),
  );
  expect(responses.map(({ status }) => status)).toEqual(times(30, () => 401));
  const connections = "SELECT pid FROM pg_stat_activity WHERE datname = current_database()";
  const open = await runSql(url, `${connections} AND pid <> pg_backend_pid()`);
  expect([1, 2]).toContain(open.length);
});

function times<T>(count: number, of: (n: number) => T): T[] {
  return Array.from({ length: count }, (_, n) => of(n));
}

function codeOf({ body }: ReceivedResponse): unknown {
  return (body as { error?: { code?: unknown } }).error?.code;
}
