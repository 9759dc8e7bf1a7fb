/**
 * Limits login attempts for each account and from each address, so that passwords and codes cannot be guessed. The store
 * counts, and so all replicas on one database count together; an account that does not exist is counted like any other.
 */
import type { LoginName, Store } from "../store/store.ts";
import { networkOf } from "./addresses.ts";
import type { Clock } from "./clock.ts";
import { sha256 } from "./sha256.ts";

export type LoginLimits = {
  /**
   * Counts an attempt before it is made, so that many at once cannot slip through. Where the account's own attempts are
   * used up, a device that the account has a session on still has as many: who locks an account from outside does not
   * lock out its owner's devices, unless they know a device's `uuid`.
   * @throws StoreUnavailableError
   */
  admit(attempt: LimitedAttempt): Promise<Admission>;
  /** Counts a guess of an account's TOTP code, before it is looked at. @throws StoreUnavailableError */
  admitCode(name: LoginName): Promise<Admission>;
};

export type LimitedAttempt = {
  name: LoginName;
  uuid: string;
  /** Undefined where it is not known; then only the account is limited. */
  address: string | undefined;
};

/** Where the caller stands under one limit, now. */
export type Standing = {
  policy: "address" | "account" | "device" | "code";
  quota: number;
  windowSeconds: number;
  remaining: number;
  resetSeconds: number;
};

export type Admission = {
  admitted: boolean;
  /** Under every limit that was asked; the last one is the one that admitted or refused. */
  standings: readonly Standing[];
  /** Until the last one's window ends. */
  retryAfterSeconds: number;
  /** Forgets the failures before a success, and takes the attempt back from its address. */
  succeeded(): Promise<void>;
  /** Takes the attempt back: nothing was tried. */
  takeBack(): Promise<void>;
};

export type LoginLimitSettings = {
  attemptsPerAccount: number;
  attemptsPerAddress: number;
  windowSeconds: number;
  codesPerDay: number;
};

const daySeconds = 86_400;

export function createLoginLimits(
  { store, clock }: { store: Pick<Store, "attempts" | "sessions">; clock: Clock },
  { attemptsPerAccount, attemptsPerAddress, windowSeconds, codesPerDay }: LoginLimitSettings,
): LoginLimits {
  const { attempts, sessions } = store;
  const ofAccount = { quota: attemptsPerAccount, windowSeconds };
  const limits = {
    address: { quota: attemptsPerAddress, windowSeconds },
    account: ofAccount,
    device: ofAccount,
    code: { quota: codesPerDay, windowSeconds: daySeconds },
  };

  async function count(policy: Standing["policy"], key: string): Promise<Counted> {
    const now = clock();
    const { quota, windowSeconds } = limits[policy];
    const windowMs = windowSeconds * 1000;
    const { admitted, remaining, window_ends_at } = await attempts.count({
      key,
      limit: quota,
      windowMs,
      now,
    });
    const resetSeconds = Math.max(1, Math.ceil((window_ends_at - now) / 1000));
    return { key, admitted, standing: { policy, quota, windowSeconds, remaining, resetSeconds } };
  }

  function admission(last: Counted, ...before: Counted[]): Admission {
    const counted = [...before, last];
    return {
      admitted: last.admitted,
      standings: counted.map(({ standing }) => standing),
      retryAfterSeconds: last.standing.resetSeconds,
      async succeeded() {
        await attempts.forget(last.key);
        for (const { key } of before) await attempts.takeBack(key);
      },
      async takeBack() {
        for (const { key } of counted) await attempts.takeBack(key);
      },
    };
  }

  return {
    async admit({ name, uuid, address }) {
      const before = [];
      if (address !== undefined) {
        const ofAddress = await count("address", addressKey(address));
        if (!ofAddress.admitted) return admission(ofAddress);
        before.push(ofAddress);
      }
      const ofAccount = await count("account", accountKey("account", name));
      if (ofAccount.admitted || !(await sessions.hasDevice(name, uuid))) {
        return admission(ofAccount, ...before);
      }
      return admission(await count("device", accountKey("device", name, uuid)), ...before);
    },
    admitCode: async (name) => admission(await count("code", accountKey("code", name))),
  };
}

/** Whom an attempt counts for: its account and the network of its address, by the names that they are counted under. */
export function holdersOf({ name, address }: Omit<LimitedAttempt, "uuid">): string[] {
  const account = accountKey("account", name);
  return address === undefined ? [account] : [account, addressKey(address)];
}

/** Forgets every failure that is counted against the account. @throws StoreUnavailableError */
export async function unlockAccount({ attempts }: Pick<Store, "attempts">, name: LoginName): Promise<void> {
  await attempts.forget(accountKey("account", name));
  await attempts.forget(accountKey("code", name));
}

type Counted = { key: string; admitted: boolean; standing: Standing };

function addressKey(address: string): string {
  return keyOf("address", networkOf(address));
}

function accountKey(policy: Standing["policy"], name: LoginName, ...more: string[]): string {
  const { tenant_id, type, dial_code, mobile } = name;
  return keyOf(policy, tenant_id, type, dial_code, mobile, ...more);
}

/** Hashed, so that a key has one length whatever a caller sends; JSON keeps the parts apart whatever they contain. */
function keyOf(...parts: string[]): string {
  return sha256(JSON.stringify(parts));
}
