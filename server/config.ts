import { availableParallelism } from "node:os";
import {
  ConfigError,
  type Environment,
  exactOrigins,
  nonEmpty,
  oneOf,
  optional,
  origins,
  problemsOfServer,
  readSettings,
  SettingError,
  type Settings,
  secretKeys,
  serverSettings,
  type ValuesOf,
  wholeNumber,
} from "#specbind/server/settings";

export { ConfigError };

export const settings = {
  ...serverSettings,
  DATABASE_URL: {
    fallback: "file:data/commerce.db",
    meaning: "Database: `file:PATH` for SQLite, `postgres://USER:PASSWORD@HOST/DATABASE` for PostgreSQL",
    file: "DATABASE_URL_FILE",
    read: databaseUrl,
  },
  DATABASE_URL_FILE: {
    meaning: "Path of a file that has the value of `DATABASE_URL`. Set only one of the two",
    read: optional(nonEmpty),
  },
  DATABASE_CREATE: {
    fallback: "if-missing",
    meaning:
      "Whether a new database is created if the SQLite file is missing or empty: `if-missing` creates it, `never` reports an error",
    read: oneOf("if-missing", "never"),
  },
  DATABASE_POOL_SIZE: {
    fallback: "10",
    meaning: "Maximum number of connections to PostgreSQL per process, in addition to one for `/readyz`",
    read: wholeNumber(1, 1000),
  },
  CORS_ORIGINS: {
    meaning:
      "Origins whose pages may call the operations for publishable keys, such as `https://shop.example`, separated by commas. `*` means every origin",
    read: origins,
  },
  CORS_SECRET_ORIGINS: {
    meaning:
      "Origins of internal pages that may also call the operations for secret keys, such as `https://office.example`, separated by commas. Everyone who can open such a page can read its key. `*` is rejected",
    read: exactOrigins,
  },
  COMMON_PASSWORDS: {
    fallback: "reject",
    meaning:
      "Whether the command line accepts a new password that is on a list of the most common ones: `reject` or `accept`",
    read: oneOf("reject", "accept"),
  },
  DEFINITIONS_PER_TENANT: {
    meaning: "Maximum number of commission definitions of a tenant. If it is empty, there is no limit",
    read: optional(wholeNumber(1, 1_000_000_000)),
  },
  AUTH_KEY_SECONDS: {
    fallback: "3600",
    meaning: "Lifetime of a session's `auth_key`, in seconds",
    read: wholeNumber(1, 31_536_000),
  },
  REFRESH_KEY_SECONDS: {
    fallback: "2592000",
    meaning: "Lifetime of a session's `refresh_key`, in seconds",
    read: wholeNumber(1, 31_536_000),
  },
  SESSIONS_PER_USER: {
    fallback: "50",
    meaning:
      "Maximum number of sessions per user. Each `uuid` has one session. A login above the limit ends the oldest session",
    read: wholeNumber(1, 10_000),
  },
  LOGIN_ATTEMPTS_PER_ACCOUNT: {
    fallback: "10",
    meaning: "Failed logins that an account may have in a window",
    read: wholeNumber(1, 1_000_000),
  },
  LOGIN_ATTEMPTS_PER_ADDRESS: {
    fallback: "100",
    meaning: "Failed logins that an address may have in a window, for each tenant",
    read: wholeNumber(1, 1_000_000),
  },
  LOGIN_FAILURES_PER_TENANT: {
    fallback: "300",
    meaning:
      "Failed logins of a tenant in a window, on one replica. If a tenant has more, a log line and a metric report it, and logins of other tenants are handled first",
    read: wholeNumber(1, 1_000_000),
  },
  LOGIN_WINDOW_SECONDS: {
    fallback: "900",
    meaning: "Length of the window in which failed logins are counted, in seconds",
    read: wholeNumber(1, 86_400),
  },
  TOTP_ATTEMPTS_PER_DAY: {
    fallback: "20",
    meaning:
      "Wrong TOTP codes that an account may have per day, with the correct password. A correct code resets the count",
    read: wholeNumber(1, 1000),
  },
  TOTP_SECRET_KEYS: {
    meaning:
      "Keys that encrypt TOTP secrets, each of 32 bytes in Base64, separated by commas. The first key encrypts, all keys decrypt",
    file: "TOTP_SECRET_KEYS_FILE",
    read: secretKeys,
  },
  TOTP_SECRET_KEYS_FILE: {
    meaning: "Path of a file that has the value of `TOTP_SECRET_KEYS`. Set only one of the two",
    read: optional(nonEmpty),
  },
  PASSWORD_CONCURRENCY: {
    meaning:
      "Maximum number of passwords that are hashed at the same time, each in 19 MiB. It must be less than twice `UV_THREADPOOL_SIZE` (4). The default is the number of processors minus one, from 1 to 3",
    read: passwordConcurrency,
  },
  PASSWORD_QUEUE: {
    fallback: "50",
    meaning:
      "Maximum number of logins that wait until their password is hashed. If more wait, the newest login of the busiest caller of the busiest tenant gets 503",
    read: wholeNumber(0, 10_000),
  },
  NODE_ENV: {
    meaning:
      "With `production`, no demo tenant is created, and MFA cannot be enabled without `TOTP_SECRET_KEYS`. If it is set, every value except `development` and `test` counts as `production`",
    read: (text: string) => (["", "development", "test"].includes(text) ? "development" : "production"),
  },
} satisfies Settings;

export type Config = ValuesOf<typeof settings>;

/** @throws ConfigError with a line for each invalid variable */
export function readConfig(environment: Environment): Config {
  const { values, problems } = readSettings(settings, environment);
  if (values.REFRESH_KEY_SECONDS < values.AUTH_KEY_SECONDS)
    problems.push("REFRESH_KEY_SECONDS must not be less than AUTH_KEY_SECONDS");
  problems.push(...problemsOfServer(values));
  const threads = Number(environment.UV_THREADPOOL_SIZE) || defaultThreads;
  if (values.PASSWORD_CONCURRENCY >= 2 * threads) {
    problems.push(
      `PASSWORD_CONCURRENCY must be less than twice UV_THREADPOOL_SIZE, which is ${threads}, so that file access and DNS lookups do not wait long for a thread`,
    );
  }
  if (problems.length > 0) throw new ConfigError(problems);
  return values;
}

/** @throws ConfigError with a line for each invalid variable */
export function readSome<Name extends keyof Config>(
  environment: Environment,
  ...names: Name[]
): Pick<Config, Name> {
  const { values, problems } = readSettings(settings, environment, names);
  if (problems.length > 0) throw new ConfigError(problems);
  return values;
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
  if (/^\.{0,2}\/[\w./-]+$|^[\w./-]+\.(?:db|sqlite3?)$/.test(text))
    throw new SettingError(`must be file:${text}`);
  if (!/^(file:|postgres(ql)?:\/\/)./.test(text)) {
    throw new SettingError(
      "must be file:PATH, such as file:data/commerce.db, or postgres://USER:PASSWORD@HOST/DATABASE",
    );
  }
  if (/^postgres(ql)?:\/\/(.*#|[^@?]*[/?].*@)/s.test(text))
    throw new SettingError("must be percent-encoded: in a password, write # as %23, / as %2F and ? as %3F");
  if (/^file:.*[?#]/s.test(text)) {
    throw new SettingError(
      "must be file:PATH without ? and #, because options such as ?mode=ro are not supported",
    );
  }
  return text;
}
