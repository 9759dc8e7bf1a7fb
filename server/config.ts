import { availableParallelism } from "node:os";
import {
  addressRanges,
  exactOrigins,
  httpUrl,
  nonEmpty,
  oneOf,
  optional,
  origins,
  SettingError,
  secretKeys,
  share,
  wholeNumber,
} from "./setting-readers.ts";
import {
  ConfigError,
  type Misspelling,
  misspeltIn,
  readSettings,
  type Setting,
  type ValuesOf,
} from "./settings.ts";

export { ConfigError };

export const settings = {
  host: {
    name: "HOST",
    fallback: "127.0.0.1",
    meaning: "Address to listen on. `0.0.0.0` or `::` means all interfaces",
    read: nonEmpty,
  },
  port: {
    name: "PORT",
    fallback: "3000",
    meaning: "Port to listen on. 0 lets the system choose one",
    read: wholeNumber(0, 65_535),
  },
  databaseUrl: {
    name: "DATABASE_URL",
    fallback: "file:data/commerce.db",
    meaning: "Database: `file:PATH` for SQLite, `postgres://USER:PASSWORD@HOST/DATABASE` for PostgreSQL",
    file: "DATABASE_URL_FILE",
    read: databaseUrl,
  },
  databaseUrlFile: {
    name: "DATABASE_URL_FILE",
    fallback: "",
    meaning: "Path of a file that has the value of `DATABASE_URL`. Set only one of the two",
    read: optional(nonEmpty),
  },
  databaseCreate: {
    name: "DATABASE_CREATE",
    fallback: "if-missing",
    meaning:
      "Whether a new database is created if the SQLite file is missing or empty: `if-missing` creates it, `never` reports an error",
    read: oneOf("if-missing", "never"),
  },
  databasePoolSize: {
    name: "DATABASE_POOL_SIZE",
    fallback: "10",
    meaning: "Maximum number of connections to PostgreSQL per process, in addition to one for `/readyz`",
    read: wholeNumber(1, 1000),
  },
  logLevel: {
    name: "LOG_LEVEL",
    fallback: "info",
    meaning: "Lowest level that is logged: `trace`, `debug`, `info`, `warn`, `error`, `fatal` or `silent`",
    read: oneOf("trace", "debug", "info", "warn", "error", "fatal", "silent"),
  },
  logFormat: {
    name: "LOG_FORMAT",
    fallback: "",
    meaning:
      "Format of the log: `json`, or `pretty` for readable lines. The default is `pretty` in a terminal outside production, and `json` otherwise",
    read: optional(oneOf("json", "pretty")),
  },
  corsOrigins: {
    name: "CORS_ORIGINS",
    fallback: "",
    meaning:
      "Origins whose pages may call the operations for publishable keys, such as `https://shop.example`, separated by commas. `*` means every origin",
    read: origins,
  },
  corsSecretOrigins: {
    name: "CORS_SECRET_ORIGINS",
    fallback: "",
    meaning:
      "Origins of internal pages that may also call the operations for secret keys, such as `https://office.example`, separated by commas. Everyone who can open such a page can read its key. `*` is rejected",
    read: exactOrigins,
  },
  trustedProxies: {
    name: "TRUSTED_PROXIES",
    fallback: "",
    meaning:
      "Addresses and ranges of the proxies whose `X-Forwarded-For` is trusted, such as `10.0.0.0/8`, separated by commas",
    read: addressRanges,
  },
  responseValidation: {
    name: "RESPONSE_VALIDATION",
    fallback: "enforce",
    meaning:
      "What happens to a response that violates the spec: `enforce` returns 500, `report` only logs it, `off` skips the check",
    read: oneOf("enforce", "report", "off"),
  },
  docs: {
    name: "DOCS",
    fallback: "on",
    meaning: "`off` removes `/docs`, the reference page. `/openapi.json` stays",
    read: (text: string) => oneOf("on", "off")(text) === "on",
  },
  definitionsPerTenant: {
    name: "DEFINITIONS_PER_TENANT",
    fallback: "",
    meaning: "Maximum number of commission definitions of a tenant. If it is empty, there is no limit",
    read: optional(wholeNumber(1, 1_000_000_000)),
  },
  metricsPort: {
    name: "METRICS_PORT",
    fallback: "",
    meaning: "Port of `/metrics`, for Prometheus. If it is empty, nothing is measured",
    read: optional(wholeNumber(0, 65_535)),
  },
  metricsHost: {
    name: "METRICS_HOST",
    fallback: "",
    meaning: "Address to listen on for `/metrics`. If it is empty, `HOST` is used",
    read: optional(nonEmpty),
  },
  maxContentBytes: {
    name: "MAX_CONTENT_BYTES",
    fallback: "65536",
    meaning: "Largest request body, in bytes",
    read: wholeNumber(1, 16_777_216),
  },
  maxHeaderBytes: {
    name: "MAX_HEADER_BYTES",
    fallback: "16384",
    meaning: "Largest request line and header together, in bytes",
    read: wholeNumber(1024, 1_048_576),
  },
  maxConnections: {
    name: "MAX_CONNECTIONS",
    fallback: "10000",
    meaning: "Maximum number of open connections. Further connections are closed immediately",
    read: wholeNumber(1, 1_000_000),
  },
  headerSeconds: {
    name: "HEADER_SECONDS",
    fallback: "10",
    meaning: "Time limit for the header of a request to arrive, in seconds",
    read: wholeNumber(1, 3600),
  },
  requestSeconds: {
    name: "REQUEST_SECONDS",
    fallback: "30",
    meaning: "Time limit for a whole request to arrive, in seconds",
    read: wholeNumber(1, 3600),
  },
  keepAliveSeconds: {
    name: "KEEP_ALIVE_SECONDS",
    fallback: "65",
    meaning:
      "How long an idle connection stays open, in seconds. It must be longer than the proxy's limit, which is often 60",
    read: wholeNumber(1, 3600),
  },
  answerSeconds: {
    name: "ANSWER_SECONDS",
    fallback: "30",
    meaning: "Time limit for a caller to read a response, in seconds",
    read: wholeNumber(1, 3600),
  },
  authKeySeconds: {
    name: "AUTH_KEY_SECONDS",
    fallback: "3600",
    meaning: "Lifetime of a session's `auth_key`, in seconds",
    read: wholeNumber(1, 31_536_000),
  },
  refreshKeySeconds: {
    name: "REFRESH_KEY_SECONDS",
    fallback: "2592000",
    meaning: "Lifetime of a session's `refresh_key`, in seconds",
    read: wholeNumber(1, 31_536_000),
  },
  sessionsPerUser: {
    name: "SESSIONS_PER_USER",
    fallback: "50",
    meaning:
      "Maximum number of sessions per user. Each `uuid` has one session. A login above the limit ends the oldest session",
    read: wholeNumber(1, 10_000),
  },
  loginAttemptsPerAccount: {
    name: "LOGIN_ATTEMPTS_PER_ACCOUNT",
    fallback: "10",
    meaning: "Failed logins that an account may have in a window",
    read: wholeNumber(1, 1_000_000),
  },
  loginAttemptsPerAddress: {
    name: "LOGIN_ATTEMPTS_PER_ADDRESS",
    fallback: "100",
    meaning: "Failed logins that an address may have in a window, for each tenant",
    read: wholeNumber(1, 1_000_000),
  },
  loginFailuresPerTenant: {
    name: "LOGIN_FAILURES_PER_TENANT",
    fallback: "300",
    meaning:
      "Failed logins of a tenant in a window, on one replica. If a tenant has more, a log line and a metric report it, and logins of other tenants are handled first",
    read: wholeNumber(1, 1_000_000),
  },
  loginWindowSeconds: {
    name: "LOGIN_WINDOW_SECONDS",
    fallback: "900",
    meaning: "Length of the window in which failed logins are counted, in seconds",
    read: wholeNumber(1, 86_400),
  },
  totpAttemptsPerDay: {
    name: "TOTP_ATTEMPTS_PER_DAY",
    fallback: "20",
    meaning:
      "Wrong TOTP codes that an account may have per day, with the correct password. A correct code resets the count",
    read: wholeNumber(1, 1000),
  },
  totpSecretKeys: {
    name: "TOTP_SECRET_KEYS",
    fallback: "",
    meaning:
      "Keys that encrypt TOTP secrets, each of 32 bytes in Base64, separated by commas. The first key encrypts, all keys decrypt",
    file: "TOTP_SECRET_KEYS_FILE",
    read: secretKeys,
  },
  totpSecretKeysFile: {
    name: "TOTP_SECRET_KEYS_FILE",
    fallback: "",
    meaning: "Path of a file that has the value of `TOTP_SECRET_KEYS`. Set only one of the two",
    read: optional(nonEmpty),
  },
  passwordConcurrency: {
    name: "PASSWORD_CONCURRENCY",
    fallback: "",
    meaning:
      "Maximum number of passwords that are hashed at the same time, each in 19 MiB. It must be less than twice `UV_THREADPOOL_SIZE` (4). The default is the number of processors minus one, from 1 to 3",
    read: passwordConcurrency,
  },
  passwordQueue: {
    name: "PASSWORD_QUEUE",
    fallback: "50",
    meaning:
      "Maximum number of logins that wait until their password is hashed. If more wait, the newest login from the busiest address of the busiest tenant gets 503",
    read: wholeNumber(0, 10_000),
  },
  shutdownSeconds: {
    name: "SHUTDOWN_SECONDS",
    fallback: "10",
    meaning: "Time limit for open requests after SIGTERM and `SHUTDOWN_DELAY_SECONDS`, in seconds",
    read: wholeNumber(0, 3600),
  },
  shutdownDelaySeconds: {
    name: "SHUTDOWN_DELAY_SECONDS",
    fallback: "0",
    meaning:
      "How long requests are still accepted after SIGTERM, in seconds. Meanwhile `/readyz` returns 503, so that a load balancer notices",
    read: wholeNumber(0, 3600),
  },
  otlpEndpoint: {
    name: "OTEL_EXPORTER_OTLP_ENDPOINT",
    fallback: "",
    meaning:
      "URL of an OpenTelemetry collector, such as `http://127.0.0.1:4318`. Nothing is traced if this and the next setting are empty",
    read: optional(httpUrl),
  },
  otlpTracesEndpoint: {
    name: "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT",
    fallback: "",
    meaning:
      "Complete URL for traces, such as `http://127.0.0.1:4318/v1/traces`. It overrides `OTEL_EXPORTER_OTLP_ENDPOINT`",
    read: optional(httpUrl),
  },
  otlpProtocol: {
    name: "OTEL_EXPORTER_OTLP_PROTOCOL",
    fallback: "http/json",
    meaning: "Protocol of the collector. Only `http/json` is supported",
    read: oneOf("http/json"),
  },
  tracesSampler: {
    name: "OTEL_TRACES_SAMPLER",
    fallback: "parentbased_traceidratio",
    meaning:
      "Which requests are traced. Only `parentbased_traceidratio` is supported: the caller decides. If it does not, a share of the requests is traced",
    read: oneOf("parentbased_traceidratio"),
  },
  tracesSampledShare: {
    name: "OTEL_TRACES_SAMPLER_ARG",
    fallback: "1",
    meaning: "The share of requests that are traced if the caller does not decide, from 0 to 1",
    read: share,
  },
  tracesDisabled: {
    name: "OTEL_SDK_DISABLED",
    fallback: "false",
    meaning: "`true` disables traces",
    read: (text: string) => oneOf("true", "false")(text.toLowerCase()) === "true",
  },
  production: {
    name: "NODE_ENV",
    fallback: "",
    meaning:
      "With `production`, no demo tenant is created, and MFA cannot be enabled without `TOTP_SECRET_KEYS`. Every value except `development` and `test` counts as `production`",
    read: (text: string) => !["", "development", "test"].includes(text),
  },
} satisfies { readonly [key: string]: Setting<unknown> };

export type Config = ValuesOf<typeof settings>;

/** @throws ConfigError with a line for each invalid variable */
export function readConfig(environment: Readonly<Record<string, string | undefined>>): Config {
  const { values, problems } = readSettings<Config>(
    settings,
    environment,
    Object.keys(settings) as (keyof Config)[],
  );
  const config = Object.freeze(values);
  if (config.refreshKeySeconds < config.authKeySeconds) {
    problems.push(`${settings.refreshKeySeconds.name} must not be less than ${settings.authKeySeconds.name}`);
  }
  if (config.requestSeconds < config.headerSeconds) {
    problems.push(`${settings.requestSeconds.name} must not be less than ${settings.headerSeconds.name}`);
  }
  if (config.metricsPort !== undefined && config.metricsPort !== 0 && config.metricsPort === config.port) {
    problems.push(`${settings.metricsPort.name} must be another port than ${settings.port.name}`);
  }
  const threads = Number(environment.UV_THREADPOOL_SIZE) || defaultThreads;
  if (config.passwordConcurrency >= 2 * threads) {
    problems.push(
      `${settings.passwordConcurrency.name} must be less than twice UV_THREADPOOL_SIZE, which is ${threads}, so that file access and DNS lookups do not wait long for a thread`,
    );
  }
  if (problems.length > 0) throw new ConfigError(problems);
  return config;
}

/** @throws ConfigError with a line for each invalid variable */
export function readSome<Key extends keyof Config>(
  environment: Readonly<Record<string, string | undefined>>,
  ...keys: Key[]
): Pick<Config, Key> {
  const { values, problems } = readSettings<Config, Key>(settings, environment, keys);
  if (problems.length > 0) throw new ConfigError(problems);
  return values;
}

export function misspelt(environment: Readonly<Record<string, string | undefined>>): Misspelling[] {
  return misspeltIn(settings, environment);
}

/** Size of Node's thread pool, unless UV_THREADPOOL_SIZE is set. */
const defaultThreads = 4;

/** The default leaves one processor for the event loop, and one thread for file access and DNS lookups. */
function passwordConcurrency(text: string): number {
  if (text !== "") return wholeNumber(1, 1023)(text);
  return Math.max(1, Math.min(availableParallelism(), defaultThreads) - 1);
}

/** The message does not contain the URL, because it may contain a password. */
function databaseUrl(text: string): string {
  if (!/^(file:|postgres(ql)?:\/\/)./.test(text)) {
    throw new SettingError(
      "must be file:PATH, such as file:data/commerce.db, or postgres://USER:PASSWORD@HOST/DATABASE",
    );
  }
  if (/^file:.*[?#]/s.test(text)) {
    throw new SettingError(
      "must be file:PATH without ? and #, because options such as ?mode=ro are not supported",
    );
  }
  return text;
}
