/**
 * Limits login attempts for each account and from each address, so that passwords and codes cannot be guessed. The store
 * counts, and so all replicas on one database count together.
 */
import type { Store } from "../store/store.ts";
import type { Clock } from "./clock.ts";
import type { LoginAttempt } from "./login.ts";
import { sha256 } from "./sha256.ts";

export type LoginLimits = {
  /**
   * Counts an attempt before it is made, so that many at once cannot slip through.
   * @returns the seconds to wait where one of the limits has been reached
   * @throws StoreUnavailableError
   */
  admit(attempt: LimitedAttempt): Promise<{ retryAfterSeconds: number } | undefined>;
  /** Forgets what was counted against the account, and this attempt of the address. @throws StoreUnavailableError */
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

export function createLoginLimits(
  { store, clock }: { store: Pick<Store, "attempts">; clock: Clock },
  { attemptsPerAccount, attemptsPerAddress, windowSeconds }: LoginLimitSettings,
): LoginLimits {
  async function count(key: string, limit: number) {
    const now = clock();
    const { admitted, window_ends_at } = await store.attempts.count({
      key,
      limit,
      windowMs: windowSeconds * 1000,
      now,
    });
    return admitted
      ? undefined
      : { retryAfterSeconds: Math.max(1, Math.ceil((window_ends_at - now) / 1000)) };
  }

  return {
    async admit(attempt) {
      const address = keyOfAddress(attempt);
      const limited = address && (await count(address, attemptsPerAddress));
      return limited || count(keyOfAccount(attempt), attemptsPerAccount);
    },
    async succeeded(attempt) {
      await store.attempts.forget(keyOfAccount(attempt));
      const address = keyOfAddress(attempt);
      if (address !== undefined) await store.attempts.takeBack(address);
    },
  };
}

/** Hashed, so that a key has one length whatever a caller sends; JSON keeps the parts apart whatever they contain. */
function keyOf(...parts: string[]): string {
  return sha256(JSON.stringify(parts));
}

function keyOfAccount({ tenant_id, user }: LimitedAttempt): string {
  return keyOf("account", tenant_id, user.type, user.dial_code, user.mobile);
}

function keyOfAddress({ address }: LimitedAttempt): string | undefined {
  return address === undefined ? undefined : keyOf("address", address);
}
