/** The settings: what each is called, what it means, its default, and how its text is read. */
import { availableParallelism } from "node:os";
import type { ResponsePolicy } from "./contract/check-response.ts";

export type Config = {
  readonly host: string;
  /** 0 lets the system choose. */
  readonly port: number;
  readonly databaseUrl: string;
  readonly databasePoolSize: number;
  readonly logLevel: string;
  readonly responseValidation: ResponsePolicy;
  readonly maxContentBytes: number;
  readonly authKeySeconds: number;
  readonly refreshKeySeconds: number;
  readonly loginAttemptsPerAccount: number;
  readonly loginAttemptsPerAddress: number;
  readonly loginWindowSeconds: number;
  readonly totpAttemptsPerDay: number;
  /** Of 32 bytes each; the first encrypts, all decrypt. */
  readonly totpSecretKeys: readonly Uint8Array[];
  readonly passwordConcurrency: number;
  readonly passwordQueue: number;
  readonly shutdownSeconds: number;
  /** There no demo tenant is ever made, and no TOTP secret is stored unencrypted. */
  readonly production: boolean;
};

interface Setting<Value> {
  readonly name: string;
  readonly fallback: string;
  readonly meaning: string;
  /** @throws SettingFault */
  readonly read: (text: string) => Value;
}

/** What is wrong with a setting's text, as the rest of a sentence that starts with the setting's name. */
class SettingFault extends Error {}

/** Every bad setting, a line each. */
export class ConfigError extends Error {
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    super(faults.join("\n"));
    this.name = "ConfigError";
    this.faults = faults;
  }
}

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
  responseValidation: {
    name: "RESPONSE_VALIDATION",
    fallback: "enforce",
    meaning:
      "What happens to a response that breaks the spec: `enforce` answers 500, `report` only logs, `off` skips the check",
    read: oneOf("enforce", "report", "off"),
  },
  maxContentBytes: {
    name: "MAX_CONTENT_BYTES",
    fallback: "65536",
    meaning: "Largest content of a request, in bytes",
    read: wholeNumber(1, 16_777_216),
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
  loginAttemptsPerAccount: {
    name: "LOGIN_ATTEMPTS_PER_ACCOUNT",
    fallback: "10",
    meaning: "Login attempts for one account in a window; a success starts anew",
    read: wholeNumber(1, 1_000_000),
  },
  loginAttemptsPerAddress: {
    name: "LOGIN_ATTEMPTS_PER_ADDRESS",
    fallback: "100",
    meaning: "Failed login attempts from one address in a window",
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
    meaning: "Most logins that wait for their password to be hashed; any more are answered 503 at once",
    read: wholeNumber(0, 10_000),
  },
  shutdownSeconds: {
    name: "SHUTDOWN_SECONDS",
    fallback: "10",
    meaning: "How long open requests may take after SIGTERM, in seconds",
    read: wholeNumber(0, 3600),
  },
  production: {
    name: "NODE_ENV",
    fallback: "",
    meaning: "`production` never makes a demo tenant, and enrols nobody in MFA without `TOTP_SECRET_KEYS`",
    read: (text: string) => text === "production",
  },
} satisfies { readonly [Key in keyof Config]: Setting<Config[Key]> };

/**
 * @param environment such as `process.env`; an empty variable counts as unset
 * @throws ConfigError with a line for every bad variable
 */
export function readConfig(environment: Readonly<Record<string, string | undefined>>): Config {
  const { values, faults } = readSettings(environment, Object.keys(settings) as (keyof Config)[]);
  const config = Object.freeze(values);
  if (config.refreshKeySeconds < config.authKeySeconds) {
    faults.push(`${settings.refreshKeySeconds.name} must not be less than ${settings.authKeySeconds.name}`);
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
  const { values, faults } = readSettings(environment, keys);
  if (faults.length > 0) throw new ConfigError(faults);
  return values;
}

function readSettings<Key extends keyof Config>(
  environment: Readonly<Record<string, string | undefined>>,
  keys: readonly Key[],
): { values: Pick<Config, Key>; faults: string[] } {
  const faults: string[] = [];
  const read = <Value>({ name, fallback, read }: Setting<Value>): Value | undefined => {
    try {
      return read(environment[name] || fallback);
    } catch (error) {
      if (!(error instanceof SettingFault)) throw error;
      faults.push(`${name} ${error.message}`);
      return undefined;
    }
  };
  const values = Object.fromEntries(keys.map((key) => [key, read<unknown>(settings[key])]));
  // settings has a reader of the right type for every key of Config; where one failed, nobody gets to see the value.
  return { values: values as Pick<Config, Key>, faults };
}

function nonEmpty(text: string): string {
  if (text.trim() === "") throw new SettingFault("must not be empty");
  return text;
}

/** The text is not repeated: the URL of a database server may carry a password. */
function databaseUrl(text: string): string {
  if (!/^(file:|postgres(ql)?:\/\/)./.test(text)) {
    throw new SettingFault(
      "must be of the form file:PATH, such as file:data/commerce.db, or postgres://USER:PASSWORD@HOST/DATABASE",
    );
  }
  return text;
}

/** The text is not repeated: it is secret. */
function secretKeys(text: string): readonly Uint8Array[] {
  const texts = text.split(",").map((key) => key.trim());
  const keys = text === "" ? [] : texts.map((key) => Buffer.from(key, "base64"));
  if (keys.some((key, n) => key.byteLength !== 32 || !/^[\w+/-]{43}=?$/.test(texts[n] ?? ""))) {
    throw new SettingFault(
      "must be keys of 32 bytes in Base64, with commas between them, such as `openssl rand -base64 32` makes",
    );
  }
  return keys;
}

/** Node's thread pool, unless UV_THREADPOOL_SIZE says otherwise. */
const defaultThreads = 4;

/** Unless set, leaves a processor to the event loop and a thread to files and host names. */
function passwordConcurrency(text: string): number {
  if (text !== "") return wholeNumber(1, 1023)(text);
  return Math.max(1, Math.min(availableParallelism(), defaultThreads) - 1);
}

function wholeNumber(least: number, most: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (!/^\d+$/.test(text) || value < least || value > most) {
      throw new SettingFault(`must be a whole number from ${least} to ${most}, not ${JSON.stringify(text)}`);
    }
    return value;
  };
}

function oneOf<const Choice extends string>(...choices: readonly Choice[]): (text: string) => Choice {
  return (text) => {
    const chosen = choices.find((choice) => choice === text);
    if (chosen === undefined) {
      throw new SettingFault(`must be one of ${choices.join(", ")}, not ${JSON.stringify(text)}`);
    }
    return chosen;
  };
}
