/**
 * Limits failed logins of each account, and of each address within a tenant, so that passwords and codes
 * cannot be guessed. The counts are in the store, so all replicas share them. Attempts on unknown accounts are
 * counted too.
 *
 * A failed attempt is counted before the caller learns its outcome. A success waits until earlier failures are
 * counted, and is not counted. So parallel guesses reveal no more than guesses one after another.
 *
 * A caller must not find out that somebody else logged in, because that would show that the account exists. So a
 * success resets no count that others can observe, and a response shows only the failures of the caller's address.
 */
import { hash } from "node:crypto";
import type { Attempt, AttemptStore, AttemptsLeft, LoginName, Store } from "../store/store.ts";
import { networkOf } from "./addresses.ts";
import type { Turn } from "./bounded-work.ts";
import type { Clock } from "./clock.ts";
import { countTenantFailures } from "./tenant-failures.ts";

export type LoginLimits = {
  /**
   * Checks the limits before any costly work. If the account is locked, a device with a session has a
   * separate limit. So a stranger cannot lock out the owner's devices without knowing their `uuid`. An
   * attempt on a locked account is counted for its address only.
   * @throws StoreUnavailableError
   */
  admit(attempt: LimitedAttempt): Promise<Admission>;
  /** Counts the attempt if it failed. If it is not admitted, the response must not depend on the outcome. */
  settle(attempt: LimitedAttempt, outcome: Outcome): Promise<Admission>;
  settleCode(name: LoginName, outcome: Outcome): Promise<Admission>;
  /**
   * The caller's place in the queue. A turn costs least for a device with a session, and less at an address where a
   * user of the tenant logged in during the last day. Each user pays for their devices and for their addresses
   * together, so more of them do not give more turns. The cost is per caller, so no group can stop another.
   * @throws StoreUnavailableError
   */
  turnOf(attempt: LimitedAttempt): Promise<Pick<Turn, "path" | "costs">>;
};

export type LimitedAttempt = {
  name: LoginName;
  uuid: string;
  /** Undefined if the address is not known. Then only the account is limited. */
  address: string | undefined;
};

export type Outcome = "right" | "wrong";

export type Standing = {
  policy: "address" | "account" | "device" | "code";
  quota: number;
  windowSeconds: number;
  remaining: number;
  resetSeconds: number;
};

export type Admission = {
  admitted: boolean;
  standings: readonly Standing[];
  retryAfterSeconds: number;
  /** Resets the count of a code or a device. Other counts stay, because other callers could observe the reset. */
  forgetFailures(): Promise<void>;
};

export type LoginLimitSettings = {
  attemptsPerAccount: number;
  attemptsPerAddress: number;
  windowSeconds: number;
  codesPerDay: number;
  failuresPerTenant: number;
};

const daySeconds = 86_400;
/** The cost of a tenant's turn while many of its logins fail. */
const costOfManyFailures = 4;
/** The cost of a caller's turn within the tenant. */
const costs = { device: 1, knownAddress: 4, other: 16 };

export function createLoginLimits(
  {
    store: { attempts, sessions },
    clock,
    onManyFailures,
  }: {
    store: Pick<Store, "attempts" | "sessions">;
    clock: Clock;
    onManyFailures?: (tenant_id: string) => void;
  },
  settings: LoginLimitSettings,
): LoginLimits {
  const { failuresPerTenant: most, windowSeconds } = settings;
  const tenantFailures = countTenantFailures({ clock, onMany: onManyFailures }, { most, windowSeconds });
  const { find, findNext, count } = createAsks(attempts, clock, settings);

  function admission(last: Counted, ...before: Counted[]): Admission {
    const { key, admitted, standing } = last;
    return {
      admitted,
      standings: [...before, last].map((each) => each.standing),
      retryAfterSeconds: standing.resetSeconds,
      async forgetFailures() {
        const { policy, remaining, quota } = standing;
        if ((policy === "code" || policy === "device") && remaining < quota) await attempts.forget(key);
      },
    };
  }

  async function askAll({ name, uuid, address }: LimitedAttempt, ask: Ask): Promise<Admission> {
    const before: Counted[] = [];
    if (address !== undefined) {
      const ofAddress = await ask("address", addressKey(name.tenant_id, address));
      if (!ofAddress.admitted) return admission(ofAddress);
      before.push(ofAddress);
    }
    const ofAccount = await ask("account", accountKey("account", name));
    if (ofAccount.admitted || !(await sessions.hasDevice(name, uuid))) return admission(ofAccount, ...before);
    return admission(await ask("device", accountKey("device", name, uuid)), ...before);
  }

  return {
    async admit(attempt) {
      const asked = await askAll(attempt, find);
      const { name, address } = attempt;
      if (asked.admitted || address === undefined || asked.standings.length === 1) return asked;
      const ofAddress = await count("address", addressKey(name.tenant_id, address));
      return { ...asked, standings: asked.standings.with(0, ofAddress.standing) };
    },
    async settle(attempt, outcome) {
      if (outcome === "right") return askAll(attempt, findNext);
      const { name, address } = attempt;
      tenantFailures.count(name.tenant_id);
      const asked = await askAll(attempt, count);
      if (!asked.admitted || asked.standings.at(-1)?.policy !== "account") return asked;
      // The response shows how many failures the account has from this network. All of its failures would show the
      // caller that somebody else tries to log in.
      const network = address === undefined ? "" : networkOf(address);
      const { standing } = await count("account", accountKey("account", name, network));
      return { ...asked, standings: asked.standings.with(-1, standing) };
    },
    settleCode: async (name, outcome) =>
      admission(await (outcome === "right" ? findNext : count)("code", accountKey("code", name))),
    turnOf(attempt) {
      const areMany = tenantFailures.areMany(attempt.name.tenant_id);
      return turnOf(sessions, attempt, { now: clock(), costOfTenant: areMany ? costOfManyFailures : 1 });
    },
  };
}

/** Asks the store whether the limit of a policy admits another attempt with this key. */
type Ask = (policy: Standing["policy"], key: string) => Promise<Counted>;

type Counted = { key: string; admitted: boolean; standing: Standing };

/** Returns a function for each method of the store that looks up or counts an attempt. */
function createAsks(
  attempts: AttemptStore,
  clock: Clock,
  { attemptsPerAccount, attemptsPerAddress, windowSeconds, codesPerDay }: LoginLimitSettings,
) {
  const ofAccount = { quota: attemptsPerAccount, windowSeconds };
  const limits = {
    address: { quota: attemptsPerAddress, windowSeconds },
    account: ofAccount,
    device: ofAccount,
    code: { quota: codesPerDay, windowSeconds: daySeconds },
  };
  const asking =
    (method: (attempt: Attempt) => Promise<AttemptsLeft>): Ask =>
    async (policy, key) => {
      const now = clock();
      const { quota, windowSeconds } = limits[policy];
      const left = await method({ key, limit: quota, windowMs: windowSeconds * 1000, now });
      const { admitted, remaining, window_ends_at } = left;
      const resetSeconds = Math.max(1, Math.ceil((window_ends_at - now) / 1000));
      return { key, admitted, standing: { policy, quota, windowSeconds, remaining, resetSeconds } };
    };
  return { find: asking(attempts.find), findNext: asking(attempts.findNext), count: asking(attempts.count) };
}

async function turnOf(
  sessions: Store["sessions"],
  { name, uuid, address }: LimitedAttempt,
  { now, costOfTenant }: { now: number; costOfTenant: number },
): ReturnType<LoginLimits["turnOf"]> {
  const { tenant_id, type, dial_code, mobile } = name;
  const day = daySeconds * 1000;
  // Another replica's clock can be ahead. A session that begins later than tomorrow was made by a wrong clock.
  const period = { after: now - day, until: now + day };
  // Both run for every attempt, so that it takes the same time for all accounts.
  const [hasDevice, knownBy] = await Promise.all([
    sessions.hasDevice(name, uuid),
    address === undefined ? undefined : sessions.findUserByAddress(addressKey(tenant_id, address), period),
  ]);
  const turn = (kind: keyof typeof costs, caller: string, ...within: string[]) => ({
    path: [tenant_id, `${kind} ${caller}`, ...within],
    costs: [costOfTenant, costs[kind]],
  });
  const account = JSON.stringify([type, dial_code, mobile]);
  if (hasDevice) return turn("device", account);
  const network = address === undefined ? "" : networkOf(address);
  if (knownBy !== undefined) return turn("knownAddress", knownBy, network, account);
  return turn("other", network, account);
}

/** @throws StoreUnavailableError */
export async function unlockAccount({ attempts }: Pick<Store, "attempts">, name: LoginName): Promise<void> {
  await attempts.forget(accountKey("account", name));
  await attempts.forget(accountKey("code", name));
}

/** Returns the same hash for all addresses of a network. */
export function addressKey(tenant_id: string, address: string): string {
  return keyOf("address", tenant_id, networkOf(address));
}

function accountKey(policy: Standing["policy"], name: LoginName, ...more: string[]): string {
  const { tenant_id, type, dial_code, mobile } = name;
  return keyOf(policy, tenant_id, type, dial_code, mobile, ...more);
}

/** Hashes the parts, so that all keys have the same length. JSON keeps parts separate even if they contain separators. */
function keyOf(...parts: string[]): string {
  return hash("sha256", JSON.stringify(parts));
}
