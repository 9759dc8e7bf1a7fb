/**
 * Logs a user in: auth flow, credentials, TOTP, session, in this order, so that nothing of an account is told to someone
 * who does not have its password. How often one may try is for the caller to limit.
 */
import type { Store, User } from "../store/store.ts";
import type { Clock } from "./clock.ts";
import { verifyPassword } from "./passwords.ts";
import { issueSessionKeys, type SessionKeys, type SessionLifetimes } from "./sessions.ts";
import { matchTotp } from "./totp.ts";

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
    };

export type LoggedInUser = Pick<
  User,
  "id" | "first_name" | "last_name" | "email" | "profile_pic" | "email_verified"
> & { key: SessionKeys["key"] };

export type LoginDependencies = { store: Store; clock: Clock; lifetimes: SessionLifetimes };

/**
 * The session keys are answered here and never again. An unknown number, a wrong role and a wrong password are one
 * answer in one time; a fault of the TOTP code is told only after the password held.
 * @throws StoreUnavailableError
 */
export async function logIn(
  { store, clock, lifetimes }: LoginDependencies,
  tenant_id: string,
  attempt: LoginAttempt,
): Promise<LoginResult> {
  const authType = attempt.auth_type ?? (await store.tenants.find(tenant_id))?.auth_type;
  if (authType !== mobileAndPassword) return { ok: false, reason: "auth_flow_unsupported" };

  const user = await store.users.findByLogin(tenant_id, attempt.type, attempt.dial_code, attempt.mobile);
  const passwordHolds = await verifyPassword(user?.password_hash, attempt.password);
  if (user === undefined || !passwordHolds) return { ok: false, reason: "credentials_invalid" };

  if (user.totp_secret !== null) {
    if (!attempt.token) return { ok: false, reason: "totp_required" };
    const step = matchTotp(user.totp_secret, attempt.token, clock());
    if (step === undefined || !(await store.users.consumeTotpStep(user.id, step))) {
      return { ok: false, reason: "totp_invalid" };
    }
  }

  const { key, record } = issueSessionKeys(lifetimes, clock());
  await store.sessions.replace({ ...record, user_id: user.id, uuid: attempt.uuid });
  const { id, first_name, last_name, email, profile_pic, email_verified } = user;
  return { ok: true, user: { id, first_name, last_name, email, profile_pic, email_verified, key } };
}
