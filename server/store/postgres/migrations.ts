/** Creates the schema in numbered steps from an empty database. Never edit a released step. */
import type { ClientBase } from "pg";
import { NewerDatabaseError, StoreNotOpenableError } from "../store.ts";

/**
 * Step n, counted from 1, makes schema version n, which is stored in `commerce_schema_version`. Indexed text uses
 * COLLATE "C", because an upgrade of the system could change another sort order and so break an index.
 */
export const migrations: readonly string[] = [
  `
  CREATE TABLE tenants (
    id text COLLATE "C" PRIMARY KEY,
    name text NOT NULL,
    auth_type integer NOT NULL,
    position bigint GENERATED ALWAYS AS IDENTITY UNIQUE
  );

  CREATE TABLE api_keys (
    id text COLLATE "C" PRIMARY KEY,
    tenant_id text COLLATE "C" NOT NULL REFERENCES tenants (id),
    kind text NOT NULL CHECK (kind IN ('secret', 'publishable')),
    hash text COLLATE "C" NOT NULL UNIQUE,
    created_at bigint NOT NULL,
    revoked_at bigint,
    position bigint GENERATED ALWAYS AS IDENTITY
  );
  CREATE INDEX api_keys_of_tenant ON api_keys (tenant_id, position);

  CREATE TABLE users (
    id text COLLATE "C" PRIMARY KEY,
    tenant_id text COLLATE "C" NOT NULL REFERENCES tenants (id),
    type text COLLATE "C" NOT NULL,
    dial_code text COLLATE "C" NOT NULL,
    mobile text COLLATE "C" NOT NULL,
    password_hash text NOT NULL,
    first_name text NOT NULL,
    last_name text NOT NULL,
    email text NOT NULL,
    profile_pic text NOT NULL,
    email_verified boolean NOT NULL,
    totp_secret text,
    totp_last_step bigint,
    UNIQUE (tenant_id, type, dial_code, mobile)
  );

  CREATE TABLE sessions (
    user_id text COLLATE "C" NOT NULL REFERENCES users (id),
    uuid bytea NOT NULL,
    auth_hash text COLLATE "C" NOT NULL UNIQUE,
    refresh_hash text COLLATE "C" NOT NULL UNIQUE,
    auth_expires_at bigint NOT NULL,
    refresh_expires_at bigint NOT NULL,
    created_at bigint NOT NULL,
    PRIMARY KEY (user_id, uuid)
  );

  -- The largest id is JavaScript's largest safe integer.
  CREATE TABLE commissions (
    id bigint GENERATED ALWAYS AS IDENTITY (MAXVALUE 9007199254740991) PRIMARY KEY,
    tenant_id text COLLATE "C" NOT NULL REFERENCES tenants (id),
    definition_hash text COLLATE "C" NOT NULL,
    definition text NOT NULL,
    rate double precision NOT NULL,
    created_at bigint NOT NULL,
    UNIQUE (tenant_id, definition_hash)
  );

  CREATE TABLE webhooks (
    id bigint GENERATED ALWAYS AS IDENTITY (MAXVALUE 9007199254740991) PRIMARY KEY,
    tenant_id text COLLATE "C" NOT NULL REFERENCES tenants (id),
    url text NOT NULL,
    events text[] NOT NULL
  );
  CREATE INDEX webhooks_of_tenant ON webhooks (tenant_id, id);

  CREATE TABLE attempts (
    key text COLLATE "C" PRIMARY KEY,
    count integer NOT NULL,
    window_ends_at bigint NOT NULL
  );
  CREATE INDEX attempts_by_window_end ON attempts (window_ends_at);
  `,
  `
  ALTER TABLE users
    ADD COLUMN totp_key_id text COLLATE "C",
    ADD COLUMN credential_version integer NOT NULL DEFAULT 0;
  `,
  `
  CREATE INDEX users_by_totp_key ON users (totp_key_id, id) WHERE totp_secret IS NOT NULL;
  `,
  `
  ALTER TABLE api_keys
    ADD COLUMN name text,
    ADD COLUMN last_four text,
    ADD COLUMN operations text[],
    ADD COLUMN expires_at bigint,
    ADD COLUMN last_used_at bigint;
  `,
  `
  ALTER TABLE sessions ADD COLUMN address_key text COLLATE "C";
  CREATE INDEX sessions_by_address ON sessions (address_key, created_at) WHERE address_key IS NOT NULL;
  `,
  `
  -- One row, whose count is raised by each transaction that changes or removes rows which servers cache. See
  -- row-cache.ts. Logical replication needs the primary key.
  CREATE TABLE cached_row_changes (
    is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
    count bigint NOT NULL DEFAULT 0
  );
  INSERT INTO cached_row_changes DEFAULT VALUES;

  -- Counts once in a transaction. A rollback, also to a savepoint, undoes the setting too. The statement names the
  -- schema, because programs and replication may have another search path.
  CREATE FUNCTION count_cached_row_change() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    IF current_setting('commerce.has_counted', true) IS DISTINCT FROM 'yes' THEN
      EXECUTE format('UPDATE %I.cached_row_changes SET count = count + 1', TG_TABLE_SCHEMA);
      PERFORM set_config('commerce.has_counted', 'yes', true);
    END IF;
    RETURN NULL;
  END $$;

  -- Deferred, so that the count is locked only during the commit. The last use of a key is not cached.
  CREATE CONSTRAINT TRIGGER cached_row_changed
    AFTER DELETE OR UPDATE OF id, tenant_id, kind, hash, operations, expires_at, revoked_at ON api_keys
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION count_cached_row_change();
  CREATE CONSTRAINT TRIGGER cached_row_changed AFTER DELETE OR UPDATE ON webhooks
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION count_cached_row_change();
  CREATE CONSTRAINT TRIGGER cached_row_changed AFTER DELETE OR UPDATE ON commissions
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION count_cached_row_change();
  ALTER TABLE api_keys ENABLE ALWAYS TRIGGER cached_row_changed;
  ALTER TABLE webhooks ENABLE ALWAYS TRIGGER cached_row_changed;
  ALTER TABLE commissions ENABLE ALWAYS TRIGGER cached_row_changed;
  `,
  `
  -- Logical replication needs the primary key. Only databases of earlier releases lack it.
  ALTER TABLE commerce_schema_version
    DROP CONSTRAINT IF EXISTS commerce_schema_version_pkey, ADD PRIMARY KEY (version);
  `,
];

/** The number of an advisory lock. No other program may use it in this database. */
const migrationLock = 6_237_810_459_112;

/**
 * @throws NewerDatabaseError if the database has more steps than these
 * @throws StoreNotOpenableError if the schema has tables of another program
 */
export async function migrate(client: ClientBase, steps: readonly string[]): Promise<void> {
  while ((await applyNext(client, steps)) < steps.length);
}

/** Applies the next step, unless another replica has done so. Returns the new version. */
async function applyNext(client: ClientBase, steps: readonly string[]): Promise<number> {
  await client.query("BEGIN");
  try {
    await client.query("SELECT pg_advisory_xact_lock($1)", [migrationLock]);
    const version = await readVersion(client);
    if (version > steps.length) throw new NewerDatabaseError(version, steps.length);
    const step = steps[version];
    if (step === undefined) {
      await client.query("ROLLBACK");
      return version;
    }
    if (version === 0) {
      await assertEmpty(client);
      await client.query("CREATE TABLE commerce_schema_version (version integer PRIMARY KEY)");
      await client.query("INSERT INTO commerce_schema_version VALUES (0)");
    }
    await client.query(step);
    await client.query("UPDATE commerce_schema_version SET version = $1", [version + 1]);
    await client.query("COMMIT");
    return version + 1;
  } catch (error) {
    // If this fails because the connection is broken, the server rolls back.
    await client.query("ROLLBACK").catch(() => {});
    throw error;
  }
}

async function readVersion(client: ClientBase): Promise<number> {
  const { rows: known } = await client.query(
    "SELECT to_regclass('commerce_schema_version') IS NOT NULL AS known",
  );
  if (!known[0]?.known) return 0;
  const { rows } = await client.query<{ version: number }>("SELECT version FROM commerce_schema_version");
  return rows[0]?.version ?? 0;
}

/** Ignores tables of extensions, because hosted databases often have some. */
async function assertEmpty(client: ClientBase): Promise<void> {
  const { rows } = await client.query(
    `SELECT 1 FROM pg_class
     WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p')
       AND NOT EXISTS (
         SELECT 1 FROM pg_depend
         WHERE classid = 'pg_class'::regclass AND objid = pg_class.oid AND deptype = 'e'
       )
     LIMIT 1`,
  );
  if (rows.length > 0) {
    throw new StoreNotOpenableError(
      "The database contains tables of another program; set DATABASE_URL to another database.",
    );
  }
}
