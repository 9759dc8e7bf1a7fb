/** Starts the server from the environment, and stops it on a signal. */
import { setTimeout } from "node:timers/promises";
import { type BaseLogger, pino } from "pino";
import { contract } from "../generated/contract.ts";
import packageJson from "../package.json" with { type: "json" };
import { createApp } from "./app.ts";
import { createCallerAddress } from "./caller-address.ts";
import { type Config, ConfigError, misspelt, readConfig, settings } from "./config.ts";
import { createDemo, demoText } from "./demo.ts";
import { boundWork } from "./domain/bounded-work.ts";
import { createLoginLimits } from "./domain/login-limits.ts";
import { checkTotpKeys, createTotpKeys } from "./domain/totp-keys.ts";
import { readEnvironmentFile } from "./environment-file.ts";
import { type Listening, listen } from "./listen.ts";
import type { Metrics } from "./metrics.ts";
import { type MetricsServer, serveMetrics } from "./metrics-server.ts";
import { observeStore } from "./observed-store.ts";
import { createReadiness, type Readiness } from "./readiness.ts";
import { openStore } from "./store/open.ts";
import type { Store } from "./store/store.ts";
import type { Tracing } from "./tracing.ts";

const longestName = Math.max(...Object.values(settings).map(({ name }) => name.length));

const help = `Serves the commerce API.

Usage: npm start

Settings (environment variables, or lines NAME=VALUE in the file .env; see .env.example):

${Object.values(settings)
  .map(
    ({ name, meaning, fallback }) =>
      `  ${name.padEnd(longestName)} ${meaning}${fallback && ` (${fallback})`}`,
  )
  .join("\n")}

Exit status: 0 stopped as asked, 1 could not start or was stopped with requests open, 2 a setting is wrong.
`;

const clock = Date.now;

async function main(): Promise<void> {
  if (process.argv.includes("--help")) {
    process.stdout.write(help);
    return;
  }
  readEnvironmentFile(".env", process.env);
  const config = readConfig(process.env);
  let tracing: Tracing | undefined;
  const log = pino(
    {
      level: config.logLevel,
      base: null,
      ...(isTraced(config) && { mixin: () => tracing?.logFields() ?? {} }),
    },
    // Synchronous: an asynchronous destination whose reader has gone would hold up the end of the process.
    pino.destination({ dest: 1, sync: true }),
  );
  process.stdout.on("error", () => {});
  for (const { name, meant } of misspelt(process.env))
    log.warn({ variable: name }, `${name} is no setting; did you mean ${meant}?`);
  if (isTraced(config)) tracing = await tracingOf(config, log);
  const metrics = await metricsOf(config);
  const database = await openStore(config.databaseUrl, { poolSize: config.databasePoolSize });
  const store = observed(database, metrics, tracing);
  const readiness = createReadiness(database);
  const totpKeys = createTotpKeys(config.totpSecretKeys);
  const unencrypted = await checkTotpKeys(store, totpKeys);
  if (unencrypted > 0) {
    log.warn(
      { users: unencrypted },
      "TOTP secrets are not encrypted; set TOTP_SECRET_KEYS and run `totp rotate`",
    );
  }
  const app = createApp({
    store,
    clock,
    log,
    readiness,
    metrics,
    tracing,
    callerAddress: createCallerAddress(config.trustedProxies),
    corsOrigins: config.corsOrigins,
    lifetimes: { authSeconds: config.authKeySeconds, refreshSeconds: config.refreshKeySeconds },
    loginLimits: createLoginLimits(
      { store, clock },
      {
        attemptsPerAccount: config.loginAttemptsPerAccount,
        attemptsPerAddress: config.loginAttemptsPerAddress,
        windowSeconds: config.loginWindowSeconds,
        codesPerDay: config.totpAttemptsPerDay,
      },
    ),
    passwordWork: boundWork({ concurrency: config.passwordConcurrency, waiting: config.passwordQueue }),
    totpKeys,
    responsePolicy: config.responseValidation,
    maxContentBytes: config.maxContentBytes,
  });
  const metricsServer =
    metrics &&
    (await serveMetrics(metrics, {
      host: config.metricsHost ?? config.host,
      port: config.metricsPort ?? 0,
    }));
  const server = await listen(app, {
    host: config.host,
    port: config.port,
    limits: {
      maxHeaderBytes: config.maxHeaderBytes,
      maxConnections: config.maxConnections,
      headerMs: config.headerSeconds * 1000,
      requestMs: config.requestSeconds * 1000,
      keepAliveMs: config.keepAliveSeconds * 1000,
    },
    onMalformed: (requestId, status) => {
      metrics?.answered({ operation: "unmatched", status, code: "malformed_request", seconds: 0 });
      log.info({ request_id: requestId, status }, "answered malformed HTTP");
    },
    onDropped: () => metrics?.dropped(),
  });
  stopOnSignal({ server, metricsServer, readiness, tracing, store }, config, log);
  log.info({ url: server.url, ...(metricsServer && { metrics: metricsServer.url }) }, "listening");
  const demo = config.production ? undefined : await createDemo({ store, totpKeys }, clock);
  if (demo !== undefined) process.stdout.write(demoText(demo, server.url));
}

function isTraced({ otlpTracesEndpoint, otlpEndpoint, tracesDisabled }: Config): boolean {
  return (otlpTracesEndpoint ?? otlpEndpoint) !== undefined && !tracesDisabled;
}

/** Nothing of OpenTelemetry is loaded where nothing is traced. */
async function tracingOf(config: Config, log: BaseLogger): Promise<Tracing> {
  const { startTracing } = await import("./tracing.ts");
  return startTracing({
    serviceName: packageJson.name,
    serviceVersion: packageJson.version,
    sampledShare: config.tracesSampledShare,
    onFault: (fault) => log.warn({ fault }, "traces could not be sent"),
  });
}

/** Nothing is measured, nor loaded for it, where nobody asks. */
async function metricsOf({ metricsPort, responseValidation }: Config): Promise<Metrics | undefined> {
  if (metricsPort === undefined) return undefined;
  const { createMetrics } = await import("./metrics.ts");
  return createMetrics(Object.keys(contract.operations), responseValidation);
}

function observed(store: Store, metrics: Metrics | undefined, tracing: Tracing | undefined): Store {
  const observers = [metrics, tracing].filter((each) => each !== undefined);
  return observers.reduce((inner, { observeStoreCall }) => observeStore(inner, observeStoreCall), store);
}

/** From a terminal, npm hands on a signal that has come here already. */
const sameSignalMs = 250;
/** How long the last traces may take to be sent. */
const tracesFlushMs = 2000;

interface Running {
  readonly server: Listening;
  readonly metricsServer: MetricsServer | undefined;
  readonly readiness: Readiness;
  readonly tracing: Tracing | undefined;
  readonly store: Store;
}

/** The first SIGTERM or SIGINT lets open requests finish; a second one ends at once. */
function stopOnSignal(running: Running, config: Config, log: BaseLogger): void {
  const { server, metricsServer, readiness, tracing, store } = running;
  let stoppingSince: number | undefined;
  const onSignal = async (signal: string): Promise<void> => {
    if (stoppingSince !== undefined) {
      if (performance.now() - stoppingSince > sameSignalMs) process.exit(1);
      return;
    }
    stoppingSince = performance.now();
    log.info({ signal }, "stopping");
    readiness.drain();
    server.drain();
    await setTimeout(config.shutdownDelaySeconds * 1000);
    const inTime = await server.stop(config.shutdownSeconds * 1000);
    await store.close();
    await Promise.race([tracing?.stop(), setTimeout(tracesFlushMs)]);
    metricsServer?.close();
    log.info({ requests_cut_off: !inTime }, "stopped");
    process.exit(inTime ? 0 : 1);
  };
  process.on("SIGTERM", onSignal);
  process.on("SIGINT", onSignal);
}

/** One line for the operator; unlike a caller of the API, who starts the server may know the inside. */
function startFault(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (!("syscall" in error && "code" in error)) return error.message;
  const place = "port" in error && "address" in error ? `${error.address}:${error.port}` : "HOST";
  switch (error.code) {
    case "EADDRINUSE":
      return `${place} is in use; stop what listens there, or set PORT to another port`;
    case "EACCES":
      return `${place} may not be listened on by this user; set PORT to 1024 or higher`;
    case "EADDRNOTAVAIL":
    case "ENOTFOUND":
      return "HOST is no address of this machine; set it to one, such as 127.0.0.1 or 0.0.0.0";
    default:
      return error.message;
  }
}

try {
  await main();
} catch (error) {
  if (error instanceof ConfigError) {
    process.stderr.write(`${error.message}\nTry: npm start -- --help\n`);
    process.exit(2);
  }
  process.stderr.write(`could not start: ${startFault(error)}\n`);
  process.exit(1);
}
