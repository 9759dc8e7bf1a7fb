/**
 * Limits login attempts for each account and from each address, so that passwords and codes cannot be guessed. Counts in
 * the memory of this process: several replicas count each for itself.
 */
import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import type { LoginAttempt } from "./login.ts";

export type LoginLimits = {
  /**
   * Counts an attempt before it is made, so that many at once cannot slip through.
   * @returns the seconds to wait where one of the limits has been reached
   */
  admit(attempt: LimitedAttempt): Promise<{ retryAfterSeconds: number } | undefined>;
  /** Forgets what was counted against the account, and this attempt of the address. */
  succeeded(attempt: LimitedAttempt): Promise<void>;
};

export type LimitedAttempt = {
  tenant_id: string;
  user: Pick<LoginAttempt, "type" | "dial_code" | "mobile">;
  /** Undefined where it is not known; then only the account is limited. */
  address: string | undefined;
};

export type LoginLimitSettings = {
  attemptsPerAccount: number;
  attemptsPerAddress: number;
  windowSeconds: number;
};

export function createLoginLimits(settings: LoginLimitSettings): LoginLimits {
  const { attemptsPerAccount, attemptsPerAddress, windowSeconds: duration } = settings;
  const accounts = new RateLimiterMemory({ points: attemptsPerAccount, duration });
  const addresses = new RateLimiterMemory({ points: attemptsPerAddress, duration });
  return {
    async admit(attempt) {
      try {
        if (attempt.address !== undefined) await addresses.consume(attempt.address);
        await accounts.consume(accountOf(attempt));
        return undefined;
      } catch (reached) {
        if (!(reached instanceof RateLimiterRes)) throw reached;
        return { retryAfterSeconds: Math.max(1, Math.ceil(reached.msBeforeNext / 1000)) };
      }
    },
    async succeeded(attempt) {
      await accounts.delete(accountOf(attempt));
      if (attempt.address !== undefined) await addresses.reward(attempt.address);
    },
  };
}

/** JSON keeps the parts apart whatever they contain. */
function accountOf({ tenant_id, user }: LimitedAttempt): string {
  return JSON.stringify([tenant_id, user.type, user.dial_code, user.mobile]);
}
