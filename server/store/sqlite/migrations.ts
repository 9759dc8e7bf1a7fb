/** Creates the schema in numbered steps from an empty file. Never edit a released step. */
import type { DatabaseSync } from "node:sqlite";
import { NewerDatabaseError, StoreNotOpenableError } from "../store.ts";
import { untilFree } from "./until-free.ts";

/** Step n, counted from 1, makes schema version n, which is stored in `PRAGMA user_version`. */
export const migrations: readonly string[] = [
  `
  CREATE TABLE tenants (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    auth_type INTEGER NOT NULL
  ) STRICT;

  CREATE TABLE api_keys (
    id TEXT PRIMARY KEY,
    tenant_id TEXT NOT NULL REFERENCES tenants (id),
    kind TEXT NOT NULL CHECK (kind IN ('secret', 'publishable')),
    hash TEXT NOT NULL UNIQUE,
    created_at INTEGER NOT NULL,
    revoked_at INTEGER
  ) STRICT;
  CREATE INDEX api_keys_of_tenant ON api_keys (tenant_id);

  CREATE TABLE users (
    id TEXT PRIMARY KEY,
    tenant_id TEXT NOT NULL REFERENCES tenants (id),
    type TEXT NOT NULL,
    dial_code TEXT NOT NULL,
    mobile TEXT NOT NULL,
    password_hash TEXT NOT NULL,
    first_name TEXT NOT NULL,
    last_name TEXT NOT NULL,
    email TEXT NOT NULL,
    profile_pic TEXT NOT NULL,
    email_verified INTEGER NOT NULL CHECK (email_verified IN (0, 1)),
    totp_secret TEXT,
    totp_last_step INTEGER,
    UNIQUE (tenant_id, type, dial_code, mobile)
  ) STRICT;

  CREATE TABLE sessions (
    user_id TEXT NOT NULL REFERENCES users (id),
    uuid TEXT NOT NULL,
    auth_hash TEXT NOT NULL UNIQUE,
    refresh_hash TEXT NOT NULL UNIQUE,
    auth_expires_at INTEGER NOT NULL,
    refresh_expires_at INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    PRIMARY KEY (user_id, uuid)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE commissions (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    tenant_id TEXT NOT NULL REFERENCES tenants (id),
    definition_hash TEXT NOT NULL,
    definition TEXT NOT NULL,
    rate REAL NOT NULL,
    created_at INTEGER NOT NULL,
    UNIQUE (tenant_id, definition_hash)
  ) STRICT;

  CREATE TABLE webhooks (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    tenant_id TEXT NOT NULL REFERENCES tenants (id),
    url TEXT NOT NULL,
    events TEXT NOT NULL CHECK (json_type(events) = 'array')
  ) STRICT;
  CREATE INDEX webhooks_of_tenant ON webhooks (tenant_id);
  `,
  `
  CREATE TABLE attempts (
    key TEXT PRIMARY KEY,
    count INTEGER NOT NULL,
    window_ends_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX attempts_by_window_end ON attempts (window_ends_at);
  `,
  `
  ALTER TABLE users ADD COLUMN totp_key_id TEXT;
  ALTER TABLE users ADD COLUMN credential_version INTEGER NOT NULL DEFAULT 0;
  `,
  `
  CREATE INDEX users_by_totp_key ON users (totp_key_id, id) WHERE totp_secret IS NOT NULL;
  `,
  `
  ALTER TABLE api_keys ADD COLUMN name TEXT;
  ALTER TABLE api_keys ADD COLUMN last_four TEXT;
  ALTER TABLE api_keys ADD COLUMN operations TEXT CHECK (json_type(operations) = 'array');
  ALTER TABLE api_keys ADD COLUMN expires_at INTEGER;
  ALTER TABLE api_keys ADD COLUMN last_used_at INTEGER;

  -- The number of changes to rows that servers cache. An insertion is none, because missing rows are not
  -- cached. A key's last use is not cached either.
  CREATE TABLE cached_row_changes (count INTEGER NOT NULL) STRICT;
  INSERT INTO cached_row_changes (count) VALUES (0);
  CREATE TRIGGER api_keys_updated AFTER UPDATE ON api_keys WHEN new.last_used_at IS old.last_used_at
    BEGIN UPDATE cached_row_changes SET count = count + 1; END;
  CREATE TRIGGER api_keys_deleted AFTER DELETE ON api_keys
    BEGIN UPDATE cached_row_changes SET count = count + 1; END;
  CREATE TRIGGER webhooks_updated AFTER UPDATE ON webhooks
    BEGIN UPDATE cached_row_changes SET count = count + 1; END;
  CREATE TRIGGER webhooks_deleted AFTER DELETE ON webhooks
    BEGIN UPDATE cached_row_changes SET count = count + 1; END;
  CREATE TRIGGER commissions_updated AFTER UPDATE ON commissions
    BEGIN UPDATE cached_row_changes SET count = count + 1; END;
  CREATE TRIGGER commissions_deleted AFTER DELETE ON commissions
    BEGIN UPDATE cached_row_changes SET count = count + 1; END;
  `,
  `
  ALTER TABLE sessions ADD COLUMN address_key TEXT;
  CREATE INDEX sessions_by_address ON sessions (address_key, created_at) WHERE address_key IS NOT NULL;
  `,
];

/**
 * @param onEmpty called before the first step on an empty database. If it throws, the database stays unchanged
 * @throws NewerDatabaseError if the database has more steps than these
 * @throws StoreNotOpenableError if the file has tables of another program
 */
export async function migrate(
  db: DatabaseSync,
  steps: readonly string[],
  busyTimeoutMs: number,
  onEmpty = () => {},
): Promise<void> {
  for (;;) {
    const version = await untilFree(() => readVersion(db, steps.length), busyTimeoutMs);
    if (version === steps.length) return;
    await untilFree(() => applyNext(db, steps, onEmpty), busyTimeoutMs);
  }
}

function applyNext(db: DatabaseSync, steps: readonly string[], onEmpty: () => void): void {
  db.exec("BEGIN IMMEDIATE");
  try {
    // Reads the version again under the write lock, because another process may have applied the step.
    const version = readVersion(db, steps.length);
    const step = steps[version];
    if (step !== undefined) {
      if (version === 0) {
        assertEmpty(db);
        onEmpty();
      }
      db.exec(step);
      db.exec(`PRAGMA user_version = ${version + 1}`);
    }
    db.exec("COMMIT");
  } catch (error) {
    if (db.isTransaction) db.exec("ROLLBACK");
    throw error;
  }
}

function readVersion(db: DatabaseSync, codeVersion: number): number {
  const version = Number(db.prepare("PRAGMA user_version").get()?.user_version);
  if (version > codeVersion) throw new NewerDatabaseError(version, codeVersion);
  return version;
}

function assertEmpty(db: DatabaseSync): void {
  if (db.prepare("SELECT 1 FROM sqlite_schema").get() !== undefined) {
    throw new StoreNotOpenableError(
      "The database file contains tables of another program; set DATABASE_URL to another file.",
    );
  }
}
