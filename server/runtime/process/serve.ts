/** Runs a server as a program: settings, log, metrics and traces, listening, and the end after a signal or an error. */

import type { SettledExchange } from "../contract/pipeline.ts";
import type { ResponsePolicy } from "../contract/response.ts";
import { codeOfProblem, errorResponses } from "../http/error-responses.ts";
import { type ListenOptions, listen } from "../http/listen.ts";
import {
  createLogDestination,
  type Log,
  type LogDestination,
  type LogFormat,
  standardOutput,
} from "../observability/log.ts";
import type { Metrics } from "../observability/metrics.ts";
import type { Tracing, TracingOptions } from "../observability/tracing.ts";
import { nearestWord } from "../shared/nearest-word.ts";
import { type DocsPage, scriptFinder } from "./docs-page.ts";
import { readEnvironmentFile } from "./environment-file.ts";
import {
  type DefaultConfig,
  defaultSettings,
  readServerConfig,
  type ServerSettings,
  type SettingsOf,
  tlsOf,
} from "./server-settings.ts";
import { ConfigError, type Environment, type Setting, type Settings, warningsOf } from "./settings.ts";
import { bothOrAllErrors, explainListenError, startErrors } from "./start-errors.ts";
import { endOnCrash, endOnSignal, flushMs, stopOnSignal } from "./stopping.ts";

export interface ServerConfig extends ServerSettings {
  readonly NODE_ENV: string;
}

/** The options of pino that every server uses. */
interface LogOptions {
  readonly level: string;
  readonly base: null;
  readonly mixin?: () => object;
}

/** The part of pino-pretty that makes lines readable. */
interface PinoPretty {
  readonly prettyFactory: (options: {
    readonly colorize: boolean;
    readonly singleLine: boolean;
    readonly translateTime: string;
  }) => LogFormat;
}

export interface Service<Config extends ServerConfig, Logger extends Log> {
  /** Makes pino's logger, or one that writes lines of the same form. */
  readonly createLog: (options: LogOptions, destination: Pick<LogDestination, "write">) => Logger;
  /** The first line of `--help`. */
  readonly purpose: string;
  /** How the user called the program. */
  readonly commandLine: string;
  readonly start: (program: Program<Config, Logger>) => Started | Promise<Started>;
  /** Default: `defaultSettings`. */
  readonly settings?: SettingsOf<Config>;
  /** Default: reads `settings`. @throws ConfigError */
  readonly readConfig?: (environment: Environment) => Config;
  /** Loads pino-pretty, for readable lines. Rejects if it is not installed. */
  readonly loadPretty?: () => Promise<PinoPretty>;
  /** In development, the script of the reference page is written to this folder when the page is opened first. */
  readonly docsAssets?:
    | { readonly folder: string; readonly fetch: (folder: string) => Promise<string> }
    | undefined;
  /** Writes this script, with `--assets DIR`. Default: `npx specbind docs`. */
  readonly docsCommand?: string;
  /** Called if METRICS_PORT is set. */
  readonly createMetrics?: (policy: ResponsePolicy) => Promise<Metrics>;
  /** Called if a collector is set. */
  readonly startTracing?: (options: Pick<TracingOptions, "sampledShare" | "onError">) => Promise<Tracing>;
  /** The responses to requests that are not HTTP. Default: problem details (RFC 9457). */
  readonly reject?: ListenOptions["reject"];
  readonly errorCodeOf?: (body: unknown) => string | undefined;
  /** Fields of the log line of a server that listens. */
  readonly about?: Readonly<Record<string, string>>;
}

/** What a service can use. */
export interface Program<Config extends ServerConfig = DefaultConfig, Logger extends Log = Log> {
  readonly config: Config;
  readonly log: Logger;
  /** Writes a line of the log. */
  readonly write: (line: string) => void;
  readonly metrics: Metrics | undefined;
  readonly tracing: Tracing | undefined;
  readonly findScript: DocsPage["findScript"];
  readonly isProduction: boolean;
  /** True if `specbind dev` restarted the program, so that hints were printed before. */
  readonly isRestart: boolean;
  /** False after a signal to stop. */
  readonly isReady: () => boolean;
}

export interface Started {
  readonly app: Parameters<typeof listen>[0];
  readonly onListening?: (url: string) => Promise<void>;
  readonly onStopping?: () => void;
  /** Called when all requests have ended. */
  readonly close?: () => Promise<unknown>;
}

/** The memory for log lines that are not yet written. It is enough for about twenty thousand lines. */
const maxLogBytes = 4 * 1024 * 1024;

/** Ends the process with status 1 if the server cannot start, and with 2 if a setting is wrong. */
export async function serve<Config extends ServerConfig = DefaultConfig, Logger extends Log = Log>(
  service: Service<Config, Logger>,
): Promise<void> {
  let output: LogDestination | undefined;
  try {
    await main(complete(service), (destination) => {
      output = destination;
    });
  } catch (error) {
    await output?.flush(flushMs);
    if (error instanceof ConfigError) {
      process.stderr.write(`${error.message}\nTry: ${service.commandLine} --help\n`);
      process.exit(2);
    }
    for (const line of startErrors(error)) process.stderr.write(`could not start: ${line}\n`);
    process.exit(1);
  }
}

/** The service with a default for everything that it leaves out. */
function complete<Config extends ServerConfig, Logger extends Log>(
  service: Service<Config, Logger>,
): Required<Service<Config, Logger>> {
  // Without settings, the type parameter has its default.
  const settings = service.settings ?? (defaultSettings as unknown as SettingsOf<Config>);
  return {
    settings,
    readConfig: (environment) => readServerConfig(settings, environment),
    loadPretty: () => Promise.reject(new Error("pino-pretty is not passed in")),
    docsAssets: undefined,
    docsCommand: "npx specbind docs",
    createMetrics: () => missing("METRICS_PORT", "createMetrics"),
    startTracing: () => missing("OTEL_EXPORTER_OTLP_ENDPOINT", "startTracing"),
    reject: errorResponses({ operations: {} }),
    errorCodeOf: codeOfProblem,
    about: {},
    ...service,
  };
}

function missing(setting: string, option: keyof Service<ServerConfig, Log>): never {
  throw new ConfigError([`${setting} needs the option ${option} of serve`]);
}

async function main<Config extends ServerConfig, Logger extends Log>(
  service: Required<Service<Config, Logger>>,
  onOutput: (output: LogDestination) => void,
): Promise<void> {
  const args = process.argv.slice(2);
  if (args.includes("--help")) {
    process.stdout.write(helpOf(service));
    return;
  }
  const [argument] = args;
  if (argument !== undefined) {
    const variable = nearestWord(argument, Object.keys(service.settings));
    const fix =
      variable === undefined ? "settings are variables such as PORT" : `set the variable ${variable}`;
    throw new ConfigError([`unexpected argument ${JSON.stringify(argument)}; ${fix}`]);
  }
  endOnSignal();
  readEnvironmentFile(".env", process.env);
  const config = service.readConfig(process.env);
  const metrics =
    config.METRICS_PORT === undefined ? undefined : await service.createMetrics(config.RESPONSE_VALIDATION);
  let tracing: Tracing | undefined;
  const output = createLogDestination({
    stream: standardOutput(),
    format: await formatOf(config, service),
    maxWaitingBytes: maxLogBytes,
    onLost: () => metrics?.logLineLost(),
    onRoom: (lines) => log.warn({ lines }, "log lines were lost because their reader was too slow"),
  });
  const log = service.createLog(
    {
      level: config.LOG_LEVEL,
      base: null,
      ...(isTraced(config) && { mixin: () => tracing?.logFields() ?? {} }),
    },
    output,
  );
  onOutput(output);
  endOnCrash(log, output);
  for (const { variable, warning } of warningsOf(service.settings, process.env))
    log.warn({ variable }, warning);
  const isProduction = config.NODE_ENV === "production";
  if (isProduction && process.env.NODE_ENV !== "production")
    log.warn("NODE_ENV is not production, development or test; it counts as production");
  if (isTraced(config))
    tracing = await service.startTracing({
      sampledShare: config.OTEL_TRACES_SAMPLER_ARG,
      onError: (message, count) => log.warn({ fault: message, faults: count }, "traces could not be sent"),
    });
  const { folder, fetch } = service.docsAssets ?? {};
  const findScript = scriptFinder(config.DOCS_ASSETS ?? folder, fetch, service.docsCommand, log);
  const isRestart = process.env.SPECBIND_RESTART !== undefined;
  let isReady = true;
  const program = {
    ...{ config, log, write: output.write, metrics, tracing, findScript, isProduction, isRestart },
    isReady: () => isReady,
  };
  const { app, onListening, onStopping, close } = await service.start(program);
  const { server, metricsServer } = await listenBoth(app, config, service, program);
  const stopping = () => {
    isReady = false;
    onStopping?.();
  };
  const closeAll = () => Promise.all([close?.(), tracing?.stop()]).finally(() => metricsServer?.close());
  stopOnSignal({ server, onStopping: stopping, close: closeAll, log, output }, config);
  log.info(
    {
      ...service.about,
      url: server.url,
      ...(config.DOCS && { docs: `${server.url}/docs` }),
      ...(metricsServer && { metrics: metricsServer.url }),
    },
    "listening",
  );
  await onListening?.(server.url);
  if (config.DOCS && fetch === undefined && !isRestart) await findScript();
}

async function listenBoth(
  app: Started["app"],
  config: ServerConfig,
  { reject, errorCodeOf }: Required<Pick<Service<ServerConfig, Log>, "reject" | "errorCodeOf">>,
  { metrics, log }: Pick<Program, "metrics" | "log">,
) {
  const options: ListenOptions = {
    host: config.HOST,
    port: config.PORT,
    limits: {
      maxHeaderBytes: config.MAX_HEADER_BYTES,
      maxConnections: config.MAX_CONNECTIONS,
      headerMs: config.HEADER_SECONDS * 1000,
      requestMs: config.REQUEST_SECONDS * 1000,
      keepAliveMs: config.KEEP_ALIVE_SECONDS * 1000,
      responseMs: config.RESPONSE_SECONDS * 1000,
    },
    reject,
    onMalformed: (exchange: SettledExchange) => {
      metrics?.settled(exchange, errorCodeOf(exchange.response.body));
      log.info({ request_id: exchange.requestId, status: exchange.reply.status }, "rejected malformed HTTP");
    },
    onDropped: () => metrics?.dropped(),
  };
  const metricsHost = config.METRICS_HOST ?? config.HOST;
  const [metricsServer, server] = await bothOrAllErrors(
    explainListenError(
      metrics
        ? metrics.serve({ ...options, host: metricsHost, port: config.METRICS_PORT ?? 0 })
        : Promise.resolve(undefined),
      { host: config.METRICS_HOST === undefined ? "HOST" : "METRICS_HOST", port: "METRICS_PORT" },
    ),
    explainListenError(listen(app, { ...options, tls: tlsOf(config) }), { host: "HOST", port: "PORT" }),
  );
  return { server, metricsServer };
}

function helpOf({
  purpose,
  commandLine,
  settings,
}: Pick<Service<ServerConfig, Log>, "purpose" | "commandLine"> & { readonly settings: Settings }): string {
  const longestName = Math.max(...Object.keys(settings).map((name) => name.length));
  const lines = Object.entries<Setting>(settings).map(
    ([name, { meaning, fallback }]) =>
      `  ${name.padEnd(longestName)} ${meaning}${fallback ? ` (${fallback})` : ""}`,
  );
  return `${purpose}

Usage: ${commandLine} [--help]

Settings (environment variables, or lines NAME=VALUE in the file .env):

${lines.join("\n")}

Exit status: 0 stopped by a signal, 1 could not start, crashed or was stopped while requests were open, 2 a setting is wrong.
`;
}

async function formatOf(
  { LOG_FORMAT, NODE_ENV }: ServerConfig,
  { loadPretty }: Required<Pick<Service<ServerConfig, Log>, "loadPretty">>,
): Promise<LogFormat | undefined> {
  const isTerminal = process.stdout.isTTY;
  if (LOG_FORMAT === "json") return undefined;
  if (LOG_FORMAT === undefined && (NODE_ENV === "production" || !isTerminal)) return undefined;
  const pretty = await loadPretty().catch(() => undefined);
  if (pretty === undefined && LOG_FORMAT === "pretty")
    throw new ConfigError([
      "LOG_FORMAT can only be pretty if the development packages are installed (npm ci --include=dev)",
    ]);
  const colorize = isTerminal && !process.env.NO_COLOR;
  return pretty?.prettyFactory({ colorize, singleLine: true, translateTime: "SYS:HH:MM:ss.l" });
}

function isTraced(config: ServerConfig): boolean {
  const endpoint = config.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ?? config.OTEL_EXPORTER_OTLP_ENDPOINT;
  return endpoint !== undefined && !config.OTEL_SDK_DISABLED;
}
