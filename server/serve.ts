import { type Logger, pino } from "pino";
import { loggable } from "#specbind/server/node";
import { createOutageLog, createReadiness, observeStore } from "#specbind/server/observability";
import { type Service, serve } from "#specbind/server/serve";
import { contract } from "../generated/contract.ts";
import document from "../generated/openapi.json" with { type: "json" };
import packageJson from "../package.json" with { type: "json" };
import { commandLine } from "./admin-command-line.ts";
import { createApp } from "./app.ts";
import { type Config, readConfig, settings } from "./config.ts";
import { createDemo, keyCommand } from "./demo.ts";
import { createKeyUses, withoutApiKeys } from "./domain/api-keys.ts";
import { checkTotpKeys, createTotpKeys } from "./domain/totp-keys.ts";
import { errorCodeOf } from "./errors.ts";
import { counters } from "./handler-dependencies.ts";
import { rejectionResponse } from "./rejections.ts";
import { effects } from "./store/effects.ts";
import { openStore } from "./store/open.ts";

const clock = Date.now;

/** @param how the user called the program, and how development gets the script of the reference page */
export function serveCommerce(
  how: Pick<Service<Config, Logger>, "commandLine" | "docsAssets">,
): Promise<void> {
  return serve<Config, Logger>({ ...how, ...commerce });
}

const commerce: Omit<Service<Config, Logger>, "commandLine"> = {
  createLog: (options, destination) => pino(options, destination),
  loadPretty: () => import("pino-pretty"),
  purpose: "Serves the commerce API.",
  docsCommand: "npm run docs --",
  settings,
  readConfig,
  async createMetrics(policy) {
    const [{ createMetrics }, promClient] = await Promise.all([
      import("#specbind/server/metrics"),
      import("prom-client"),
    ]);
    return createMetrics(promClient, Object.keys(contract.operations), policy, counters);
  },
  async startTracing(options) {
    const { startTracing } = await import("./tracing.ts");
    const { name: serviceName, version: serviceVersion } = packageJson;
    const isSecret = (text: string): boolean => text !== withoutApiKeys(text);
    return startTracing({ serviceName, serviceVersion, isSecret, ...options });
  },
  reject: rejectionResponse,
  errorCodeOf,
  about: { interface_version: document.info.version },
  async start(program) {
    const { config, log, metrics, tracing, isProduction, isRestart } = program;
    const database = await openStore(config.DATABASE_URL, {
      poolSize: config.DATABASE_POOL_SIZE,
      create: config.DATABASE_CREATE,
      // Outside production, the demo tenant's output shows that the database is new.
      onNewFile: (file) =>
        isProduction &&
        log.warn(
          { file },
          `the database file was missing or empty; it is a new database now, so create a tenant: ${commandLine} tenant create --name NAME`,
        ),
    });
    const outages = createOutageLog(log, database);
    const onError = (error: unknown): void => outages.failed(loggable(error, []));
    const measured = observeStore(database, effects, outages, metrics, tracing);
    const readiness = createReadiness(measured, { onError });
    const store = observeStore(measured, effects, readiness);
    const totpKeys = createTotpKeys(config.TOTP_SECRET_KEYS);
    const unencrypted = await checkTotpKeys(store, totpKeys);
    if (unencrypted > 0)
      log.warn(
        { users: unencrypted },
        "TOTP secrets are not encrypted; set TOTP_SECRET_KEYS and run `totp rotate`",
      );
    const keyUses = createKeyUses({ store, clock }, { onError });
    return {
      app: createApp({ ...program, store, clock, totpKeys, keyUses, readiness, outages }),
      async onListening(url) {
        if (isProduction || isRestart) return;
        if (isLoopback(config.HOST))
          program.write((await createDemo(store, clock, url)) ?? (await keyCommand(store)));
        else log.info("no demo tenant is created, because HOST is not a loopback address");
      },
      onStopping: () => readiness.drain(),
      close: () => keyUses.stop().then(() => store.close()),
    };
  },
};

/** Other machines cannot reach these addresses (RFC 6890, section 2.2). The log contains the demo tenant's keys. */
function isLoopback(host: string): boolean {
  return /^(?:127\..*|::1|localhost)$/.test(host);
}
