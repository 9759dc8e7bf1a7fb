import { execFileSync } from "node:child_process";
import {
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { open } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openStore } from "../open.ts";
import { OutcomeUnknownError, type Store, StoreNotOpenableError, StoreUnavailableError } from "../store.ts";
import { connect } from "./connection.ts";
import { watchFile } from "./database-file.ts";
import { openSqliteStore } from "./open.ts";
import { damage } from "./testing/database.ts";
import { writableCheck } from "./writable.ts";

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "sqlite-file-"));
  path = join(folder, "commerce.db");
});
afterEach(() => rmSync(folder, { recursive: true }));

const insertion = "INSERT INTO tenants (id, name, auth_type) VALUES (:id, :name, 3)";
const tenant = (name: string) => ({ id: name, name, auth_type: 3 });

async function withStore<T>(work: (store: Store) => Promise<T>, at = path): Promise<T> {
  const store = await openSqliteStore(at);
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

describe("the file of a database in use", () => {
  test("a write is not acknowledged if the file disappears while it is written", async () => {
    await withStore((store) => store.tenants.create(tenant("first")));
    const db = new DatabaseSync(path);
    db.exec("SELECT * FROM tenants");
    const connection = connect(db, watchFile(path), 0);
    const insert = connection.statement(insertion);
    const create = (name: string, meanwhile = () => {}) =>
      connection.transaction(function* () {
        yield* insert({ id: name, name });
        meanwhile();
      });
    await create("second");
    const written = [create("third"), create("fourth", () => renameSync(path, `${path}.away`))];
    for (const outcome of await Promise.allSettled(written))
      expect(outcome).toEqual({ status: "rejected", reason: new OutcomeUnknownError(expect.any(Error)) });
    await expect(create("fifth")).rejects.toThrow(StoreUnavailableError);
    renameSync(`${path}.away`, path);
    await create("sixth");
    await connection.close();
    const names = await withStore(async (store) => (await store.tenants.list()).map(({ name }) => name));
    expect(names).toEqual(["first", "second", "third", "fourth", "sixth"]);
  });

  test("a removed file is noticed even if its path still works, for example in a container", async () => {
    writeFileSync(path, "");
    await using handle = await open(path);
    const file = watchFile(`/dev/fd/${handle.fd}`);
    rmSync(path);
    expect(() => file.assertInPlace()).toThrow(StoreUnavailableError);
  });

  test("can be a symbolic link, but writes are rejected after the link is changed to another file", async () => {
    const link = join(folder, "link.db");
    symlinkSync(path, link);
    await withStore((store) => store.tenants.create(tenant("first")));
    await withStore(async (store) => {
      await store.tenants.create(tenant("second"));
      execFileSync("cp", [path, join(folder, "other.db")]);
      execFileSync("ln", ["-sf", join(folder, "other.db"), link]);
      await expect(store.tenants.create(tenant("third"))).rejects.toThrow(StoreUnavailableError);
    }, link);
  });
});

describe("a file that is missing while its log still exists", () => {
  test("is not replaced by a new database, and has all its data when it is put back", async () => {
    await withStore(async (store) => {
      await store.tenants.create(tenant("first"));
      for (const lose of [() => renameSync(path, `${path}.away`), () => writeFileSync(path, "")]) {
        lose();
        const message = `Cannot open the database ${path} (it is missing or empty, but its log ${path}-wal exists); put the file back, or remove its log too.`;
        await expect(openSqliteStore(path)).rejects.toThrow(new StoreNotOpenableError(message));
      }
    });
    renameSync(`${path}.away`, path);
    expect(await withStore((store) => store.tenants.list())).toEqual([tenant("first")]);
  });
});

describe("a nearly full disk", () => {
  test("is not writable after a write has failed, although small writes succeed, until there is space", async () => {
    await withStore((store) => store.tenants.create(tenant("first")));
    const db = new DatabaseSync(path);
    const file = watchFile(path);
    const connection = connect(db, file, 0);
    const assertWritable = writableCheck(db, connection, file);
    const insert = connection.statement(insertion);
    const create = (name: string) => connection.write(insert({ id: name.slice(0, 9), name }));
    db.exec(`PRAGMA max_page_count = ${Number(db.prepare("PRAGMA page_count").get()?.page_count) + 2}`);
    await assertWritable();
    const failed = await create("large".repeat(10_000)).catch((error: unknown) => error);
    expect(failed).toEqual(new StoreUnavailableError(expect.objectContaining({ errcode: 13 })));
    expect(failed).not.toBeInstanceOf(OutcomeUnknownError);
    await create("small");
    for (const _ of [1, 2]) await expect(assertWritable()).rejects.toThrow(StoreUnavailableError);
    db.exec("PRAGMA max_page_count = 1000000");
    await assertWritable();
    await create("large".repeat(10_000));
    expect(db.prepare("SELECT count(*) AS rows FROM attempts").get()).toMatchObject({ rows: 0 });
    await connection.close();
  });
});

describe("a damaged file", () => {
  test.each([
    ["header", () => damage(path, "header")],
    ["schema", () => damage(path, "sqlite_schema")],
    ["end", async () => truncateSync(path, 8192)],
  ] as const)("without its %s is rejected with an error that asks to restore a backup", async (_, lose) => {
    await withStore((store) => store.tenants.create(tenant("first")));
    await lose();
    const message = `Cannot open the database ${path} (it is damaged, or not a SQLite database); restore a backup, or set DATABASE_URL to another file.`;
    await expect(openSqliteStore(path)).rejects.toThrow(new StoreNotOpenableError(message));
  });
});

describe("a file that must already contain a database", () => {
  const never = { create: "never" } as const;
  const rejection = () =>
    new StoreNotOpenableError(
      `Cannot open the database ${path} (it is missing or empty); correct DATABASE_URL, or restore the file. To create a new one, run "tenant create" with DATABASE_CREATE=if-missing.`,
    );

  test("is opened if it contains one, and a missing or empty file is rejected", async () => {
    await expect(openSqliteStore(path, never)).rejects.toThrow(rejection());
    expect(readdirSync(folder)).toEqual([]);
    writeFileSync(path, "");
    await expect(openSqliteStore(path, never)).rejects.toThrow(rejection());
    execFileSync(process.execPath, [
      "--eval",
      `new (require("node:sqlite").DatabaseSync)("${path}").exec("VACUUM")`,
    ]);
    expect(statSync(path).size).toBeGreaterThan(0);
    await expect(openSqliteStore(path, never)).rejects.toThrow(rejection());
    await withStore((store) => store.tenants.create(tenant("first")));
    const store = await openSqliteStore(path, never);
    expect(await store.tenants.list()).toEqual([tenant("first")]);
    await store.close();
  });

  test("is not needed for a database in memory", async () => {
    const store = await openStore("file::memory:", never);
    expect(await store.tenants.list()).toEqual([]);
    await store.close();
  });
});
