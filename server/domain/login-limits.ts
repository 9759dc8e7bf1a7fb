/**
 * Limits failed logins for each account and, within each tenant, from each address, so that passwords and codes cannot be
 * guessed. The store counts, and so all replicas on one database count together. An account that does not exist is counted
 * like any other.
 *
 * An attempt is counted when its outcome is known and before anyone learns it. A success queues for the same count as the
 * failures. So guesses that are made at once tell no more than guesses one after another, and successes use nothing up.
 */
import { hash } from "node:crypto";
import type { LoginName, Store } from "../store/store.ts";
import { networkOf } from "./addresses.ts";
import type { Clock } from "./clock.ts";
import { countTenantFailures } from "./tenant-failures.ts";

export type LoginLimits = {
  /**
   * Whether an attempt may be made, so that no work is spent on one that may not. If the account's own attempts are
   * used up, a device that the account has a session on still has as many. So a stranger who locks an account does not
   * lock out its owner's devices, unless they know a device's `uuid`. An attempt on a locked account counts for its address.
   * @throws StoreUnavailableError
   */
  admit(attempt: LimitedAttempt): Promise<Admission>;
  /**
   * Counts an attempt if it failed. Unless it is admitted, the caller must not learn its outcome.
   * @throws StoreUnavailableError
   */
  settle(attempt: LimitedAttempt, outcome: Outcome): Promise<Admission>;
  /** The same for a guess of an account's TOTP code. @throws StoreUnavailableError */
  settleCode(name: LoginName, outcome: Outcome): Promise<Admission>;
  /** The path and the cost of an attempt's turn: by its tenant first, then its address, then its account. */
  turnOf(attempt: LimitedAttempt): { path: string[]; cost: number };
};

export type LimitedAttempt = {
  name: LoginName;
  uuid: string;
  /** Undefined where it is not known; then only the account is limited. */
  address: string | undefined;
};

export type Outcome = "right" | "wrong";

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
  /** Forgets the failures under the last limit, if there are any: those of an address stay. */
  forgetFailures(): Promise<void>;
};

export type LoginLimitSettings = {
  attemptsPerAccount: number;
  attemptsPerAddress: number;
  windowSeconds: number;
  codesPerDay: number;
  /** More in a window than are usual. */
  failuresPerTenant: number;
};

const daySeconds = 86_400;
/** The cost of a turn while many logins of the tenant fail. */
const costOfManyFailures = 4;

export function createLoginLimits(
  {
    store,
    clock,
    onManyFailures,
  }: {
    store: Pick<Store, "attempts" | "sessions">;
    clock: Clock;
    /** Called once a window, when a tenant has more than `failuresPerTenant`. */
    onManyFailures?: (tenant_id: string) => void;
  },
  {
    attemptsPerAccount,
    attemptsPerAddress,
    windowSeconds,
    codesPerDay,
    failuresPerTenant,
  }: LoginLimitSettings,
): LoginLimits {
  const { attempts, sessions } = store;
  const tenantFailures = countTenantFailures(
    { clock, onMany: onManyFailures },
    { most: failuresPerTenant, windowSeconds },
  );
  const ofAccount = { quota: attemptsPerAccount, windowSeconds };
  const limits = {
    address: { quota: attemptsPerAddress, windowSeconds },
    account: ofAccount,
    device: ofAccount,
    code: { quota: codesPerDay, windowSeconds: daySeconds },
  };

  /** @param outcome undefined to look only */
  async function ask(
    policy: Standing["policy"],
    key: string,
    outcome: Outcome | undefined,
  ): Promise<Counted> {
    const now = clock();
    const { quota, windowSeconds } = limits[policy];
    const attempt = { key, limit: quota, windowMs: windowSeconds * 1000, now };
    const { admitted, remaining, window_ends_at } =
      outcome === undefined
        ? await attempts.find(attempt)
        : await attempts.count({ ...attempt, failed: outcome === "wrong" });
    const resetSeconds = Math.max(1, Math.ceil((window_ends_at - now) / 1000));
    return { key, admitted, standing: { policy, quota, windowSeconds, remaining, resetSeconds } };
  }

  function admission(last: Counted, ...before: Counted[]): Admission {
    const { key, admitted, standing } = last;
    return {
      admitted,
      standings: [...before, last].map((each) => each.standing),
      retryAfterSeconds: standing.resetSeconds,
      async forgetFailures() {
        if (standing.remaining < standing.quota) await attempts.forget(key);
      },
    };
  }

  async function askAll(
    { name, uuid, address }: LimitedAttempt,
    outcome: Outcome | undefined,
  ): Promise<Admission> {
    const before: Counted[] = [];
    if (address !== undefined) {
      const ofAddress = await ask("address", addressKey(name.tenant_id, address), outcome);
      if (!ofAddress.admitted) return admission(ofAddress);
      before.push(ofAddress);
    }
    const ofAccount = await ask("account", accountKey("account", name), outcome);
    if (ofAccount.admitted || !(await sessions.hasDevice(name, uuid))) {
      return admission(ofAccount, ...before);
    }
    return admission(await ask("device", accountKey("device", name, uuid), outcome), ...before);
  }

  return {
    async admit(attempt) {
      const asked = await askAll(attempt, undefined);
      const { name, address } = attempt;
      if (asked.admitted || address === undefined || asked.standings.length === 1) return asked;
      const ofAddress = await ask("address", addressKey(name.tenant_id, address), "wrong");
      return { ...asked, standings: [ofAddress.standing, ...asked.standings.slice(1)] };
    },
    settle(attempt, outcome) {
      if (outcome === "wrong") tenantFailures.count(attempt.name.tenant_id);
      return askAll(attempt, outcome);
    },
    settleCode: async (name, outcome) => admission(await ask("code", accountKey("code", name), outcome)),
    turnOf({ name: { tenant_id, type, dial_code, mobile }, address }) {
      const network = address === undefined ? "" : networkOf(address);
      return {
        path: [tenant_id, network, JSON.stringify([type, dial_code, mobile])],
        cost: tenantFailures.areMany(tenant_id) ? costOfManyFailures : 1,
      };
    },
  };
}

/** Forgets every failure that is counted against the account. @throws StoreUnavailableError */
export async function unlockAccount({ attempts }: Pick<Store, "attempts">, name: LoginName): Promise<void> {
  await attempts.forget(accountKey("account", name));
  await attempts.forget(accountKey("code", name));
}

type Counted = { key: string; admitted: boolean; standing: Standing };

function addressKey(tenant_id: string, address: string): string {
  return keyOf("address", tenant_id, networkOf(address));
}

function accountKey(policy: Standing["policy"], name: LoginName, ...more: string[]): string {
  const { tenant_id, type, dial_code, mobile } = name;
  return keyOf(policy, tenant_id, type, dial_code, mobile, ...more);
}

/** Hashed, so that a key has one length whatever a caller sends; JSON keeps the parts apart whatever they contain. */
function keyOf(...parts: string[]): string {
  return hash("sha256", JSON.stringify(parts));
}
