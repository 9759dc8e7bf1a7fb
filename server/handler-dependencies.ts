/** What the handlers need, from the settings and the parts of the service. */
import type { Logger } from "pino";
import type { Metrics } from "#specbind/server/observability";
import type { Config } from "./config.ts";
import { type BoundedWork, boundWork } from "./domain/bounded-work.ts";
import type { Clock } from "./domain/clock.ts";
import { createLoginLimits } from "./domain/login-limits.ts";
import type { TotpKeys } from "./domain/totp-keys.ts";
import type { HandlerDependencies } from "./handlers.ts";
import type { Store } from "./store/store.ts";

export interface ServiceParts {
  readonly config: Config;
  readonly store: Store;
  readonly clock: Clock;
  readonly totpKeys: TotpKeys;
  readonly log: Logger;
  readonly metrics?: Metrics | undefined;
  /** Only tests set this. */
  readonly passwordWork?: BoundedWork | undefined;
}

/** The service's own metrics, with their help. */
export const counters = {
  login_failure_alarms_total:
    "Windows in which more logins of a tenant failed than LOGIN_FAILURES_PER_TENANT. The log contains the tenant's id.",
} as const;

export function handlerDependencies({
  config,
  store,
  clock,
  totpKeys,
  log,
  metrics,
  passwordWork = boundWork({ concurrency: config.PASSWORD_CONCURRENCY, waiting: config.PASSWORD_QUEUE }),
}: ServiceParts): HandlerDependencies {
  // The audit log is complete at every LOG_LEVEL.
  const auditLog = log.child({}, { level: "info" });
  const onManyFailures = (tenant_id: string) => {
    metrics?.increase("login_failure_alarms_total" satisfies keyof typeof counters);
    const { LOGIN_FAILURES_PER_TENANT: most, LOGIN_WINDOW_SECONDS: seconds } = config;
    log.warn(
      { tenant_id, most, seconds },
      "many logins of a tenant fail; until they stop, logins of other tenants go first",
    );
  };
  const loginLimits = createLoginLimits(
    { store, clock, onManyFailures },
    {
      attemptsPerAccount: config.LOGIN_ATTEMPTS_PER_ACCOUNT,
      attemptsPerAddress: config.LOGIN_ATTEMPTS_PER_ADDRESS,
      windowSeconds: config.LOGIN_WINDOW_SECONDS,
      codesPerDay: config.TOTP_ATTEMPTS_PER_DAY,
      failuresPerTenant: config.LOGIN_FAILURES_PER_TENANT,
    },
  );
  return {
    store,
    clock,
    totpKeys,
    passwordWork,
    loginLimits,
    lifetimes: { authSeconds: config.AUTH_KEY_SECONDS, refreshSeconds: config.REFRESH_KEY_SECONDS },
    sessionsPerUser: config.SESSIONS_PER_USER,
    definitionsPerTenant: config.DEFINITIONS_PER_TENANT,
    onLogin: (login) => auditLog.info({ audit: "login", ...login }, "a login was tried"),
  };
}
