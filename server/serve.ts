import { type BaseLogger, pino } from "pino";
import type { SettledExchange } from "#specbind/server";
import {
  bothOrAllErrors,
  createLogDestination,
  endOnCrash,
  endOnSignal,
  explainListenError,
  findScalar,
  flushMs,
  type LogDestination,
  type LogFormat,
  listen,
  loggable,
  prettyFormat,
  standardOutput,
  startErrors,
  stopOnSignal,
} from "#specbind/server/node";
import {
  createOutageLog,
  createReadiness,
  type Metrics,
  observeStore,
  type Tracing,
} from "#specbind/server/observability";
import { misspeltIn, readEnvironmentFile, type Setting } from "#specbind/server/settings";
import { contract } from "../generated/contract.ts";
import document from "../generated/openapi.json" with { type: "json" };
import packageJson from "../package.json" with { type: "json" };
import { counters, createApp } from "./app.ts";
import { type Config, ConfigError, readConfig, settings } from "./config.ts";
import { createDemo } from "./demo.ts";
import { createKeyUses, withoutApiKeys } from "./domain/api-keys.ts";
import { checkTotpKeys, createTotpKeys } from "./domain/totp-keys.ts";
import { errorCodeOf } from "./errors.ts";
import { rejectionResponse } from "./rejections.ts";
import { effects } from "./store/effects.ts";
import { openStore } from "./store/open.ts";

const longestName = Math.max(...Object.keys(settings).map((name) => name.length));

/** The command as the user called it. The Docker image has no npm. */
const commandLine = process.argv[1]?.endsWith("start.ts") ? "npm start --" : "node server/main.ts";

const help = `Serves the commerce API.

Usage: ${commandLine} [--help]

Settings (environment variables, or lines NAME=VALUE in the file .env; see .env.example):

${Object.entries<Setting>(settings)
  .map(
    ([name, { meaning, fallback }]) =>
      `  ${name.padEnd(longestName)} ${meaning}${fallback ? ` (${fallback})` : ""}`,
  )
  .join("\n")}

Exit status: 0 stopped by a signal, 1 could not start, crashed or was stopped while requests were open, 2 a setting is wrong.
`;

const clock = Date.now;
/** The memory for log lines that are not yet written. It is enough for about twenty thousand lines. */
const maxLogBytes = 4 * 1024 * 1024;

let output: LogDestination | undefined;

async function main(): Promise<void> {
  const args = process.argv.slice(2);
  if (args.includes("--help")) {
    process.stdout.write(help);
    return;
  }
  const [argument] = args;
  if (argument !== undefined) throw new ConfigError([`unexpected argument ${JSON.stringify(argument)}`]);
  endOnSignal();
  readEnvironmentFile(".env", process.env);
  const config = readConfig(process.env);
  const metrics = await metricsOf(config);
  let tracing: Tracing | undefined;
  const destination = createLogDestination({
    stream: standardOutput(),
    format: await formatOf(config),
    maxWaitingBytes: maxLogBytes,
    onLost: () => metrics?.logLineLost(),
    onRoom: (lines) => log.warn({ lines }, "log lines were lost because their reader was too slow"),
  });
  const log = pino(
    {
      level: config.LOG_LEVEL,
      base: null,
      ...(isTraced(config) && { mixin: () => tracing?.logFields() ?? {} }),
    },
    destination,
  );
  output = destination;
  endOnCrash(log, destination);
  for (const { name, suggestion } of misspeltIn(settings, process.env))
    log.warn({ variable: name }, `${name} is not a setting; did you mean ${suggestion}?`);
  const isProduction = config.NODE_ENV === "production";
  if (isProduction && process.env.NODE_ENV !== "production")
    log.warn("NODE_ENV is not production, development or test; it counts as production");
  if (isTraced(config)) tracing = await tracingOf(config, log);
  const scalar = config.DOCS ? await findScalar(new URL("../", import.meta.url)) : undefined;
  if (config.DOCS && scalar === undefined)
    log.warn("@scalar/api-reference is not installed; /docs only links to /openapi.json");
  const database = await openStore(config.DATABASE_URL, {
    poolSize: config.DATABASE_POOL_SIZE,
    create: config.DATABASE_CREATE,
    // Outside production, the demo tenant's output shows that the database is new.
    onNewFile: (file) =>
      isProduction &&
      log.warn(
        { file },
        "the database file was missing or empty; it is a new database now, so create a tenant with the command 'tenant create'",
      ),
  });
  const outages = createOutageLog(log, database);
  const measured = observeStore(database, effects, outages, metrics, tracing);
  const readiness = createReadiness(measured, { onError: (error) => outages.failed(loggable(error, [])) });
  const store = observeStore(measured, effects, readiness);
  const totpKeys = createTotpKeys(config.TOTP_SECRET_KEYS);
  const unencrypted = await checkTotpKeys(store, totpKeys);
  if (unencrypted > 0) {
    log.warn(
      { users: unencrypted },
      "TOTP secrets are not encrypted; set TOTP_SECRET_KEYS and run `totp rotate`",
    );
  }
  const keyUses = createKeyUses(
    { store, clock },
    { onError: (error) => outages.failed(loggable(error, [])) },
  );
  const app = createApp({
    config,
    store,
    clock,
    totpKeys,
    keyUses,
    log,
    write: destination.write,
    readiness,
    outages,
    scalar,
    metrics,
    tracing,
  });
  const listenOptions = {
    host: config.HOST,
    port: config.PORT,
    limits: {
      maxHeaderBytes: config.MAX_HEADER_BYTES,
      maxConnections: config.MAX_CONNECTIONS,
      headerMs: config.HEADER_SECONDS * 1000,
      requestMs: config.REQUEST_SECONDS * 1000,
      keepAliveMs: config.KEEP_ALIVE_SECONDS * 1000,
      responseMs: config.ANSWER_SECONDS * 1000,
    },
    reject: rejectionResponse,
    onMalformed: (exchange: SettledExchange) => {
      metrics?.settled(exchange, errorCodeOf(exchange.response.body));
      log.info({ request_id: exchange.requestId, status: exchange.reply.status }, "rejected malformed HTTP");
    },
    onDropped: () => metrics?.dropped(),
  };
  const metricsOptions = {
    host: config.METRICS_HOST ?? config.HOST,
    port: config.METRICS_PORT ?? 0,
    limits: listenOptions.limits,
    reject: rejectionResponse,
  };
  const [metricsServer, server] = await bothOrAllErrors(
    explainListenError(metrics ? metrics.serve(metricsOptions) : Promise.resolve(undefined), {
      host: config.METRICS_HOST === undefined ? "HOST" : "METRICS_HOST",
      port: "METRICS_PORT",
    }),
    explainListenError(listen(app, listenOptions), { host: "HOST", port: "PORT" }),
  );
  const close = () =>
    Promise.all([keyUses.stop().then(() => store.close()), tracing?.stop()]).finally(() =>
      metricsServer?.close(),
    );
  stopOnSignal({ server, onStopping: () => readiness.drain(), close, log, output: destination }, config);
  log.info(
    {
      interface_version: document.info.version,
      url: server.url,
      ...(config.DOCS && { docs: `${server.url}/docs` }),
      ...(metricsServer && { metrics: metricsServer.url }),
    },
    "listening",
  );
  if (isProduction) return;
  if (!isLoopback(config.HOST)) log.info("no demo tenant is created, because HOST is not a loopback address");
  else {
    const demo = await createDemo(store, clock, server.url);
    if (demo !== undefined) destination.write(demo);
  }
}

async function formatOf(config: Config): Promise<LogFormat | undefined> {
  const { LOG_FORMAT, NODE_ENV } = config;
  const isTerminal = process.stdout.isTTY;
  if (LOG_FORMAT === "json") return undefined;
  if (LOG_FORMAT === undefined && (NODE_ENV === "production" || !isTerminal)) return undefined;
  const format = await prettyFormat(isTerminal && !process.env.NO_COLOR);
  if (format === undefined && LOG_FORMAT === "pretty")
    throw new ConfigError([
      "LOG_FORMAT can only be pretty if the development packages are installed (npm ci)",
    ]);
  return format;
}

/** Other machines cannot reach these addresses (RFC 6890, section 2.2). The log contains the demo tenant's keys. */
function isLoopback(host: string): boolean {
  return /^(?:127\..*|::1|localhost)$/.test(host);
}

function isTraced(config: Config): boolean {
  const endpoint = config.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ?? config.OTEL_EXPORTER_OTLP_ENDPOINT;
  return endpoint !== undefined && !config.OTEL_SDK_DISABLED;
}

async function tracingOf(config: Config, log: BaseLogger): Promise<Tracing> {
  const { startTracing } = await import("#specbind/server/tracing");
  return startTracing({
    serviceName: packageJson.name,
    serviceVersion: packageJson.version,
    isSecret: (text) => text !== withoutApiKeys(text),
    sampledShare: config.OTEL_TRACES_SAMPLER_ARG,
    onError: (message, count) => log.warn({ fault: message, faults: count }, "traces could not be sent"),
  });
}

async function metricsOf({ METRICS_PORT, RESPONSE_VALIDATION }: Config): Promise<Metrics | undefined> {
  if (METRICS_PORT === undefined) return undefined;
  const { createMetrics } = await import("#specbind/server/metrics");
  return createMetrics(Object.keys(contract.operations), RESPONSE_VALIDATION, counters);
}

try {
  await main();
} catch (error) {
  await output?.flush(flushMs);
  if (error instanceof ConfigError) {
    process.stderr.write(`${error.message}\nTry: ${commandLine} --help\n`);
    process.exit(2);
  }
  for (const line of startErrors(error)) process.stderr.write(`could not start: ${line}\n`);
  process.exit(1);
}
