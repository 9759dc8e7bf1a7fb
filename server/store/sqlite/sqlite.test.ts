/** Runs the suite of every store on SQLite, and tests promises that only the SQLite store makes. */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { runScript } from "../../testing/program.ts";
import { openStore } from "../open.ts";
import { totpKeyCounts, totpOfOtherKeys } from "../sql/totp-secrets.ts";
import { describeStore } from "../store.suite.ts";
import { NewerDatabaseError, type Store, StoreNotOpenableError, StoreUnavailableError } from "../store.ts";
import { isFull } from "./driver-errors.ts";
import { migrate, migrations } from "./migrations.ts";
import { openSqliteStore } from "./open.ts";

let folder: string;
let opened: Store[];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "sqlite-store-"));
  opened = [];
});
afterEach(async () => {
  for (const store of opened) await store.close();
  rmSync(folder, { recursive: true });
});

describeStore("a SQLite file", () => openSqliteStore(join(folder, "commerce.db")));
describeStore("SQLite in memory", () => openStore("file::memory:"));

describe("reads that share a transaction", () => {
  test("see every commit of another connection immediately, and do not block writes of their own connection", async () => {
    const path = join(folder, "commerce.db");
    const [ours, other] = [await open(path), await open(path)];
    await other.tenants.create({ id: "t", name: "T", auth_type: 3 });
    for (const n of [1, 2, 3]) {
      const absent = { name: null, last_four: null, operations: null, expires_at: null };
      const of = { id: `k${n}`, tenant_id: "t", kind: "secret" } as const;
      const key = { ...of, ...absent, hash: `h${n}`, created_at: n };
      const [, before] = await Promise.all([
        ours.apiKeys.create(key),
        ours.apiKeys.findActiveByHash(`h${n}`),
      ]);
      expect(before).toBeUndefined();
      expect(await ours.apiKeys.findActiveByHash(`h${n}`)).toEqual({
        ...of,
        ...{ operations: null, expires_at: null },
      });
      await other.apiKeys.revoke({ id: `k${n}` }, n);
      expect(await ours.apiKeys.findActiveByHash(`h${n}`)).toBeUndefined();
    }
  });
});

describe("opening", () => {
  test("only the owner can read the files", async () => {
    const path = join(folder, "commerce.db");
    const store = await open(path);
    await store.tenants.create({ id: "t", name: "T", auth_type: 3 });
    const modes = [path, `${path}-wal`, `${path}-shm`].map((file) => statSync(file).mode & 0o777);
    expect(modes).toEqual([0o600, 0o600, 0o600]);
  });

  test("several processes that start at the same time on a new file can all write, and one creates the first tenant", async () => {
    const path = join(folder, "commerce.db");
    const results = await Promise.all(Array.from({ length: 6 }, (_, n) => startProcess(path, `p${n}`)));
    expect(results.filter((isFirst) => isFirst === "true\n")).toHaveLength(1);
    const store = await open(path);
    const names = (await store.tenants.list()).map(({ name }) => name);
    expect(names.toSorted()).toEqual(["p0", "p1", "p2", "p3", "p4", "p5"]);
  });

  test("a newer database is rejected with an error that shows both versions, and stays unchanged", async () => {
    const path = join(folder, "commerce.db");
    await (await openSqliteStore(path)).close();
    const newer = migrations.length + 2;
    withDatabase(path, (db) => db.exec(`PRAGMA user_version = ${newer}`));
    await expect(openSqliteStore(path)).rejects.toThrow(new NewerDatabaseError(newer, migrations.length));
    withDatabase(path, (db) =>
      expect(db.prepare("PRAGMA user_version").get()).toEqual({ user_version: newer }),
    );
  });

  test("a folder or a file that is not a database is rejected with an error that shows its path", async () => {
    const text = join(folder, "notes.txt");
    writeFileSync(text, "not a database ".repeat(100));
    await expect(openSqliteStore(text)).rejects.toThrow(
      new StoreNotOpenableError(
        `Cannot open the database ${text} (it is damaged, or not a SQLite database); restore a backup, or set DATABASE_URL to another file.`,
      ),
    );
    await expect(openSqliteStore(folder)).rejects.toThrow(StoreNotOpenableError);
    await expect(openSqliteStore(join(text, "commerce.db"))).rejects.toThrow(StoreNotOpenableError);
  });

  test("a full disk is recognised", () => {
    withDatabase(join(folder, "full.db"), (db) => {
      db.exec("PRAGMA max_page_count = 1");
      const isFullAt = (sql: string) => {
        try {
          db.exec(sql);
        } catch (error) {
          return isFull(error);
        }
        throw new Error(`${sql} was accepted`);
      };
      expect(isFullAt("CREATE TABLE a (b); CREATE TABLE c (d)")).toBe(true);
      expect(isFullAt("nonsense")).toBe(false);
    });
  });

  test("a missing folder of an absolute path is reported, because its disk may not be mounted", async () => {
    const path = join(folder, "data", "commerce.db");
    await expect(openSqliteStore(path)).rejects.toThrow(
      new StoreNotOpenableError(
        `Cannot open the database ${path} (its folder is missing); correct DATABASE_URL, mount the disk, or create the folder.`,
      ),
    );
    expect(existsSync(dirname(path))).toBe(false);
  });

  test("another program's database is rejected and gets no table", async () => {
    const path = join(folder, "other.db");
    withDatabase(path, (db) => db.exec("CREATE TABLE recipes (name TEXT)"));
    await expect(openSqliteStore(path)).rejects.toThrow(StoreNotOpenableError);
    withDatabase(path, (db) => {
      expect(db.prepare("SELECT name FROM sqlite_schema").all()).toEqual([{ name: "recipes" }]);
    });
  });
});

describe("database URLs", () => {
  test("file:PATH is relative to the working directory or absolute, and file:///PATH absolute", async () => {
    for (const url of [`file:${folder}/a.db`, `file://${folder}/b.db`]) opened.push(await openStore(url));
    expect([existsSync(join(folder, "a.db")), existsSync(join(folder, "b.db"))]).toEqual([true, true]);

    await runScript(
      `import { openStore } from ${moduleUrl("../open.ts")}; await (await openStore("file:data/of/c.db")).close();`,
      folder,
    );
    expect(existsSync(join(folder, "data", "of", "c.db"))).toBe(true);
    expect(statSync(join(folder, "data")).mode & 0o777).toBe(0o700);
  });

  test("any other URL is rejected with an error that shows the fix but not the URL, which may contain a password", async () => {
    const remedy =
      "DATABASE_URL must be file:PATH or postgres://USER:PASSWORD@HOST/DATABASE; set it, for example, to file:data/commerce.db.";
    for (const url of ["", "file:", "commerce.db", "mysql://u:hunter2@h/db", "file://host/share/a.db"]) {
      await expect(openStore(url)).rejects.toThrow(new StoreNotOpenableError(remedy));
    }
  });
});

describe("migrations", () => {
  const first = "CREATE TABLE one (id INTEGER PRIMARY KEY) STRICT";
  const second = "CREATE TABLE two (id INTEGER PRIMARY KEY) STRICT";

  test("only missing steps are applied", async () => {
    const db = new DatabaseSync(join(folder, "m.db"));
    await migrate(db, [first], 0);
    await migrate(db, [first, second], 0);
    await migrate(db, [first, second], 0);
    expect(tablesOf(db)).toEqual({ version: 2, tables: ["one", "two"] });
    db.close();
  });

  test("a step that fails changes nothing", async () => {
    const db = new DatabaseSync(join(folder, "m.db"));
    await expect(migrate(db, [first, `${second}; CREATE TABLE one (id)`], 0)).rejects.toThrow();
    expect(tablesOf(db)).toEqual({ version: 1, tables: ["one"] });
    db.close();
  });

  function tablesOf(db: DatabaseSync) {
    const version = db.prepare("PRAGMA user_version").get()?.user_version;
    const tables = db.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name").all();
    return { version, tables: tables.map(({ name }) => name) };
  }
});

describe("shared commits", () => {
  test("a hundred concurrent submissions need only one commit", async () => {
    const path = join(folder, "commerce.db");
    const store = await openWithTenant(path);
    const before = countCommits(path);
    await Promise.all(Array.from({ length: 100 }, (_, n) => submit(store, `h${n}`)));
    expect(countCommits(path) - before).toBe(1);
  });

  test("acknowledged data survives a crash right after the response", async () => {
    const path = join(folder, "commerce.db");
    const store = await openWithTenant(path);
    const results = await Promise.all(Array.from({ length: 50 }, (_, n) => submit(store, `h${n}`)));
    // A crash leaves the files unchanged. `cp` copies them, because this process would lose its POSIX locks if it closed them.
    mkdirSync(join(folder, "crashed"));
    execFileSync("cp", [path, `${path}-wal`, join(folder, "crashed")]);
    const recovered = await open(join(folder, "crashed", "commerce.db"));
    expect(await Promise.all(Array.from({ length: 50 }, (_, n) => submit(recovered, `h${n}`)))).toEqual(
      results,
    );
  });

  test("if two processes on one file use the same TOTP step, only one succeeds", async () => {
    const path = join(folder, "commerce.db");
    const store = await openWithTenant(path);
    const user = { id: "u", tenant_id: "t", type: "customer", dial_code: "91", mobile: "5550001" };
    const names = { first_name: "", last_name: "", email: "", profile_pic: "" };
    await store.users.create({
      ...user,
      ...names,
      password_hash: "",
      email_verified: false,
      totp_secret: "S",
      totp_key_id: null,
    });
    const use = `console.log(await store.users.consumeTotpStep("u", 9));`;
    const outcomes = await Promise.all(Array.from({ length: 4 }, () => runWithStore(path, use)));
    expect(outcomes.toSorted()).toEqual(["false\n", "false\n", "false\n", "true\n"]);
  });

  test("simultaneous writes of several processes to one file are all stored", async () => {
    const path = join(folder, "commerce.db");
    const store = await openWithTenant(path);
    const submitMany = (process: number) =>
      runWithStore(
        path,
        `const submit = (n) => store.commissions.submit({ tenant_id: "t", definition_hash: "${process}-" + n,
           definition: "{}", rate: 1, created_at: 0 });
         const ids = [];
         await Promise.all(Array.from({ length: 8 }, async (_, first) => {
           for (let n = first; n < 400; n += 8) ids.push((await submit(n)).id);
         }));
         console.log(JSON.stringify(ids));`,
      );
    const printed = await Promise.all([submitMany(1), submitMany(2), submitMany(3)]);
    const ids = printed.flatMap((text): number[] => JSON.parse(text));
    expect(ids.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 1200 }, (_, index) => index + 1));
    await expect(store.assertWritable()).resolves.toBeUndefined();
  });

  test("while another connection has the write lock, reads succeed and writes wait for it", async () => {
    const path = join(folder, "commerce.db");
    const store = await openWithTenant(path);
    const other = new DatabaseSync(path);
    other.exec("BEGIN IMMEDIATE");
    const write = submit(store, "h");
    expect(await store.tenants.find("t")).toEqual({ id: "t", name: "T", auth_type: 3 });
    other.exec("COMMIT");
    other.close();
    expect(await write).toEqual({ id: 1, rate: 1 });
  });

  test("a repeated submission needs no write lock", async () => {
    const path = join(folder, "commerce.db");
    const store = await openWithTenant(path);
    const record = await submit(store, "h");
    const other = new DatabaseSync(path);
    other.exec("BEGIN IMMEDIATE");
    expect(await submit(store, "h")).toEqual(record);
    other.close();
  });

  test("a write lock that is never released makes writes unavailable, but does not stop the process", async () => {
    const path = join(folder, "commerce.db");
    await (await openWithTenant(path)).close();
    const store = await openSqliteStore(path, { busyTimeoutMs: 200 });
    opened.push(store);
    const other = new DatabaseSync(path);
    other.exec("BEGIN IMMEDIATE");
    let turns = 0;
    const ticking = setInterval(() => turns++, 10);
    const [one, two] = await Promise.allSettled([submit(store, "h1"), submit(store, "h2")]);
    clearInterval(ticking);
    expect(turns).toBeGreaterThan(5);
    expect([one, two]).toEqual([
      { status: "rejected", reason: new StoreUnavailableError() },
      { status: "rejected", reason: new StoreUnavailableError() },
    ]);
    other.exec("ROLLBACK");
    other.close();
    expect(await submit(store, "h1")).toEqual({ id: 1, rate: 1 });
  });

  test("a failure that ends the whole transaction rejects every write in it and stores none of them", async () => {
    const path = join(folder, "commerce.db");
    const store = await openWithTenant(path);
    const other = new DatabaseSync(path);
    other.exec("CREATE TRIGGER reject BEFORE INSERT ON commissions BEGIN SELECT RAISE(ROLLBACK, 'no'); END");
    const outcomes = await Promise.allSettled([
      submit(store, "h1"),
      store.tenants.create({ id: "t2", name: "T2", auth_type: 3 }),
    ]);
    // `toEqual` compares errors by message and cause.
    const reason = new Error("The database failed.", { cause: expect.objectContaining({ message: "no" }) });
    expect(outcomes).toEqual([
      { status: "rejected", reason },
      { status: "rejected", reason },
    ]);
    other.exec("DROP TRIGGER reject");
    other.close();
    expect(await store.tenants.list()).toEqual([{ id: "t", name: "T", auth_type: 3 }]);
    expect(await submit(store, "h1")).toEqual({ id: 1, rate: 1 });
  });
});

describe("the query for", () => {
  test.each([
    ["the number of users with MFA by key", totpKeyCounts, /^SCAN users USING .*INDEX users_by_totp_key$/],
    [
      "users whose TOTP secret is encrypted with another key",
      totpOfOtherKeys,
      /^SEARCH users USING INDEX users_by_totp_key \(totp_key_id[=<>]\?\)$/,
    ],
  ])("%s reads only an index that contains no user without MFA", async (_, sql, read) => {
    const path = join(folder, "commerce.db");
    await open(path);
    withDatabase(path, (db) => {
      // `part` is the result of a subquery.
      const steps = db.prepare(`EXPLAIN QUERY PLAN ${sql}`).all();
      const reads = steps
        .map(({ detail }) => String(detail))
        .filter((text) => /^(SCAN|SEARCH) (?!part$)/.test(text));
      expect(reads.length).toBeGreaterThan(0);
      expect(reads.filter((text) => !read.test(text))).toEqual([]);
    });
  });
});

describe("ended windows of attempts", () => {
  test("are removed while other attempts are counted", async () => {
    const path = join(folder, "commerce.db");
    const store = await open(path);
    const count = (key: string, now: number) => store.attempts.count({ key, limit: 1, windowMs: 10, now });
    await Promise.all(Array.from({ length: 150 }, (_, n) => count(`old ${n}`, 0)));
    await count("new 1", 9);
    await count("new 2", 10);
    await count("new 3", 10);
    withDatabase(path, (db) => {
      const keys = db.prepare("SELECT key FROM attempts ORDER BY key").all();
      expect(keys.map(({ key }) => key)).toEqual(["new 1", "new 2", "new 3"]);
    });
  });
});

async function open(path: string): Promise<Store> {
  const store = await openSqliteStore(path);
  opened.push(store);
  return store;
}

async function openWithTenant(path: string): Promise<Store> {
  const store = await open(path);
  await store.tenants.create({ id: "t", name: "T", auth_type: 3 });
  return store;
}

function submit(store: Store, definition_hash: string) {
  return store.commissions.submit({
    tenant_id: "t",
    definition_hash,
    definition: "{}",
    rate: 1,
    created_at: 0,
  });
}

function withDatabase(path: string, use: (db: DatabaseSync) => void): void {
  const db = new DatabaseSync(path);
  try {
    use(db);
  } finally {
    db.close();
  }
}

/** Counts the commit frames in the write-ahead log. Their second word is not zero (SQLite file format, 4.1). */
function countCommits(path: string): number {
  const log = readFileSync(`${path}-wal`);
  const frameBytes = 24 + log.readUInt32BE(8);
  let commits = 0;
  for (let at = 32; at + frameBytes <= log.length; at += frameBytes) {
    if (log.readUInt32BE(at + 4) !== 0) commits++;
  }
  return commits;
}

function startProcess(path: string, name: string): Promise<string> {
  return runWithStore(
    path,
    `const isFirst = await store.tenants.createFirst({ id: "${name}", name: "${name}", auth_type: 3 });
    if (!isFirst) await store.tenants.create({ id: "${name}", name: "${name}", auth_type: 3 });
    console.log(isFirst);`,
  );
}

/** Runs `code` with `store` open on `path` in a separate process, and returns its output. */
function runWithStore(path: string, code: string): Promise<string> {
  return runScript(
    `import { openSqliteStore } from ${moduleUrl("./open.ts")};
     const store = await openSqliteStore(${JSON.stringify(path)}); ${code} await store.close();`,
  );
}

function moduleUrl(relative: string): string {
  return JSON.stringify(new URL(relative, import.meta.url).href);
}
