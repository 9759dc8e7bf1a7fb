/**
 * Logs a user in: auth flow, credentials, TOTP, session, in this order, so that nothing of an account is told to someone
 * who does not have its password. How often an account may be tried is for the caller to limit; codes are limited here,
 * where it is known that one is tried.
 */
import type { Store, User } from "../store/store.ts";
import type { BoundedWork } from "./bounded-work.ts";
import type { Clock } from "./clock.ts";
import type { Admission, LoginLimits } from "./login-limits.ts";
import { hashPassword, isOutdated, verifyPassword } from "./passwords.ts";
import { issueSessionKeys, type SessionKeys, type SessionLifetimes } from "./sessions.ts";
import { matchTotp, plausibleSteps } from "./totp.ts";
import type { TotpKeys } from "./totp-keys.ts";

/** The one auth flow that there is: Mobile and Password. */
export const mobileAndPassword = 3;

export type LoginAttempt = {
  /** Names the device, whose current session is made or replaced. */
  uuid: string;
  mobile: string;
  dial_code: string;
  password: string;
  type: string;
  auth_type?: number | undefined;
  token?: string | undefined;
};

export type LoginResult =
  | { ok: true; user: LoggedInUser }
  | {
      ok: false;
      reason: "auth_flow_unsupported" | "credentials_invalid" | "totp_required" | "totp_invalid";
    }
  | { ok: false; reason: "too_many_attempts"; admission: Admission };

export type LoggedInUser = Pick<
  User,
  "id" | "first_name" | "last_name" | "email" | "profile_pic" | "email_verified"
> & { key: SessionKeys["key"] };

export type LoginDependencies = {
  store: Store;
  clock: Clock;
  lifetimes: SessionLifetimes;
  /** The most sessions that a user has; the oldest make room. */
  sessionsPerUser: number;
  loginLimits: Pick<LoginLimits, "admitCode">;
  totpKeys: TotpKeys;
  /** Where passwords are hashed and verified. */
  passwordWork: Pick<BoundedWork, "run">;
};

/**
 * The session keys are answered here and never again. An unknown number, a wrong role and a wrong password are one
 * answer in one time; a fault of the TOTP code is told only after the password held. A password whose hash is outdated is
 * hashed anew.
 * @param signal whose abortion ends an attempt that still waits for its password to be verified
 * @throws StoreUnavailableError
 * @throws TotpKeyError where the account's TOTP secret cannot be decrypted
 * @throws the signal's reason
 */
export async function logIn(
  { store, clock, lifetimes, sessionsPerUser, loginLimits, totpKeys, passwordWork }: LoginDependencies,
  tenant_id: string,
  attempt: LoginAttempt,
  signal?: AbortSignal,
): Promise<LoginResult> {
  const authType = attempt.auth_type ?? (await store.tenants.find(tenant_id))?.auth_type;
  if (authType !== mobileAndPassword) return { ok: false, reason: "auth_flow_unsupported" };

  const { type, dial_code, mobile, password } = attempt;
  const name = { tenant_id, type, dial_code, mobile };
  const user = await store.users.findByLogin(name);
  const passwordHolds = await passwordWork.run(() => verifyPassword(user?.password_hash, password), signal);
  if (user === undefined || !passwordHolds) return { ok: false, reason: "credentials_invalid" };

  const { totp_secret, totp_key_id } = user;
  if (totp_secret !== null) {
    if (!attempt.token) return { ok: false, reason: "totp_required" };
    const secret = totpKeys.open(user.id, { totp_secret, totp_key_id });
    const admission = await loginLimits.admitCode(name);
    if (!admission.admitted) return { ok: false, reason: "too_many_attempts", admission };
    const now = clock();
    const step = matchTotp(secret, attempt.token, now);
    if (step === undefined) return { ok: false, reason: "totp_invalid" };
    if (!(await store.users.consumeTotpStep(user.id, step))) {
      await store.users.lowerTotpStep(user.id, plausibleSteps(now));
      return { ok: false, reason: "totp_invalid" };
    }
    await admission.succeeded();
  }

  if (isOutdated(user.password_hash)) {
    const hash = await passwordWork.run(() => hashPassword(password));
    await store.users.rehashPassword(user.id, user.password_hash, hash);
  }
  const { key, record } = issueSessionKeys(lifetimes, clock());
  const session = { ...record, user_id: user.id, uuid: attempt.uuid };
  if (!(await store.sessions.replace(session, user.credential_version, sessionsPerUser))) {
    return { ok: false, reason: "credentials_invalid" };
  }
  const { id, first_name, last_name, email, profile_pic, email_verified } = user;
  return { ok: true, user: { id, first_name, last_name, email, profile_pic, email_verified, key } };
}
