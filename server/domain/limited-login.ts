/** Logs a user in within the limits: a place among those who wait, the attempts that are left, and then the login itself. */
import type { BoundedWork } from "./bounded-work.ts";
import {
  type LoggedInUser,
  type LoginAttempt,
  type LoginDependencies,
  type LoginResult,
  logIn,
} from "./login.ts";
import { type Admission, holdersOf, type LoginLimits } from "./login-limits.ts";

export type LimitedLoginDependencies = LoginDependencies & {
  loginLimits: LoginLimits;
  passwordWork: BoundedWork;
};

export type LimitedLoginResult =
  | { ok: true; user: LoggedInUser }
  /** No place was free, or the caller went away while it waited. */
  | { ok: false; reason: "busy" }
  | { ok: false; reason: "auth_flow_unsupported" | "totp_required" }
  | { ok: false; reason: "credentials_invalid" | "totp_invalid" | "too_many_attempts"; admission: Admission };

/**
 * @param address of the user, if it is known
 * @throws StoreUnavailableError
 * @throws TotpKeyError if the account's TOTP secret cannot be decrypted
 */
export async function logInWithinLimits(
  dependencies: LimitedLoginDependencies,
  tenant_id: string,
  attempt: LoginAttempt,
  { address, signal }: { address: string | undefined; signal: AbortSignal },
): Promise<LimitedLoginResult> {
  const { loginLimits, passwordWork } = dependencies;
  const { type, dial_code, mobile, uuid } = attempt;
  const name = { tenant_id, type, dial_code, mobile };
  const leave = passwordWork.enter(holdersOf({ name, address }));
  if (leave === undefined) return { ok: false, reason: "busy" };
  try {
    const admission = await loginLimits.admit({ name, uuid, address });
    if (!admission.admitted) return { ok: false, reason: "too_many_attempts", admission };
    let result: LoginResult;
    try {
      result = await logIn(dependencies, tenant_id, attempt, signal);
    } catch (error) {
      if (error !== signal.reason) throw error;
      await admission.takeBack();
      return { ok: false, reason: "busy" };
    }
    if (result.ok) {
      await admission.succeeded();
      return result;
    }
    switch (result.reason) {
      case "too_many_attempts":
        return result;
      case "auth_flow_unsupported":
      case "totp_required":
        // No password or code was guessed.
        await admission.takeBack();
        return { ok: false, reason: result.reason };
      default:
        return { ok: false, reason: result.reason, admission };
    }
  } finally {
    leave();
  }
}
