/**
 * A program that multiplies what a PostgreSQL database has one of, for measuring: many webhooks, users with a session each,
 * and commission definitions. The database's URL is DATABASE_URL. What is copied was made by the service; ids and hashes of
 * random bytes are made here, as random as the service's own, for an index cares.
 */
import { Client } from "pg";
import {
  type Fill,
  type FilledTable,
  type FillerMessage,
  filledTables,
  type Sizes,
} from "../../../../scripts/lab/bench/scale/filling.ts";

const { DATABASE_URL } = process.env;
if (DATABASE_URL === undefined) throw new Error("DATABASE_URL is not set.");
const client = new Client({ connectionString: DATABASE_URL });
await client.connect();
await client.query("SET synchronous_commit = off; SET work_mem = '64MB'");

const numbers = "generate_series($1::bigint, $1::bigint + $2::bigint - 1) AS numbers (n)";
const randomHash = "encode(sha256(uuid_send(gen_random_uuid())), 'hex')";
const now = "(extract(epoch FROM now())::bigint * 1000)";

/** What follows `first` and `count` among the values, by its name in the template. */
interface Insertion {
  readonly sql: string;
  readonly values: readonly (keyof Fill["template"])[];
}

const insertions: Readonly<Record<FilledTable, Insertion>> = {
  webhooks: {
    sql: `INSERT INTO webhooks (id, tenant_id, url, events) OVERRIDING SYSTEM VALUE
      SELECT n, tenant_id, url || '/' || n, events FROM ${numbers}, webhooks WHERE id = $3`,
    values: ["webhookId"],
  },
  users: {
    sql: `INSERT INTO users (id, tenant_id, type, dial_code, mobile, password_hash, first_name, last_name, email, profile_pic,
        email_verified)
      SELECT gen_random_uuid()::text, tenant_id, type, dial_code, n::text, password_hash, first_name, last_name, email,
        profile_pic, email_verified
      FROM ${numbers}, users WHERE mobile = $3`,
    values: ["mobile"],
  },
  sessions: {
    sql: `INSERT INTO sessions (user_id, uuid, auth_hash, refresh_hash, auth_expires_at, refresh_expires_at, created_at)
      SELECT users.id, convert_to($4, 'UTF8'), ${randomHash}, ${randomHash}, ${now} + 3600000, ${now} + 2592000000, ${now}
      FROM ${numbers}, users AS one JOIN users USING (tenant_id, type, dial_code)
      WHERE one.mobile = $3 AND users.mobile = n::text`,
    values: ["mobile", "uuid"],
  },
  commissions: {
    sql: `INSERT INTO commissions (id, tenant_id, definition_hash, definition, rate, created_at) OVERRIDING SYSTEM VALUE
      SELECT n, tenant_id, encode(sha256(convert_to(replace($4, $5, n::text), 'UTF8')), 'hex'), replace($4, $5, n::text), $6,
        ${now}
      FROM ${numbers}, webhooks WHERE id = $3`,
    values: ["webhookId", "definition", "digits", "rate"],
  },
};

async function fill({ table, first, count, template }: Fill): Promise<void> {
  const { sql, values } = insertions[table];
  const { rowCount } = await client.query(sql, [first, count, ...values.map((name) => template[name])]);
  if (rowCount !== count) throw new Error(`${rowCount} ${table} were made in the place of ${count}.`);
}

async function sizes(): Promise<Sizes> {
  const { rows } = await client.query<{ name: string; bytes: string }>(
    `SELECT name, pg_total_relation_size(name::regclass) AS bytes FROM unnest($1::text[]) AS tables (name)
     UNION ALL SELECT 'database', pg_database_size(current_database())`,
    [filledTables],
  );
  const bytes = new Map(rows.map((row) => [row.name, Number(row.bytes)]));
  const tables = filledTables.map((table) => [table, bytes.get(table)]);
  return { database: bytes.get("database") ?? Number.NaN, tables: Object.fromEntries(tables) };
}

async function answer(message: FillerMessage): Promise<object> {
  switch (message.ask) {
    case "fill":
      await fill(message);
      return {};
    case "settle":
      // What autovacuum does in time.
      await client.query("VACUUM (ANALYZE)");
      await client.query("CHECKPOINT");
      return {};
    case "sizes":
      return sizes();
  }
}

process.on("message", async (message: FillerMessage) => process.send?.(await answer(message)));
process.on("disconnect", () => process.exit());
