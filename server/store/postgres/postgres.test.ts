/** Runs the suite of every store on PostgreSQL, and tests promises that only the PostgreSQL store makes. */
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { connect, createServer, type Server, type Socket } from "node:net";
import { Client } from "pg";
import { afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { totpKeyCounts, totpOfOtherKeys } from "../sql/totp-secrets.ts";
import { describeStore } from "../store.suite.ts";
import {
  type NewCommission,
  NewerDatabaseError,
  OutcomeUnknownError,
  type Store,
  StoreNotOpenableError,
  StoreUnavailableError,
  UnstorableTextError,
} from "../store.ts";
import type { PostgresOptions } from "./client-config.ts";
import { statement } from "./connection.ts";
import { migrate, migrations } from "./migrations.ts";
import { openPostgresStore } from "./open.ts";
import { clearDatabase, createDatabase, emptyDatabase, migrateTo, runSql } from "./testing/database.ts";
import { certificate } from "./testing/server.ts";

let url: string;
let opened: AsyncDisposableStack;
beforeAll(async () => {
  url = await createDatabase();
});
beforeEach(async () => {
  opened = new AsyncDisposableStack();
  await clearDatabase(url);
});
afterEach(() => opened.disposeAsync());

describeStore("a PostgreSQL database", () => openPostgresStore(url));

describe("opening", () => {
  beforeEach(() => emptyDatabase(url));

  test("a closed store has released every connection", async () => {
    const ownUrl = await createDatabase();
    const store = await openPostgresStore(ownUrl);
    await Promise.all(Array.from({ length: 5 }, () => store.tenants.list()));
    await store.close();
    // Waits for connections that are closing, and fails if one stays open.
    await expect(runSql(url, `DROP DATABASE ${new URL(ownUrl).pathname.slice(1)}`)).resolves.toEqual([]);
  });

  test("a newer database is rejected with an error that shows both versions, and stays unchanged", async () => {
    await (await openPostgresStore(url)).close();
    const newer = migrations.length + 2;
    await runSql(url, `UPDATE commerce_schema_version SET version = ${newer}`);
    await expect(openPostgresStore(url)).rejects.toThrow(new NewerDatabaseError(newer, migrations.length));
    expect(await runSql(url, "SELECT version FROM commerce_schema_version")).toEqual([{ version: newer }]);
  });

  test("another program's database is rejected and gets no table", async () => {
    await runSql(url, "CREATE TABLE recipes (name text)");
    await expect(openPostgresStore(url)).rejects.toThrow(
      new StoreNotOpenableError(
        "The database contains tables of another program; set DATABASE_URL to another database.",
      ),
    );
    expect(await tablesIn(url)).toEqual(["recipes"]);
  });

  test("a database whose encoding cannot store every string is rejected", async () => {
    const latin = await createDatabase("ENCODING 'LATIN1' TEMPLATE template0");
    const name = new URL(latin).pathname.slice(1);
    await expect(openPostgresStore(latin)).rejects.toThrow(
      new StoreNotOpenableError(
        `The database ${name} has the encoding LATIN1; create one with ENCODING 'UTF8'.`,
      ),
    );
  });

  test.each<[error: string, change: Partial<URL>, says: RegExp]>([
    [
      "a wrong password",
      { password: "hunter2" },
      /^Cannot open the database test_\w+ at localhost:\d+ \(password authentication failed for user "postgres"\); check user, password and sslmode in DATABASE_URL\.$/,
    ],
    [
      "an unknown database",
      { pathname: "nowhere" },
      /^Cannot open the database nowhere at localhost:\d+ \(database "nowhere" does not exist\); create it, or set DATABASE_URL to another database\.$/,
    ],
    [
      "an unknown host",
      { hostname: "no.such.host.invalid" },
      / at no\.such\.host\.invalid:\d+ \((ENOTFOUND|EAI_AGAIN)\); check that it runs and that DATABASE_URL has the right host and port\.$/,
    ],
    [
      "a port that nothing listens on",
      { port: "1" },
      / at localhost:1 \(ECONNREFUSED\); check that it runs /,
    ],
    ["an IPv6 address that nothing listens on", { host: "[::1]:1" }, / at \[::1\]:1 \(\w+\); check that /],
    [
      "a socket that does not exist",
      { search: "?host=/var/run/nowhere" },
      / at the socket \/var\/run\/nowhere\/\.s\.PGSQL\.\d+ \(ENOENT\); check that it runs/,
    ],
    [
      "an sslmode without protection",
      { search: "?sslmode=prefer" },
      /^sslmode in DATABASE_URL must be one of disable, require, verify-ca, verify-full\.$/,
    ],
    ["verify-ca without a certificate", { search: "?sslmode=verify-ca" }, / needs sslrootcert=FILE; /],
    [
      "a certificate that does not exist",
      { search: "?sslrootcert=/nowhere/ca.crt" },
      /^Cannot read \/nowhere\/ca\.crt \(ENOENT\); /,
    ],
  ])(
    "%s is rejected with an error that shows place and fix but not the password",
    async (_, change, says) => {
      const wrong = Object.assign(new URL(url), change);
      const error = await openPostgresStore(wrong.href).catch((rejection: unknown) => rejection);
      expect(error).toBeInstanceOf(StoreNotOpenableError);
      expect(error).toMatchObject({ message: expect.stringMatching(says) });
      for (const secret of [wrong.password, new URL(url).password]) {
        expect(`${error}${JSON.stringify(error)}`).not.toContain(secret);
      }
    },
  );

  test("an invalid URL is rejected with an error that does not contain the password", async () => {
    const error = await openPostgresStore("postgres://u:hunter2%@h:port/db").catch((rejection) => rejection);
    expect(error).toEqual(
      new StoreNotOpenableError(
        "DATABASE_URL is not a valid URL; percent-encode special characters in user and password: postgres://USER:PASSWORD@HOST/DATABASE.",
      ),
    );
    expect(error.cause).toBeUndefined();
  });

  test("a user who may not create tables is rejected with an error that shows the missing privilege", async () => {
    const reader = await urlOfRole("reader", "GRANT USAGE ON SCHEMA public TO reader");
    await expect(openPostgresStore(reader)).rejects.toThrow(
      /\(permission denied for schema public\); allow the user in DATABASE_URL to create tables in it\.$/,
    );
  });

  test("a user who may not open a second connection, for migrations, is rejected with the database's reason", async () => {
    const single = await urlOfRole(
      "single",
      "GRANT ALL ON SCHEMA public TO single; ALTER ROLE single CONNECTION LIMIT 1",
    );
    await expect(openPostgresStore(single)).rejects.toThrow(
      /^Cannot open the database test_\w+ at localhost:\d+ \(too many connections for role "single"\); /,
    );
  });

  /** Creates a user of the database, and returns the user's URL. */
  async function urlOfRole(name: string, grants: string): Promise<string> {
    await runSql(
      url,
      `DROP ROLE IF EXISTS ${name}; CREATE ROLE ${name} LOGIN PASSWORD 'of ${name}'; ${grants}`,
    );
    return Object.assign(new URL(url), { username: name, password: `of ${name}` }).href;
  }
});

describe("TLS", () => {
  test.each([
    ["disable does not encrypt", { sslmode: "disable" }, "localhost", false],
    [
      "require encrypts but does not check the server's certificate",
      { sslmode: "require" },
      "127.0.0.1",
      true,
    ],
    [
      "verify-full accepts the authority's certificate for the host in the URL",
      { sslmode: "verify-full", sslrootcert: certificate },
      "localhost",
      true,
    ],
    [
      "verify-ca accepts any host with a certificate of the authority",
      { sslmode: "verify-ca", sslrootcert: certificate },
      "127.0.0.1",
      true,
    ],
  ])("sslmode=%s", async (_, parameters, host, ssl) => {
    expect(await encryptionOf(withParameters(parameters, host))).toEqual([{ ssl }]);
  });

  test("verify-full rejects a certificate of another authority or for another host", async () => {
    const remedy = "check sslmode and sslrootcert in DATABASE_URL";
    await expect(openPostgresStore(withParameters({ sslmode: "verify-full" }))).rejects.toThrow(
      new RegExp(`\\(DEPTH_ZERO_SELF_SIGNED_CERT\\); ${remedy}`),
    );
    await expect(
      openPostgresStore(withParameters({ sslmode: "verify-full", sslrootcert: certificate }, "127.0.0.1")),
    ).rejects.toThrow(new RegExp(`\\(ERR_TLS_CERT_ALTNAME_INVALID\\); ${remedy}`));
  });

  function withParameters(parameters: Record<string, string>, host = "localhost"): string {
    const changed = new URL(url);
    changed.hostname = host;
    for (const [name, value] of Object.entries(parameters)) changed.searchParams.set(name, value);
    return changed.href;
  }

  /** Returns whether the connections of a store at this URL are encrypted, as the server reports it. */
  async function encryptionOf(at: string) {
    const name = `test ${randomUUID()}`;
    const store = await open(`${at}&application_name=${encodeURIComponent(name)}`);
    await store.tenants.list();
    return runSql(
      url,
      `SELECT DISTINCT ssl FROM pg_stat_ssl JOIN pg_stat_activity USING (pid) WHERE application_name = '${name}'`,
    );
  }
});

describe("migrations", () => {
  const first = "CREATE TABLE one (id integer)";
  const second = "CREATE TABLE two (id integer)";
  const versionTable = "commerce_schema_version";
  beforeEach(() => emptyDatabase(url));

  test("only missing steps are applied", async () => {
    await withClient((client) => migrate(client, [first]));
    await withClient((client) => migrate(client, [first, second]));
    await withClient((client) => migrate(client, [first, second]));
    expect(await tablesIn(url)).toEqual([versionTable, "one", "two"]);
    expect(await runSql(url, `SELECT version FROM ${versionTable}`)).toEqual([{ version: 2 }]);
  });

  test.each([
    ["that fails", "CREATE TABLE one (id integer)"],
    ["whose version cannot be stored", `ALTER TABLE ${versionTable} ADD CHECK (version < 2)`],
  ])("a step %s changes nothing", async (_, invalid) => {
    await expect(withClient((client) => migrate(client, [first, `${second}; ${invalid}`]))).rejects.toThrow();
    expect(await tablesIn(url)).toEqual([versionTable, "one"]);
    expect(await runSql(url, `SELECT version FROM ${versionTable}`)).toEqual([{ version: 1 }]);
  });

  test("eight replicas that start at the same time on an empty database all open it", async () => {
    const stores = await Promise.all(Array.from({ length: 8 }, () => open(url)));
    const first = await Promise.all(
      stores.map((store, n) => store.tenants.createFirst({ id: `t${n}`, name: "T", auth_type: 3 })),
    );
    expect(first.filter((isFirst) => isFirst)).toEqual([true]);
    expect(await runSql(url, "SELECT version FROM commerce_schema_version")).toEqual([
      { version: migrations.length },
    ]);
  });

  test.each([0, 6])(
    "version %i can be upgraded if all tables are published for replication",
    async (version) => {
      const ownUrl = await createDatabase();
      await migrateTo(ownUrl, version);
      if (version > 0)
        await runSql(ownUrl, `ALTER TABLE ${versionTable} DROP CONSTRAINT ${versionTable}_pkey`);
      await runSql(ownUrl, "CREATE PUBLICATION everything FOR ALL TABLES");
      const store = await open(ownUrl);
      await expect(store.assertWritable()).resolves.toBeUndefined();
    },
  );

  async function withClient(work: (client: Client) => Promise<void>): Promise<void> {
    const client = new Client({ connectionString: url });
    await client.connect();
    try {
      await work(client);
    } finally {
      await client.end();
    }
  }
});

test("is not writable after a write has found no space, although small writes succeed, until there is space", async () => {
  const name = new URL(url).pathname.slice(1);
  // Stands for a full disk: the role may not write the temporary file of the check.
  await runSql(url, `ALTER DATABASE ${name} SET temp_file_limit = '100kB'`);
  opened.defer(async () => void (await runSql(url, `ALTER DATABASE ${name} RESET temp_file_limit`)));
  const store = await openWithTenant(url);
  await store.assertWritable();
  await runSql(
    url,
    `CREATE FUNCTION lack_space() RETURNS trigger LANGUAGE plpgsql AS
       $$ BEGIN RAISE 'could not extend file' USING ERRCODE = 'disk_full'; END $$;
     CREATE TRIGGER full_disk BEFORE INSERT ON webhooks EXECUTE FUNCTION lack_space()`,
  );
  const create = () => store.webhooks.create({ tenant_id: "t", url: "https://hook.test", events: [] });
  await expect(create()).rejects.toThrow(new StoreUnavailableError(expect.anything()));
  for (const _ of [1, 2]) await expect(store.assertWritable()).rejects.toThrow(StoreUnavailableError);
  await runSql(url, `DROP TRIGGER full_disk ON webhooks; ALTER DATABASE ${name} RESET temp_file_limit`);
  await create();
  await runSql(
    url,
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name}' AND pid <> pg_backend_pid()`,
  );
  while (
    !(await store.assertWritable().then(
      () => true,
      () => false,
    ))
  );
});

describe("a call that meets another transaction's unfinished write", () => {
  test("returns the record of an equal definition that the other transaction submitted first", async () => {
    const store = await openWithTenant(url);
    const other = await begin(
      `INSERT INTO commissions (tenant_id, definition_hash, definition, rate, created_at)
       VALUES ('t', 'h', '{}', 7, 0)`,
    );
    const record = submit(store, "h");
    await untilBlocked(record);
    await other.query("COMMIT");
    expect(await record).toEqual({ id: 1, rate: 7 });
  });

  test("revokes a key while the other transaction has changed and locked a webhook", async () => {
    const store = await openWithTenant(url);
    const webhook = await store.webhooks.create({ tenant_id: "t", url: "https://a.test", events: [] });
    const absent = { name: null, last_four: null, operations: null, expires_at: null };
    await store.apiKeys.create({
      id: "k",
      tenant_id: "t",
      kind: "secret",
      hash: "h",
      created_at: 1,
      ...absent,
    });
    const other = await begin(`UPDATE webhooks SET url = 'https://b.test' WHERE id = ${webhook.id}`);
    expect(await store.apiKeys.revoke({ id: "k" }, 2)).toMatchObject({ revoked_at: 2 });
    await other.query("COMMIT");
  });

  test("creates no first tenant if the other transaction has created one", async () => {
    const store = await open(url);
    const other = await begin("INSERT INTO tenants (id, name, auth_type) VALUES ('t', 'T', 3)");
    const isFirst = store.tenants.createFirst({ id: "u", name: "U", auth_type: 3 });
    await untilBlocked(isFirst);
    await other.query("COMMIT");
    expect(await isFirst).toBe(false);
  });

  test("does not accept a TOTP step that the other transaction has used", async () => {
    const store = await openWithUser();
    const other = await begin("UPDATE users SET totp_last_step = 9 WHERE id = 'u'");
    const isMine = store.users.consumeTotpStep("u", 9);
    await untilBlocked(isMine);
    await other.query("COMMIT");
    expect(await isMine).toBe(false);
  });

  test("creates no session if the other transaction changes the user and ends the user's sessions", async () => {
    const store = await openWithUser();
    const session = {
      user_id: "u",
      address_key: null,
      auth_expires_at: 1,
      refresh_expires_at: 1,
      created_at: 0,
    };
    const keysOf = (name: string) => ({ uuid: name, auth_hash: `a ${name}`, refresh_hash: `r ${name}` });
    await store.sessions.replace({ ...session, ...keysOf("expired") }, 0, 50);
    const other = await begin("UPDATE users SET credential_version = 1 WHERE id = 'u'");
    const isMade = store.sessions.replace({ ...session, ...keysOf("phone"), created_at: 2 }, 0, 50);
    await untilBlocked(isMade);
    // The user has no session yet, so the login does not wait for this statement.
    await other.query("DELETE FROM sessions WHERE user_id = 'u'");
    await other.query("COMMIT");
    expect(await isMade).toBe(false);
    expect(await runSql(url, "SELECT uuid FROM sessions")).toEqual([]);
  });

  async function openWithUser(): Promise<Store> {
    const store = await openWithTenant(url);
    const texts = { password_hash: "", first_name: "", last_name: "", email: "", profile_pic: "" };
    const login = { tenant_id: "t", type: "customer", dial_code: "91", mobile: "5550001" };
    const mfa = { totp_secret: "S", totp_key_id: null };
    await store.users.create({ id: "u", ...login, ...texts, ...mfa, email_verified: false });
    return store;
  }

  /** Settles when a statement waits for a lock, or when the call has settled. */
  async function untilBlocked(call: Promise<unknown>): Promise<void> {
    let isSettled = false;
    const settle = () => {
      isSettled = true;
    };
    call.then(settle, settle);
    const blocked =
      "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";
    while (!isSettled && (await runSql(url, blocked)).length === 0);
  }
});

describe("the query for", () => {
  beforeEach(async () => {
    await (await open(url)).close();
    await runSql(
      url,
      `INSERT INTO tenants (id, name, auth_type) VALUES ('t', 'T', 3);
       INSERT INTO users (id, tenant_id, type, dial_code, mobile, password_hash, first_name, last_name, email, profile_pic,
         email_verified, totp_secret, totp_key_id)
       SELECT n::text, 't', 'customer', '91', n::text, '', '', '', '', '', false, CASE WHEN n < 200 THEN 'S' END,
         CASE WHEN n < 100 THEN 'old' WHEN n < 200 THEN 'new' END
       FROM generate_series(1, 20000) AS numbers (n)`,
    );
    await runSql(url, "VACUUM ANALYZE users");
  });

  test.each([
    ["the number of users with MFA by key", totpKeyCounts],
    ["users whose TOTP secret is encrypted with another key", totpOfOtherKeys],
  ])("%s reads an index that contains no user without MFA", async (_, sql) => {
    const lines = await runSql(
      url,
      `EXPLAIN (GENERIC_PLAN) ${statement(sql)({ totp_key_id: "", limit: 1 }).text}`,
    );
    const reads = lines.map((line) => JSON.stringify(line)).filter((text) => text.includes("Scan"));
    expect(reads.length).toBeGreaterThan(0);
    expect(reads.filter((text) => !/Scan (using|on) users_by_totp_key/.test(text))).toEqual([]);
  });
});

describe("the table of attempts", () => {
  test("drops ended windows while other attempts are counted", async () => {
    const store = await open(url);
    const count = (key: string, now: number) => store.attempts.count({ key, limit: 1, windowMs: 10, now });
    await Promise.all(Array.from({ length: 150 }, (_, n) => count(`old ${n}`, 0)));
    await count("new 1", 9);
    await count("new 2", 10);
    await count("new 3", 10);
    expect(await runSql(url, "SELECT key FROM attempts ORDER BY key")).toEqual([
      { key: "new 1" },
      { key: "new 2" },
      { key: "new 3" },
    ]);
  });
});

test("a text with U+0000 is rejected with an error of its own", async () => {
  const store = await openWithTenant(url);
  const webhook = { tenant_id: "t", url: "https://t.test/\0", events: [] };
  await expect(store.webhooks.create(webhook)).rejects.toBeInstanceOf(UnstorableTextError);
  await expect(store.webhooks.create({ ...webhook, url: "u", events: ["\0"] })).rejects.toBeInstanceOf(
    UnstorableTextError,
  );
});

test("an invalid definition fails alone, and the others that are submitted in the same turn are stored", async () => {
  const store = await openWithTenant(url);
  const outcomes = await Promise.allSettled([
    submit(store, "h1"),
    submit(store, "h2", { definition: "\0" }),
    submit(store, "h1"),
    submit(store, "h3", { tenant_id: "none" }),
    submit(store, "h4"),
  ]);
  const [stored] = await runSql<{ id: number }>(
    url,
    "SELECT id::int FROM commissions WHERE definition_hash = 'h1'",
  );
  expect(outcomes).toMatchObject([
    { value: { id: stored?.id } },
    { reason: new UnstorableTextError(expect.anything()) },
    { value: { id: stored?.id } },
    { reason: new Error("The database failed.") },
    { status: "fulfilled" },
  ]);
  expect(await runSql(url, "SELECT definition_hash FROM commissions ORDER BY 1")).toEqual([
    { definition_hash: "h1" },
    { definition_hash: "h4" },
  ]);
});

test("two replicas that store the same definitions in another order get equal records without a deadlock", async () => {
  const [store, other] = [await openWithTenant(url), await open(url)];
  for (const round of [1, 2, 3, 4, 5, 6]) {
    const hashes = Array.from({ length: 200 }, (_, n) => `${round} ${n}`);
    const [records, others] = await Promise.all([
      Promise.all(hashes.map((hash) => submit(store, hash))),
      Promise.all(hashes.toReversed().map((hash) => submit(other, hash))),
    ]);
    expect(others.reverse()).toEqual(records);
    expect(new Set(records.map((record) => record?.id)).size).toBe(200);
  }
  // A session reports its deadlocks at the latest when it ends.
  const deadlocks = "SELECT deadlocks::int FROM pg_stat_database WHERE datname = current_database()";
  await Promise.all([store.close(), other.close()]);
  expect(await runSql(url, deadlocks)).toEqual([{ deadlocks: 0 }]);
});

describe("a database that fails", () => {
  test("a broken idle connection stops neither the process nor the store", async () => {
    const store = await openWithTenant(url);
    await Promise.all(Array.from({ length: 5 }, () => store.tenants.list()));
    const idle = "datname = current_database() AND pid <> pg_backend_pid()";
    // With a timeout, the server responds only when the other process has ended.
    await runSql(url, `SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE ${idle}`);
    await settled(store);
    expect(await store.tenants.find("t")).toEqual({ id: "t", name: "T", auth_type: 3 });
  });

  test("a statement that waits too long is rolled back, and its connection can be used again", async () => {
    await openWithTenant(url);
    const store = await open(url, { poolSize: 1, statementTimeoutMs: 500 });
    const blocker = await begin(lockTenants);
    const error = await store.tenants
      .create({ id: "u", name: "U", auth_type: 3 })
      .catch((rejection) => rejection);
    expect(error).toEqual(
      new StoreUnavailableError(
        expect.objectContaining({ message: "canceling statement due to statement timeout" }),
      ),
    );
    expect(error).not.toBeInstanceOf(OutcomeUnknownError);
    await blocker.query("COMMIT");
    expect(await store.tenants.list()).toEqual([{ id: "t", name: "T", auth_type: 3 }]);
  });

  test("a read-only connection is not used again, so that writes succeed when the server accepts them", async () => {
    const ownUrl = await createDatabase();
    const name = new URL(ownUrl).pathname.slice(1);
    const store = await openWithTenant(ownUrl, { poolSize: 1 });
    await store.assertWritable();
    await runSql(url, `ALTER DATABASE ${name} SET default_transaction_read_only = on`);
    await runSql(
      url,
      `SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = '${name}'`,
    );
    const create = () => store.tenants.create({ id: "u", name: "U", auth_type: 3 });
    // The first read and the first write may still use a closed session.
    await Promise.allSettled([create(), store.assertWritable()]);
    for (const write of [create, store.assertWritable]) {
      const error = await write().catch((rejection: unknown) => rejection);
      expect(error).toEqual(new StoreUnavailableError(expect.objectContaining({ code: "25006" })));
      expect(error).not.toBeInstanceOf(OutcomeUnknownError);
    }
    await runSql(url, `ALTER DATABASE ${name} RESET default_transaction_read_only`);
    await expect(create()).resolves.toBeUndefined();
    await expect(store.assertWritable()).resolves.toBeUndefined();
  });

  test("a call that waits too long for a connection gets an error, and other calls succeed", async () => {
    const store = await open(url, { poolSize: 1, connectTimeoutMs: 2000, statementTimeoutMs: 60_000 });
    const blocker = await begin(lockTenants);
    const held = store.tenants.create({ id: "u", name: "U", auth_type: 3 });
    await expect(store.tenants.list()).rejects.toThrow(StoreUnavailableError);
    // Load must not make the database unavailable.
    await expect(store.assertWritable()).resolves.toBeUndefined();
    await blocker.query("COMMIT");
    await expect(held).resolves.toBeUndefined();
    await expect(store.tenants.list()).resolves.toHaveLength(1);
  });

  test("more simultaneous calls than connections all succeed, and close() waits for them", async () => {
    const store = await openWithTenant(url, { poolSize: 2 });
    const records = Array.from({ length: 50 }, (_, n) => submit(store, `h${n}`));
    await store.close();
    expect(new Set((await Promise.all(records)).map((record) => record?.id)).size).toBe(50);
  });

  test("opening a database fails in time if the server accepts connections and never responds", async () => {
    const hole = await listenOnFreePort(createServer(() => {}));
    const error = await openPostgresStore(to(hole), { connectTimeoutMs: 100 }).catch(
      (rejection) => rejection,
    );
    expect(error).toMatchObject({
      name: "StoreNotOpenableError",
      message: expect.stringMatching(/ at 127\.0\.0\.1:\d+ \(.*time.*\); check that it runs /),
    });
  });

  test("a current database is opened and read with one connection", async () => {
    await (await open(url)).close();
    const { server } = new Relay(url);
    let connections = 0;
    server.on("connection", () => connections++);
    const store = await open(to(await listenOnFreePort(server)));
    await store.tenants.list();
    expect(connections).toBe(1);
  });

  test("calls fail in time if the server stops responding: reads may be repeated, writes only after a check", async () => {
    const relay = new Relay(url);
    const through = to(await listenOnFreePort(relay.server));
    await openWithTenant(url);
    const store = await open(through, { connectTimeoutMs: 2000, statementTimeoutMs: 500 });
    const create = (tenant_id: string) =>
      store.webhooks.create({ tenant_id, url: "https://a.example", events: [] });
    const [rejected] = await Promise.allSettled([create("none"), store.tenants.list()]);
    relay.silent = true;
    const outcomes = await Promise.allSettled([
      store.tenants.find("t"),
      create("t"),
      ...Array.from({ length: 20 }, () => store.tenants.list()),
    ]);
    const errors = [rejected, ...outcomes].map((outcome) => outcome.status === "rejected" && outcome.reason);
    const names = errors.map((error) => error.name);
    expect(names.slice(0, 3)).toEqual(["Error", "StoreUnavailableError", "OutcomeUnknownError"]);
    expect(new Set(names.slice(3))).toEqual(new Set(["StoreUnavailableError"]));
    for (let error of errors)
      for (; error instanceof Error; error = error.cause)
        expect(`${error.stack} ${JSON.stringify({ ...error })}`).not.toContain(new URL(url).password);
    relay.silent = false;
    expect(await store.tenants.find("t")).toEqual({ id: "t", name: "T", auth_type: 3 });
  });

  /** Blocks all insertions of tenants. */
  const lockTenants = "LOCK TABLE tenants IN SHARE MODE";

  async function listenOnFreePort(server: Server): Promise<number> {
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const sockets = new Set<Socket>();
    server.on("connection", (socket) => sockets.add(socket.on("error", () => {})));
    opened.defer(() => {
      for (const socket of sockets) socket.destroy();
      server.close();
    });
    const address = server.address();
    if (address === null || typeof address === "string") throw new Error("A TCP server has a port.");
    return address.port;
  }

  /** Returns the URL of the same database through a port of this process. */
  function to(port: number): string {
    const changed = new URL(url);
    changed.hostname = "127.0.0.1";
    changed.port = String(port);
    return changed.href;
  }
});

/** Begins a transaction, runs a statement in it and leaves it open. */
async function begin(sql: string): Promise<Client> {
  const client = new Client({ connectionString: url });
  await client.connect();
  opened.defer(() => client.end());
  await client.query(`BEGIN; ${sql}`);
  return client;
}

/** Forwards bytes in both directions. While it is silent, it drops them. */
class Relay {
  silent = false;
  readonly server: Server;

  constructor(target: string) {
    const { hostname, port } = new URL(target);
    this.server = createServer((near) => {
      const far = connect(Number(port), hostname);
      for (const [from, into] of [
        [near, far],
        [far, near],
      ] as const) {
        from.on("data", (bytes) => this.silent || into.write(bytes));
        from.on("close", () => into.destroy());
        from.on("error", () => {});
      }
    });
  }
}

async function open(at: string, options?: PostgresOptions): Promise<Store> {
  const store = await openPostgresStore(at, options);
  opened.defer(() => store.close());
  return store;
}

async function openWithTenant(at: string, options?: PostgresOptions): Promise<Store> {
  const store = await open(at, options);
  await store.tenants.create({ id: "t", name: "T", auth_type: 3 });
  return store;
}

async function submit(store: Store, definition_hash: string, changes: Partial<NewCommission> = {}) {
  const commission = { tenant_id: "t", definition_hash, definition: "{}", rate: 1, created_at: 0 };
  return store.commissions.submit({ ...commission, ...changes });
}

/** Settles when the store has found out which of its connections are broken. */
async function settled(store: Store): Promise<void> {
  await Promise.allSettled(Array.from({ length: 10 }, () => store.tenants.list()));
}

async function tablesIn(at: string): Promise<unknown[]> {
  const rows = await runSql(
    at,
    "SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' ORDER BY 1",
  );
  return rows.map((row) => (row as { name: string }).name);
}
