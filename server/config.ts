/** The settings of this service: what each is called, what it means, its default, and how its text is read. */
import { availableParallelism } from "node:os";
import {
  addressRanges,
  httpUrl,
  nonEmpty,
  oneOf,
  optional,
  origins,
  SettingFault,
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
    meaning: "Address to listen on; `0.0.0.0` or `::` for every interface",
    read: nonEmpty,
  },
  port: {
    name: "PORT",
    fallback: "3000",
    meaning: "Port to listen on; 0 lets the system choose one",
    read: wholeNumber(0, 65_535),
  },
  databaseUrl: {
    name: "DATABASE_URL",
    fallback: "file:data/commerce.db",
    meaning:
      "Where everything is stored: `file:PATH` for SQLite, `postgres://USER:PASSWORD@HOST/DATABASE` for PostgreSQL",
    read: databaseUrl,
  },
  databaseCreate: {
    name: "DATABASE_CREATE",
    fallback: "if-missing",
    meaning:
      "Whether a SQLite file that is missing or empty becomes a new database: `if-missing`, or `never`, which reports an error instead",
    read: oneOf("if-missing", "never"),
  },
  databasePoolSize: {
    name: "DATABASE_POOL_SIZE",
    fallback: "10",
    meaning: "Most connections to a PostgreSQL server that one process opens",
    read: wholeNumber(1, 1000),
  },
  logLevel: {
    name: "LOG_LEVEL",
    fallback: "info",
    meaning:
      "Least severe entry that is logged: `trace`, `debug`, `info`, `warn`, `error`, `fatal` or `silent`",
    read: oneOf("trace", "debug", "info", "warn", "error", "fatal", "silent"),
  },
  corsOrigins: {
    name: "CORS_ORIGINS",
    fallback: "",
    meaning:
      "Origins whose pages may call what a publishable key may call, such as `https://shop.example`, with commas between; `*` for every origin",
    read: origins,
  },
  trustedProxies: {
    name: "TRUSTED_PROXIES",
    fallback: "",
    meaning:
      "Addresses and ranges, such as `10.0.0.0/8`, of the proxies whose `X-Forwarded-For` is believed, with commas between",
    read: addressRanges,
  },
  responseValidation: {
    name: "RESPONSE_VALIDATION",
    fallback: "enforce",
    meaning:
      "What happens to a response that breaks the spec: `enforce` answers 500, `report` only logs, `off` skips the check",
    read: oneOf("enforce", "report", "off"),
  },
  metricsPort: {
    name: "METRICS_PORT",
    fallback: "",
    meaning: "Port of `/metrics`, for Prometheus; nothing is measured where it is empty",
    read: optional(wholeNumber(0, 65_535)),
  },
  metricsHost: {
    name: "METRICS_HOST",
    fallback: "",
    meaning: "Address to listen on for `/metrics`; that of `HOST` where it is empty",
    read: optional(nonEmpty),
  },
  maxContentBytes: {
    name: "MAX_CONTENT_BYTES",
    fallback: "65536",
    meaning: "Largest content of a request, in bytes",
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
    meaning: "Connections at a time; further ones are closed at once",
    read: wholeNumber(1, 1_000_000),
  },
  headerSeconds: {
    name: "HEADER_SECONDS",
    fallback: "10",
    meaning: "How long the header of a request may take to arrive, in seconds",
    read: wholeNumber(1, 3600),
  },
  requestSeconds: {
    name: "REQUEST_SECONDS",
    fallback: "30",
    meaning: "How long a whole request may take to arrive, in seconds",
    read: wholeNumber(1, 3600),
  },
  keepAliveSeconds: {
    name: "KEEP_ALIVE_SECONDS",
    fallback: "65",
    meaning:
      "How long an idle connection is kept, in seconds; longer than the proxy in front keeps it, most often 60",
    read: wholeNumber(1, 3600),
  },
  answerSeconds: {
    name: "ANSWER_SECONDS",
    fallback: "30",
    meaning: "How long a caller may take to read an answer, in seconds",
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
    meaning: "Most sessions of one user, one for each `uuid`; a login beyond them ends the oldest",
    read: wholeNumber(1, 10_000),
  },
  loginAttemptsPerAccount: {
    name: "LOGIN_ATTEMPTS_PER_ACCOUNT",
    fallback: "10",
    meaning: "Failed logins of one account in a window; a success starts anew",
    read: wholeNumber(1, 1_000_000),
  },
  loginAttemptsPerAddress: {
    name: "LOGIN_ATTEMPTS_PER_ADDRESS",
    fallback: "100",
    meaning: "Failed logins from one address to one tenant in a window",
    read: wholeNumber(1, 1_000_000),
  },
  loginFailuresPerTenant: {
    name: "LOGIN_FAILURES_PER_TENANT",
    fallback: "300",
    meaning:
      "Failed logins of one tenant in a window, for each replica, beyond which a log line and a metric tell of it and other tenants' logins go first",
    read: wholeNumber(1, 1_000_000),
  },
  loginWindowSeconds: {
    name: "LOGIN_WINDOW_SECONDS",
    fallback: "900",
    meaning: "Length of the window in which login attempts are counted, in seconds",
    read: wholeNumber(1, 86_400),
  },
  totpAttemptsPerDay: {
    name: "TOTP_ATTEMPTS_PER_DAY",
    fallback: "20",
    meaning: "Wrong TOTP codes for one account in a day, its password right; a success starts anew",
    read: wholeNumber(1, 1000),
  },
  totpSecretKeys: {
    name: "TOTP_SECRET_KEYS",
    fallback: "",
    meaning:
      "Keys of 32 bytes in Base64, with commas between them, that TOTP secrets are encrypted with: the first encrypts, all decrypt",
    read: secretKeys,
  },
  passwordConcurrency: {
    name: "PASSWORD_CONCURRENCY",
    fallback: "",
    meaning:
      "Most passwords that are hashed at once, each in 19 MiB; less than `UV_THREADPOOL_SIZE` (4). Unless set, one less than there are processors, from 1 to 3",
    read: passwordConcurrency,
  },
  passwordQueue: {
    name: "PASSWORD_QUEUE",
    fallback: "50",
    meaning:
      "Most logins that wait for their password to be hashed. Beyond them the newest of the tenant with most, and in it of the address with most, gets 503",
    read: wholeNumber(0, 10_000),
  },
  shutdownSeconds: {
    name: "SHUTDOWN_SECONDS",
    fallback: "10",
    meaning: "How long open requests may take after SIGTERM, in seconds",
    read: wholeNumber(0, 3600),
  },
  shutdownDelaySeconds: {
    name: "SHUTDOWN_DELAY_SECONDS",
    fallback: "0",
    meaning:
      "How long requests are still taken after SIGTERM while `/readyz` answers 503, in seconds: what a load balancer needs to notice",
    read: wholeNumber(0, 3600),
  },
  otlpEndpoint: {
    name: "OTEL_EXPORTER_OTLP_ENDPOINT",
    fallback: "",
    meaning:
      "URL of an OpenTelemetry collector, such as `http://127.0.0.1:4318`; nothing is traced where it is empty",
    read: optional(httpUrl),
  },
  otlpTracesEndpoint: {
    name: "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT",
    fallback: "",
    meaning: "The same for traces alone, the whole URL",
    read: optional(httpUrl),
  },
  otlpProtocol: {
    name: "OTEL_EXPORTER_OTLP_PROTOCOL",
    fallback: "http/json",
    meaning: "What the collector is spoken to in: `http/json`",
    read: oneOf("http/json"),
  },
  tracesSampler: {
    name: "OTEL_TRACES_SAMPLER",
    fallback: "parentbased_traceidratio",
    meaning:
      "Which requests are traced: `parentbased_traceidratio`, those whose caller says so, and a share of the rest",
    read: oneOf("parentbased_traceidratio"),
  },
  tracesSampledShare: {
    name: "OTEL_TRACES_SAMPLER_ARG",
    fallback: "1",
    meaning: "That share, from 0 to 1",
    read: share,
  },
  tracesDisabled: {
    name: "OTEL_SDK_DISABLED",
    fallback: "false",
    meaning: "`true` traces nothing",
    read: (text: string) => oneOf("true", "false")(text.toLowerCase()) === "true",
  },
  production: {
    name: "NODE_ENV",
    fallback: "",
    meaning: "`production` never makes a demo tenant, and enrols nobody in MFA without `TOTP_SECRET_KEYS`",
    read: (text: string) => text === "production",
  },
} satisfies { readonly [key: string]: Setting<unknown> };

export type Config = ValuesOf<typeof settings>;

/**
 * @param environment such as `process.env`; an empty variable counts as unset
 * @throws ConfigError with a line for every bad variable
 */
export function readConfig(environment: Readonly<Record<string, string | undefined>>): Config {
  const { values, faults } = readSettings<Config>(
    settings,
    environment,
    Object.keys(settings) as (keyof Config)[],
  );
  const config = Object.freeze(values);
  if (config.refreshKeySeconds < config.authKeySeconds) {
    faults.push(`${settings.refreshKeySeconds.name} must not be less than ${settings.authKeySeconds.name}`);
  }
  if (config.requestSeconds < config.headerSeconds) {
    faults.push(`${settings.requestSeconds.name} must not be less than ${settings.headerSeconds.name}`);
  }
  if (config.metricsPort !== undefined && config.metricsPort !== 0 && config.metricsPort === config.port) {
    faults.push(`${settings.metricsPort.name} must be another port than ${settings.port.name}`);
  }
  const threads = Number(environment.UV_THREADPOOL_SIZE) || defaultThreads;
  if (config.passwordConcurrency >= threads && threads > 1) {
    faults.push(
      `${settings.passwordConcurrency.name} must be less than UV_THREADPOOL_SIZE, which is ${threads}: files and host names need a thread too`,
    );
  }
  if (faults.length > 0) throw new ConfigError(faults);
  return config;
}

/**
 * Some of the settings.
 * @throws ConfigError with a line for every bad variable
 */
export function readSome<Key extends keyof Config>(
  environment: Readonly<Record<string, string | undefined>>,
  ...keys: Key[]
): Pick<Config, Key> {
  const { values, faults } = readSettings<Config, Key>(settings, environment, keys);
  if (faults.length > 0) throw new ConfigError(faults);
  return values;
}

/** @see misspeltIn */
export function misspelt(environment: Readonly<Record<string, string | undefined>>): Misspelling[] {
  return misspeltIn(settings, environment);
}

/** Node's thread pool, unless UV_THREADPOOL_SIZE says otherwise. */
const defaultThreads = 4;

/** Unless set, leaves a processor to the event loop and a thread to files and host names. */
function passwordConcurrency(text: string): number {
  if (text !== "") return wholeNumber(1, 1023)(text);
  return Math.max(1, Math.min(availableParallelism(), defaultThreads) - 1);
}

/** The text is not repeated: the URL of a database server may carry a password. */
function databaseUrl(text: string): string {
  if (!/^(file:|postgres(ql)?:\/\/)./.test(text)) {
    throw new SettingFault(
      "must be of the form file:PATH, such as file:data/commerce.db, or postgres://USER:PASSWORD@HOST/DATABASE",
    );
  }
  if (/^file:.*[?#]/s.test(text)) {
    throw new SettingFault(
      "must be file:PATH without ? and #: options such as ?mode=ro are not read, and a file of that name would be made",
    );
  }
  return text;
}
