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
import { type Listening, listen } from "./listen.ts";
import { createLogDestination, type LogDestination, standardOutput } from "./log-destination.ts";
import type { Metrics } from "./metrics.ts";
import { type MetricsServer, serveMetrics } from "./metrics-server.ts";
import { observeStore, type StoreObserver } from "./observed-store.ts";
import { createOutageLog } from "./outage-log.ts";
import { createReadiness, type Readiness } from "./readiness.ts";
import { loggable, withoutMessage } from "./redaction.ts";
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
/** Most characters of the log that wait for its reader: some twenty thousand lines. */
const maxLogWaiting = 4 * 1024 * 1024;
/** How long the reader may take for the last lines. */
const logFlushMs = 2000;

/** Undefined until the settings have been read. */
let output: LogDestination | undefined;

async function main(): Promise<void> {
  if (process.argv.includes("--help")) {
    process.stdout.write(help);
    return;
  }
  const config = readConfig(process.env);
  const metrics = await metricsOf(config);
  let tracing: Tracing | undefined;
  const destination = createLogDestination({
    stream: standardOutput(),
    maxWaiting: maxLogWaiting,
    onLost: () => metrics?.logLineLost(),
    onRoom: (lines) => log.warn({ lines }, "log lines were lost; their reader did not keep up"),
  });
  const log = pino(
    {
      level: config.logLevel,
      base: null,
      ...(isTraced(config) && { mixin: () => tracing?.logFields() ?? {} }),
    },
    destination,
  );
  output = destination;
  endOnCrash(log);
  for (const { name, meant } of misspelt(process.env))
    log.warn({ variable: name }, `${name} is no setting; did you mean ${meant}?`);
  if (isTraced(config)) tracing = await tracingOf(config, log);
  const database = await openStore(config.databaseUrl, { poolSize: config.databasePoolSize });
  const outages = createOutageLog(log);
  const store = observed(database, [outages, metrics, tracing]);
  const readiness = createReadiness(store, { onFault: (fault) => outages.failed(loggable(fault, [])) });
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
    outages,
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
  const listenOptions = {
    host: config.host,
    port: config.port,
    limits: {
      maxHeaderBytes: config.maxHeaderBytes,
      maxConnections: config.maxConnections,
      headerMs: config.headerSeconds * 1000,
      requestMs: config.requestSeconds * 1000,
      keepAliveMs: config.keepAliveSeconds * 1000,
    },
    onMalformed: (requestId: string, status: number) => {
      metrics?.answered({ operation: "unmatched", status, code: "malformed_request", seconds: 0 });
      log.info({ request_id: requestId, status }, "answered malformed HTTP");
    },
    onDropped: () => metrics?.dropped(),
  };
  const metricsAddress = { host: config.metricsHost ?? config.host, port: config.metricsPort ?? 0 };
  const [metricsServer, server] = await bothOpened(
    opened(metrics ? serveMetrics(metrics, metricsAddress) : Promise.resolve(undefined), {
      host: config.metricsHost === undefined ? "HOST" : "METRICS_HOST",
      port: "METRICS_PORT",
    }),
    opened(listen(app, listenOptions), { host: "HOST", port: "PORT" }),
  );
  stopOnSignal({ server, metricsServer, readiness, tracing, store }, config, log);
  log.info({ url: server.url, ...(metricsServer && { metrics: metricsServer.url }) }, "listening");
  const demo = config.production ? undefined : await createDemo({ store, totpKeys }, clock);
  if (demo !== undefined) destination.write(demoText(demo, server.url));
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
    onFault: (fault, faults) => log.warn({ fault, faults }, "traces could not be sent"),
  });
}

/** Nothing is measured, nor loaded for it, where nobody asks. */
async function metricsOf({ metricsPort, responseValidation }: Config): Promise<Metrics | undefined> {
  if (metricsPort === undefined) return undefined;
  const { createMetrics } = await import("./metrics.ts");
  return createMetrics(Object.keys(contract.operations), responseValidation);
}

function observed(store: Store, observers: readonly (StoreObserver | undefined)[]): Store {
  return observers.reduce(
    (inner, observer) => (observer === undefined ? inner : observeStore(inner, observer.observeStoreCall)),
    store,
  );
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
    await output?.flush(logFlushMs);
    process.exit(inTime ? 0 : 1);
  };
  process.on("SIGTERM", onSignal);
  process.on("SIGINT", onSignal);
}

/** What nobody has caught leaves the process in a state that nobody knows: it says so, and ends. */
function endOnCrash(log: BaseLogger): void {
  let isEnding = false;
  process.on("uncaughtException", async (error: unknown) => {
    if (isEnding) return;
    isEnding = true;
    log.fatal({ error: withoutMessage(error) }, "the server crashed");
    await output?.flush(logFlushMs);
    process.exit(1);
  });
}

/** Where an address comes from. */
interface AddressSettings {
  readonly host: string;
  readonly port: string;
}

/** Why the server cannot start, a line each. */
class StartError extends Error {
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    super(faults.join("\n"));
    this.name = "StartError";
    this.faults = faults;
  }
}

/** @throws StartError where the address cannot be listened on; it names the setting to change */
async function opened<Server>(server: Promise<Server>, settings: AddressSettings): Promise<Server> {
  try {
    return await server;
  } catch (error) {
    throw new StartError([listenFault(error, settings)]);
  }
}

/** @throws StartError with the faults of both */
async function bothOpened<First, Second>(
  first: Promise<First>,
  second: Promise<Second>,
): Promise<[First, Second]> {
  const ends = await Promise.allSettled([first, second]);
  const faults = ends.flatMap((end) => (end.status === "rejected" ? faultsOf(end.reason) : []));
  if (faults.length > 0) throw new StartError(faults);
  return Promise.all([first, second]);
}

/** One line for each; unlike a caller of the API, who starts the server may know the inside. */
function faultsOf(error: unknown): readonly string[] {
  if (error instanceof StartError) return error.faults;
  return [error instanceof Error ? error.message : String(error)];
}

function listenFault(error: unknown, { host, port }: AddressSettings): string {
  if (!(error instanceof Error)) return String(error);
  const place = "port" in error && "address" in error ? `${error.address}:${error.port}` : host;
  switch ("code" in error && error.code) {
    case "EADDRINUSE":
      return `${place} is in use; stop what listens there, or set ${port} to another port`;
    case "EACCES":
      return `${place} may not be listened on by this user; set ${port} to 1024 or higher`;
    case "EADDRNOTAVAIL":
    case "ENOTFOUND":
      return `${host} is no address of this machine; set it to one, such as 127.0.0.1 or 0.0.0.0`;
    default:
      return error.message;
  }
}

try {
  await main();
} catch (error) {
  await output?.flush(logFlushMs);
  if (error instanceof ConfigError) {
    process.stderr.write(`${error.message}\nTry: npm start -- --help\n`);
    process.exit(2);
  }
  for (const fault of faultsOf(error)) process.stderr.write(`could not start: ${fault}\n`);
  process.exit(1);
}
