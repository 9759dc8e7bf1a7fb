/**
 * The interfaces through which the domain uses a store. A write settles only when it is durable. Times are
 * milliseconds since the epoch, and always come from the caller.
 */

export type Tenant = {
  id: string;
  name: string;
  /** The auth flow of logins that do not set one. 3 is Mobile and Password. */
  auth_type: number;
};

export type ApiKeyKind = "secret" | "publishable";

export type ApiKey = {
  id: string;
  tenant_id: string;
  kind: ApiKeyKind;
  name: string | null;
  /** The last characters of the key. Null if an earlier release created it. */
  last_four: string | null;
  /** The only operations that the key may call. Null if only its kind restricts it. */
  operations: readonly string[] | null;
  created_at: number;
  expires_at: number | null;
  revoked_at: number | null;
  last_used_at: number | null;
};

/** The properties of a key that each request needs. */
export type ActiveApiKey = Pick<ApiKey, "id" | "tenant_id" | "kind" | "operations" | "expires_at">;

/** `hash` is the SHA-256 of the key, in lower-case hexadecimal. */
export type NewApiKey = Omit<ApiKey, "revoked_at" | "last_used_at"> & { hash: string };

export type User = {
  id: string;
  tenant_id: string;
  /** The role, such as `customer`. A mobile number may have one account for each role. */
  type: string;
  dial_code: string;
  mobile: string;
  /** An argon2id hash as a PHC string. */
  password_hash: string;
  first_name: string;
  last_name: string;
  email: string;
  profile_pic: string;
  email_verified: boolean;
  /** Null if the account has no MFA. Otherwise encrypted, or in Base32. */
  totp_secret: string | null;
  /** The id of the key that encrypts `totp_secret`. Null if the secret is not encrypted. */
  totp_key_id: string | null;
  /** The number of changes of password or MFA. */
  credential_version: number;
};

export type NewUser = Omit<User, "credential_version">;

export type Totp = { totp_secret: string; totp_key_id: string | null };

export type LoginName = Pick<User, "tenant_id" | "type" | "dial_code" | "mobile">;

/** The session of a user on a device. Hashes are SHA-256 in lower-case hexadecimal. */
export type Session = {
  user_id: string;
  uuid: string;
  /** A hash of the tenant and the network of the login. Null if it is not known, or an earlier release stored the session. */
  address_key: string | null;
  auth_hash: string;
  refresh_hash: string;
  auth_expires_at: number;
  refresh_expires_at: number;
  created_at: number;
};

export type Commission = { id: number; rate: number };

export type NewCommission = {
  tenant_id: string;
  /** SHA-256 of `definition`, in lower-case hexadecimal. */
  definition_hash: string;
  /** Canonical JSON text (RFC 8785). */
  definition: string;
  rate: number;
  created_at: number;
};

export type Webhook = { id: number; tenant_id: string; url: string; events: string[] };

export type NewWebhook = Omit<Webhook, "id">;

export type Belongings = {
  apiKeys: readonly NewApiKey[];
  users: readonly NewUser[];
  webhooks: readonly NewWebhook[];
};

/** The plain value if no other thread or process is needed, otherwise a promise. */
export type Awaitable<T> = T | Promise<T>;

export type TenantStore = {
  create(tenant: Tenant): Promise<void>;
  /** Does nothing if any tenant exists. Only one of several concurrent callers gets true. */
  createFirst(tenant: Tenant, belongings?: Belongings): Promise<boolean>;
  /** Returns tenants in the order of creation. */
  list(): Promise<Tenant[]>;
  find(id: string): Promise<Tenant | undefined>;
};

export type ApiKeyStore = {
  create(key: NewApiKey): Promise<void>;
  /** Returns keys in the order of creation, including revoked keys. */
  list(tenant_id: string): Promise<ApiKey[]>;
  find(id: string): Promise<ApiKey | undefined>;
  /** Finds keys that are not revoked, including expired ones. A change takes effect with the next call. */
  findActiveByHash(hash: string): Awaitable<ActiveApiKey | undefined>;
  /** A second revocation keeps the time of the first. Returns undefined if there is no such key. */
  revoke(key: { id: string } | { hash: string }, revoked_at: number): Promise<ApiKey | undefined>;
  /**
   * Creates `successor`. The old key expires at `expires_at`, or earlier if it already would. Returns the old
   * key. Returns undefined and changes nothing if the old key is revoked, has expired, or has another expiry than
   * `old.expires_at` because another call has rotated it.
   */
  rotate(
    old: Pick<ApiKey, "id" | "expires_at">,
    successor: NewApiKey,
    expires_at: number,
  ): Promise<ApiKey | undefined>;
  /** Stores the time of the last use for each key id. Ignores times that are earlier than the stored time. */
  noteUses(uses: ReadonlyMap<string, number>): Promise<void>;
};

export type UserStore = {
  /** @throws DuplicateUserError if the tenant already has this type, dial code and mobile */
  create(user: NewUser): Promise<void>;
  /** Returns users in the order of dial code, number and type. */
  list(tenant_id: string): Promise<User[]>;
  find(id: string): Promise<User | undefined>;
  findByLogin(name: LoginName): Promise<User | undefined>;
  /** Returns false if this or a later step was used (RFC 6238 §5.2). Only one concurrent caller gets true. */
  consumeTotpStep(user_id: string, step: number): Promise<boolean>;
  /** Sets the last used TOTP step to `last` if it is after `beyond`. */
  lowerTotpStep(user_id: string, steps: { beyond: number; last: number }): Promise<void>;
  /** Replaces the hash `from` with `to`, a hash of the same password, unless the stored hash has changed. */
  rehashPassword(id: string, from: string, to: string): Promise<void>;
  /** Ends the user's sessions too. Returns false if the user does not exist. */
  setPassword(id: string, password_hash: string): Promise<boolean>;
  /** Null removes MFA. Ends the user's sessions too. Returns false if the user does not exist. */
  setTotp(id: string, totp: Totp | null): Promise<boolean>;
  /** Removes the user's sessions too. Returns false if the user does not exist. */
  remove(id: string): Promise<boolean>;
  /** Returns the number of users with MFA for each key id. The id is null if the secrets are not encrypted. */
  countTotpKeys(): Promise<{ totp_key_id: string | null; users: number }[]>;
  listTotpNotUnder(totp_key_id: string, limit: number): Promise<({ id: string } & Totp)[]>;
  /** Replaces `from` with the same secret under another key, unless the stored secret has changed. */
  reencryptTotp(id: string, from: string, to: Totp): Promise<void>;
};

export type SessionStore = {
  /**
   * Replaces the session of the same user and uuid, and removes the user's expired sessions. If more than `most`
   * sessions remain, the oldest are removed too. If a session begins further in the future than its lifetime, the
   * clock was set back, and the session counts as expired.
   * @returns false if the user was removed or has another `credential_version`. Then nothing changes
   */
  replace(session: Session, credential_version: number, most: number): Promise<boolean>;
  /** Returns whether the account has a session with this uuid, even if it has expired. */
  hasDevice(name: LoginName, uuid: string): Promise<boolean>;
  /** Returns the user of the oldest session from this network that began within the period, even if it has expired. */
  findUserByAddress(
    address_key: string,
    period: { after: number; until: number },
  ): Promise<string | undefined>;
  /** Finds expired sessions too. */
  findByAuthHash(auth_hash: string): Promise<Session | undefined>;
};

export type CommissionStore = {
  /**
   * Calls with the same tenant and definition hash return the same record, even if they are concurrent.
   * @param most the most definitions of a tenant. A new one beyond that is not stored, and the result is undefined
   */
  submit(commission: NewCommission, most?: number): Awaitable<Commission | undefined>;
};

export type WebhookStore = {
  create(webhook: NewWebhook): Promise<Webhook>;
  list(tenant_id: string): Promise<Webhook[]>;
  /** Does not find another tenant's webhook. */
  find(tenant_id: string, id: number): Awaitable<Webhook | undefined>;
  /** Changes the given fields and returns the webhook. Does not find another tenant's webhook. */
  update(
    tenant_id: string,
    id: number,
    changes: { url?: string | undefined; events?: string[] | undefined },
  ): Promise<Webhook | undefined>;
  remove(tenant_id: string, id: number): Promise<boolean>;
};

export type AttemptStore = {
  /** Returns whether the current window has fewer than `limit` failures, and how many are left. Counts no attempt. */
  find(attempt: Attempt): Promise<AttemptsLeft>;
  /** Does the same as `find`, but first waits for the failures that this process is counting. */
  findNext(attempt: Attempt): Promise<AttemptsLeft>;
  /** Does the same as `find`, and counts a failure if the limit is not reached, even if calls are concurrent. */
  count(attempt: Attempt): Promise<AttemptsLeft>;
  forget(key: string): Promise<void>;
};

/**
 * A window lasts `windowMs` from its first attempt. If its end is more than twice that time away, the clock was
 * set back, and the window counts as ended.
 */
export type Attempt = { key: string; limit: number; windowMs: number; now: number };

export type AttemptsLeft = { admitted: boolean; remaining: number; window_ends_at: number };

export type Store = {
  tenants: TenantStore;
  apiKeys: ApiKeyStore;
  users: UserStore;
  sessions: SessionStore;
  commissions: CommissionStore;
  webhooks: WebhookStore;
  attempts: AttemptStore;
  /** Commits a write that changes no data. @throws StoreUnavailableError */
  assertWritable(): Promise<void>;
  /** Waits for running writes, then closes the database. May be called again. */
  close(): Promise<void>;
};

/** The same call may succeed later. Use `cause` only for the log. */
export class StoreUnavailableError extends Error {
  override name = "StoreUnavailableError";

  constructor(cause?: unknown, message = "The database is busy or cannot be reached; try again shortly.") {
    super(message, { cause });
  }
}

/** It is unknown whether the write was committed. Before you repeat a write that is not idempotent, read the data. */
export class OutcomeUnknownError extends StoreUnavailableError {
  override name = "OutcomeUnknownError";

  constructor(cause?: unknown) {
    super(
      cause,
      "The connection to the database was lost during a change. It is unknown whether the change was made; check before you try again.",
    );
  }
}

/** A text contains U+0000, which PostgreSQL cannot store. */
export class UnstorableTextError extends Error {
  override name = "UnstorableTextError";

  constructor(cause?: unknown) {
    super("A text contains the character U+0000, which the database cannot store.", { cause });
  }
}

export class DuplicateUserError extends Error {
  override name = "DuplicateUserError";

  constructor(cause?: unknown) {
    super("A user with this type, dial code and mobile number already exists.", { cause });
  }
}

/** The message shows the place and the fix. */
export class StoreNotOpenableError extends Error {
  override name = "StoreNotOpenableError";
}

/** The message is one line and says what to do. */
export class BackupError extends Error {
  override name = "BackupError";
}

/** Thrown because older code could damage a newer database. */
export class NewerDatabaseError extends Error {
  override name = "NewerDatabaseError";

  constructor(databaseVersion: number, codeVersion: number) {
    super(
      `The database has schema version ${databaseVersion}, but this release only supports versions up to ${codeVersion}; run the newer release, or restore a backup from before the upgrade.`,
    );
  }
}
