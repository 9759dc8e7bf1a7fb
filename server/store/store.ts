/**
 * What the domain needs kept, as interfaces: the domain knows these and no database. Every method is asynchronous and a
 * write settles only once it is durable; times are milliseconds since the epoch and always come from the caller.
 */

export type Tenant = {
  id: string;
  name: string;
  /** The auth flow of a login that names none; 3 is Mobile and Password. */
  auth_type: number;
};

export type ApiKeyKind = "secret" | "publishable";

/** An API key as it may be listed: neither the key nor its hash. */
export type ApiKey = {
  id: string;
  tenant_id: string;
  kind: ApiKeyKind;
  created_at: number;
  revoked_at: number | null;
};

/** `hash` is the SHA-256 of the key, in lower-case hexadecimal. */
export type NewApiKey = Omit<ApiKey, "revoked_at"> & { hash: string };

export type User = {
  id: string;
  tenant_id: string;
  /** The role, such as `customer`: the same number may have an account in each. */
  type: string;
  dial_code: string;
  mobile: string;
  /** A PHC string of argon2id. */
  password_hash: string;
  first_name: string;
  last_name: string;
  email: string;
  profile_pic: string;
  email_verified: boolean;
  /** Null where the account has no MFA. In Base32, unless it is encrypted. */
  totp_secret: string | null;
  /** Names the key that `totp_secret` is encrypted with; null where it is not. */
  totp_key_id: string | null;
  /** How often password or MFA have been changed since the user was created. */
  credential_version: number;
};

export type NewUser = Omit<User, "credential_version">;

export type Totp = { totp_secret: string; totp_key_id: string | null };

/** What identifies an account at login. */
export type LoginName = Pick<User, "tenant_id" | "type" | "dial_code" | "mobile">;

/** The current session of one user on one device; the hashes are SHA-256 in lower-case hexadecimal. */
export type Session = {
  user_id: string;
  uuid: string;
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

/** What a tenant is created together with. */
export type Belongings = {
  apiKeys: readonly NewApiKey[];
  users: readonly NewUser[];
  webhooks: readonly NewWebhook[];
};

/** Of a read that every request needs: at once if no other thread or process has to be asked. */
export type Awaitable<T> = T | Promise<T>;

export type TenantStore = {
  create(tenant: Tenant): Promise<void>;
  /**
   * Creates the tenant, with all that belongs to it or not at all, unless there is one already; of several callers exactly
   * one is told true.
   */
  createFirst(tenant: Tenant, belongings?: Belongings): Promise<boolean>;
  /** In the order of creation. */
  list(): Promise<Tenant[]>;
  find(id: string): Promise<Tenant | undefined>;
};

export type ApiKeyStore = {
  create(key: NewApiKey): Promise<void>;
  /** In the order of creation, revoked ones too. */
  list(tenant_id: string): Promise<ApiKey[]>;
  /** Keys that were never revoked; a revocation is seen by the next call. */
  findActiveByHash(hash: string): Awaitable<Pick<ApiKey, "id" | "tenant_id" | "kind"> | undefined>;
  /** A second revocation keeps the time of the first. Answers undefined where there is no such key. */
  revoke(key: { id: string } | { hash: string }, revoked_at: number): Promise<ApiKey | undefined>;
};

export type UserStore = {
  /** @throws DuplicateUserError where the tenant has this type, dial code and mobile already. */
  create(user: NewUser): Promise<void>;
  /** By dial code, number and type. */
  list(tenant_id: string): Promise<User[]>;
  find(id: string): Promise<User | undefined>;
  findByLogin(name: LoginName): Promise<User | undefined>;
  /**
   * Marks a TOTP time step as used. False where it, or a later one, was used before: of two callers with one step
   * exactly one is told true (RFC 6238 §5.2).
   */
  consumeTotpStep(user_id: string, step: number): Promise<boolean>;
  /** Where the last used TOTP time step is after `beyond`, takes `last` for it from now on. */
  lowerTotpStep(user_id: string, steps: { beyond: number; last: number }): Promise<void>;
  /** Puts another hash of the same password in the place of `from`, unless that is no longer the user's. */
  rehashPassword(id: string, from: string, to: string): Promise<void>;
  /** Ends the user's sessions too. False where no user has the id. */
  setPassword(id: string, password_hash: string): Promise<boolean>;
  /** Null takes MFA away. Ends the user's sessions too. False where no user has the id. */
  setTotp(id: string, totp: Totp | null): Promise<boolean>;
  /** With the user's sessions. False where no user has the id. */
  remove(id: string): Promise<boolean>;
  /** How many TOTP secrets are encrypted with which key; null stands for those that are not encrypted. */
  countTotpKeys(): Promise<{ totp_key_id: string | null; users: number }[]>;
  /** Up to `limit` TOTP secrets that are not encrypted with the key. */
  listTotpNotUnder(totp_key_id: string, limit: number): Promise<({ id: string } & Totp)[]>;
  /** Puts the same secret, encrypted otherwise, in the place of `from`, unless that is no longer the user's. */
  reencryptTotp(id: string, from: string, to: Totp): Promise<void>;
};

export type SessionStore = {
  /**
   * Puts the session in the place of the one with the same user and uuid, and drops the user's expired ones; beyond `most`
   * sessions the user's oldest ones go too. One that was made in a future further away than its own lifetime, by a clock
   * that has been set back since, counts as expired. False, and nothing done, where the user is gone or has another
   * `credential_version`: what was verified no longer holds.
   */
  replace(session: Session, credential_version: number, most: number): Promise<boolean>;
  /** Whether the account has a session under the uuid, expired ones too. */
  hasDevice(name: LoginName, uuid: string): Promise<boolean>;
  /** Finds expired sessions too: whether one still counts is for the caller to say. */
  findByAuthHash(auth_hash: string): Promise<Session | undefined>;
};

export type CommissionStore = {
  /** Idempotent by tenant and definition hash, also for simultaneous calls: an equal definition has one record. */
  submit(commission: NewCommission): Awaitable<Commission>;
};

export type WebhookStore = {
  create(webhook: NewWebhook): Promise<Webhook>;
  list(tenant_id: string): Promise<Webhook[]>;
  /** Another tenant's webhook is as absent as one that never was. */
  find(tenant_id: string, id: number): Awaitable<Webhook | undefined>;
  /** Changes what is given, and answers the whole. Another tenant's webhook is absent here too. */
  update(
    tenant_id: string,
    id: number,
    changes: { url?: string | undefined; events?: string[] | undefined },
  ): Promise<Webhook | undefined>;
  /** False where the tenant has no such webhook. */
  remove(tenant_id: string, id: number): Promise<boolean>;
};

export type AttemptStore = {
  /** Whether fewer than `limit` failures are counted in the present window, and how many are left. Changes nothing. */
  find(attempt: Attempt): Promise<AttemptsLeft>;
  /**
   * The same, and counts the attempt if it failed. Successes and failures wait in one queue for the key, and none is
   * admitted after `limit` failures, also if many come at once.
   */
  count(attempt: Attempt & { failed: boolean }): Promise<AttemptsLeft>;
  /** Forgets the failures that are counted. */
  forget(key: string): Promise<void>;
};

/**
 * An attempt under a limit. A window lasts `windowMs` from its first attempt. One that ends further away than twice its
 * length was begun by a clock that has been set back since, and counts as ended.
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
  /** Makes a write that changes nothing, and settles once it is committed. @throws StoreUnavailableError */
  assertWritable(): Promise<void>;
  /** Lets the writes that were asked for finish, then lets go of the database. May be called again. */
  close(): Promise<void>;
};

/** The database is busy, locked, full or out of reach: the same call may succeed later. `cause` is for the log only. */
export class StoreUnavailableError extends Error {
  override name = "StoreUnavailableError";

  constructor(cause?: unknown, message = "The database is busy or cannot be reached; try again shortly.") {
    super(message, { cause });
  }
}

/**
 * The database went away while it wrote, and nobody can say whether the write was kept. What is idempotent may simply be
 * called again; whoever creates something has to look first.
 */
export class OutcomeUnknownError extends StoreUnavailableError {
  override name = "OutcomeUnknownError";

  constructor(cause?: unknown) {
    super(
      cause,
      "The database went away during a change, which may or may not have been made; look before trying again.",
    );
  }
}

/** The tenant already has a user of this type with this number. */
export class DuplicateUserError extends Error {
  override name = "DuplicateUserError";

  constructor(cause?: unknown) {
    super("A user of this type with this dial code and mobile number exists already.", { cause });
  }
}

/** The database cannot be opened as it is; the message names the place and the remedy. */
export class StoreNotOpenableError extends Error {
  override name = "StoreNotOpenableError";
}

/** A newer release made this database; running older code on it could damage what that release keeps. */
export class NewerDatabaseError extends Error {
  override name = "NewerDatabaseError";

  constructor(databaseVersion: number, codeVersion: number) {
    super(
      `The database has schema version ${databaseVersion}, but this release knows only up to ${codeVersion}; run the newer release, or restore a backup from before the upgrade.`,
    );
  }
}
