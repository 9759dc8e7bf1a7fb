/**
 * A program that multiplies what a SQLite database has one of, for measuring: many webhooks, users with a session each, and
 * commission definitions. The database's path is its argument. What is copied was made by the service; ids and hashes of
 * random bytes are made here, as random as the service's own, for an index cares.
 */
import { createHash } from "node:crypto";
import { DatabaseSync } from "node:sqlite";
import {
  type Fill,
  type FilledTable,
  type FillerMessage,
  filledTables,
  type Sizes,
} from "../../../../scripts/lab/bench/scale/filling.ts";

const path = process.argv[2];
if (path === undefined) throw new Error("The database's path is missing.");
const db = new DatabaseSync(path);
// Of this connection alone: what is lost with the machine is filled again.
db.exec("PRAGMA synchronous = OFF; PRAGMA cache_size = -400000; PRAGMA foreign_keys = ON");
const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");
db.function("sha256", { deterministic: true }, (text) => sha256(String(text)));

const numbers =
  "WITH RECURSIVE numbers (n) AS (SELECT :first UNION ALL SELECT n + 1 FROM numbers WHERE n < :first + :count - 1)";
const randomId = `lower(hex(randomblob(4)) || '-' || hex(randomblob(2)) || '-4' || substr(hex(randomblob(2)), 2) || '-8' ||
  substr(hex(randomblob(2)), 2) || '-' || hex(randomblob(6)))`;
const now = "(unixepoch() * 1000)";

// CROSS JOIN keeps SQLite to the order written: the one row first, looked for once.
const insertions: Readonly<Record<FilledTable, string>> = {
  webhooks: `${numbers} INSERT INTO webhooks (id, tenant_id, url, events)
    SELECT n, tenant_id, url || '/' || n, events FROM numbers, webhooks WHERE id = :webhookId`,
  users: `${numbers} INSERT INTO users (id, tenant_id, type, dial_code, mobile, password_hash, first_name, last_name, email,
      profile_pic, email_verified)
    SELECT ${randomId}, tenant_id, type, dial_code, CAST(n AS TEXT), password_hash, first_name, last_name, email,
      profile_pic, email_verified
    FROM users CROSS JOIN numbers WHERE mobile = :mobile`,
  sessions: `${numbers} INSERT INTO sessions (user_id, uuid, auth_hash, refresh_hash, auth_expires_at, refresh_expires_at,
      created_at)
    SELECT users.id, :uuid, lower(hex(randomblob(32))), lower(hex(randomblob(32))), ${now} + 3600000, ${now} + 2592000000,
      ${now}
    FROM users AS one CROSS JOIN numbers CROSS JOIN users ON users.tenant_id = one.tenant_id AND users.type = one.type
      AND users.dial_code = one.dial_code AND users.mobile = CAST(n AS TEXT)
    WHERE one.mobile = :mobile`,
  commissions: `${numbers} INSERT INTO commissions (id, tenant_id, definition_hash, definition, rate, created_at)
    SELECT n, tenant_id, sha256(replace(:definition, :digits, n)), replace(:definition, :digits, n), :rate, ${now}
    FROM numbers, webhooks WHERE webhooks.id = :webhookId`,
};

function fill({ table, first, count, template }: Fill): void {
  const sql = insertions[table];
  // The driver binds a number as REAL, which would be written with a point.
  const values = Object.entries({ ...template, first: BigInt(first), count: BigInt(count) }).filter(
    ([name]) => sql.includes(`:${name}`),
  );
  db.exec("BEGIN");
  const { changes } = db.prepare(sql).run(Object.fromEntries(values));
  db.exec("COMMIT");
  if (Number(changes) !== count) throw new Error(`${changes} ${table} were made in the place of ${count}.`);
}

function sizes(): Sizes {
  const database = db.prepare("SELECT sum(pgsize) AS bytes FROM dbstat").get();
  const ofTable = db.prepare(
    `SELECT sum(pgsize) AS bytes FROM dbstat
     WHERE name IN (SELECT name FROM sqlite_schema WHERE tbl_name = :table)`,
  );
  const tables = filledTables.map((table) => [table, Number(ofTable.get({ table })?.bytes)]);
  return { database: Number(database?.bytes), tables: Object.fromEntries(tables) };
}

process.on("message", (message: FillerMessage) => {
  switch (message.ask) {
    case "fill":
      fill(message);
      break;
    case "settle":
      db.exec("PRAGMA wal_checkpoint(TRUNCATE)");
      break;
    case "sizes":
      process.send?.(sizes());
      return;
  }
  process.send?.({});
});
process.on("disconnect", () => process.exit());
