/**
 * Reports tenants with many failed logins, for example if one password is tried on many accounts. Each replica
 * counts separately. No login is rejected, because publishable keys are public: anyone with one could lock out the
 * tenant's users.
 */
import type { Clock } from "./clock.ts";

export type TenantFailures = {
  count(tenant_id: string): void;
  areMany(tenant_id: string): boolean;
};

export function countTenantFailures(
  { clock, onMany }: { clock: Clock; onMany?: ((tenant_id: string) => void) | undefined },
  { most, windowSeconds }: { most: number; windowSeconds: number },
): TenantFailures {
  const windows = new Map<string, { failures: number; startedAt: number }>();

  function windowOf(tenant_id: string): { failures: number } | undefined {
    const window = windows.get(tenant_id);
    // The difference is negative if the clock has been set back.
    return window && Math.abs(clock() - window.startedAt) < windowSeconds * 1000 ? window : undefined;
  }

  return {
    count(tenant_id) {
      const window = windowOf(tenant_id);
      if (window === undefined) windows.set(tenant_id, { failures: 1, startedAt: clock() });
      else window.failures += 1;
      if ((window?.failures ?? 1) === most + 1) onMany?.(tenant_id);
    },
    areMany: (tenant_id) => (windowOf(tenant_id)?.failures ?? 0) > most,
  };
}
