/**
 * Notices tenants many of whose logins fail, as when one password is tried on many accounts. Each replica counts what it has
 * verified itself. It rejects nothing: publishable keys are public, so anyone could lock a tenant out.
 */
import type { Clock } from "./clock.ts";

export type TenantFailures = {
  count(tenant_id: string): void;
  /** Whether more failures than usual are counted in the present window. */
  areMany(tenant_id: string): boolean;
};

export function countTenantFailures(
  { clock, onMany }: { clock: Clock; onMany?: ((tenant_id: string) => void) | undefined },
  { most, windowSeconds }: { most: number; windowSeconds: number },
): TenantFailures {
  /** As many as there are tenants, at most. */
  const windows = new Map<string, { failures: number; startedAt: number }>();

  function windowOf(tenant_id: string): { failures: number } | undefined {
    const window = windows.get(tenant_id);
    // Also if the clock has been set back since.
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
