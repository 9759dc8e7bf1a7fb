/**
 * Checks limits, auth flow, credentials and TOTP in this order, so a caller without the password learns
 * nothing about an account.
 */
import type { Store, User } from "../store/store.ts";
import { type BoundedWork, NoRoomError } from "./bounded-work.ts";
import type { Clock } from "./clock.ts";
import { type Admission, addressKey, type LoginLimits } from "./login-limits.ts";
import { hashPassword, isOutdated, verifyPassword } from "./passwords.ts";
import { issueSessionKeys, type SessionKeys, type SessionLifetimes } from "./sessions.ts";
import { acceptedSteps, matchTotp } from "./totp.ts";
import type { TotpKeys } from "./totp-keys.ts";

export const mobileAndPassword = 3;

export type LoginAttempt = {
  /** Identifies the device. A login replaces its session. */
  uuid: string;
  mobile: string;
  dial_code: string;
  password: string;
  type: string;
  auth_type?: number | undefined;
  token?: string | undefined;
};

export type Caller = {
  /** Undefined if the address is not known. Then only the account is limited. */
  address?: string | undefined;
  signal?: AbortSignal | undefined;
  /** Gives the user's id to the audit log. The result of a failed login does not show whether the account exists. */
  onUser?: (id: string) => void;
};

export type LoginResult =
  | { ok: true; user: LoggedInUser }
  /** Too many logins waited, or the caller went away. The attempt is not counted. */
  | { ok: false; reason: "busy" }
  | { ok: false; reason: "auth_flow_unsupported" | "totp_required" }
  | { ok: false; reason: "credentials_invalid" | "totp_invalid" | "too_many_attempts"; admission: Admission };

export type LoggedInUser = Pick<
  User,
  "id" | "first_name" | "last_name" | "email" | "profile_pic" | "email_verified"
> & { key: SessionKeys["key"] };

export type LoginDependencies = {
  store: Store;
  clock: Clock;
  lifetimes: SessionLifetimes;
  sessionsPerUser: number;
  loginLimits: LoginLimits;
  totpKeys: TotpKeys;
  passwordWork: BoundedWork;
};

/**
 * Returns the session keys. The store keeps only their hashes. An unknown number, a wrong role and a wrong
 * password give the same result after the same time. A wrong TOTP code is reported only if the password was
 * right. An outdated password hash is replaced.
 * @throws StoreUnavailableError
 * @throws TotpKeyError if the account's TOTP secret cannot be decrypted
 */
export async function logIn(
  dependencies: LoginDependencies,
  tenant_id: string,
  attempt: LoginAttempt,
  caller: Caller = {},
): Promise<LoginResult> {
  try {
    return await logInInTurn(dependencies, tenant_id, attempt, caller);
  } catch (error) {
    const { signal } = caller;
    if (error instanceof NoRoomError || (signal?.aborted && error === signal.reason))
      return { ok: false, reason: "busy" };
    throw error;
  }
}

async function logInInTurn(
  { store, clock, lifetimes, sessionsPerUser, loginLimits, totpKeys, passwordWork }: LoginDependencies,
  tenant_id: string,
  { uuid, type, dial_code, mobile, password, token, auth_type }: LoginAttempt,
  { address, signal, onUser }: Caller,
): Promise<LoginResult> {
  const name = { tenant_id, type, dial_code, mobile };
  const limited = { name, uuid, address };
  const admission = await loginLimits.admit(limited);
  if (!admission.admitted) return { ok: false, reason: "too_many_attempts", admission };

  const authType = auth_type ?? (await store.tenants.find(tenant_id))?.auth_type;
  if (authType !== mobileAndPassword) return { ok: false, reason: "auth_flow_unsupported" };

  const [user, inQueue] = await Promise.all([store.users.findByLogin(name), loginLimits.turnOf(limited)]);
  if (user !== undefined) onUser?.(user.id);
  const turn = { ...inQueue, signal };
  const isPasswordCorrect = await passwordWork.run(() => verifyPassword(user?.password_hash, password), turn);
  const outcome = user !== undefined && isPasswordCorrect ? "right" : "wrong";
  const settled = await loginLimits.settle(limited, outcome);
  if (!settled.admitted) return { ok: false, reason: "too_many_attempts", admission: settled };
  const rejected = { ok: false, reason: "credentials_invalid", admission: settled } as const;
  if (user === undefined || !isPasswordCorrect) return rejected;

  const { totp_secret, totp_key_id } = user;
  if (totp_secret !== null) {
    if (!token) return { ok: false, reason: "totp_required" };
    const secret = totpKeys.open(user.id, { totp_secret, totp_key_id });
    const now = clock();
    const step = await matchTotp(secret, token, now);
    const ofCode = await loginLimits.settleCode(name, step === undefined ? "wrong" : "right");
    const isNew = ofCode.admitted && step !== undefined && (await store.users.consumeTotpStep(user.id, step));
    if (!isNew) {
      const failed = await loginLimits.settle(limited, "wrong");
      if (!ofCode.admitted) return { ok: false, reason: "too_many_attempts", admission: ofCode };
      if (step !== undefined) {
        await loginLimits.settleCode(name, "wrong");
        await store.users.lowerTotpStep(user.id, acceptedSteps(now));
      }
      return { ok: false, reason: failed.admitted ? "totp_invalid" : "too_many_attempts", admission: failed };
    }
    await ofCode.forgetFailures();
  }

  if (isOutdated(user.password_hash)) {
    const hash = await passwordWork
      .run(() => hashPassword(password), { ...turn, signal: undefined })
      .catch(leftForLater);
    if (hash !== undefined) await store.users.rehashPassword(user.id, user.password_hash, hash);
  }
  const { key, record } = issueSessionKeys(lifetimes, clock());
  const address_key = address === undefined ? null : addressKey(tenant_id, address);
  const session = { ...record, user_id: user.id, uuid, address_key };
  if (!(await store.sessions.replace(session, user.credential_version, sessionsPerUser))) return rejected;
  await settled.forgetFailures();
  const { id, first_name, last_name, email, profile_pic, email_verified } = user;
  return { ok: true, user: { id, first_name, last_name, email, profile_pic, email_verified, key } };
}

/** Ignores a full queue, because a correct login must not fail only because its password cannot be hashed again. */
function leftForLater(error: unknown): undefined {
  if (!(error instanceof NoRoomError)) throw error;
}
