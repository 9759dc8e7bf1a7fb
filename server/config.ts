/** The settings: what each is called, what it means, its default, and how its text is read. */
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
  readonly shutdownSeconds: number;
  /** No demo tenant is ever made in production. */
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
  shutdownSeconds: {
    name: "SHUTDOWN_SECONDS",
    fallback: "10",
    meaning: "How long open requests may take after SIGTERM, in seconds",
    read: wholeNumber(0, 3600),
  },
  production: {
    name: "NODE_ENV",
    fallback: "",
    meaning: "`production` never makes a demo tenant",
    read: (text: string) => text === "production",
  },
} satisfies { readonly [Key in keyof Config]: Setting<Config[Key]> };

/**
 * @param environment such as `process.env`; an empty variable counts as unset
 * @throws ConfigError with a line for every bad variable
 */
export function readConfig(environment: Readonly<Record<string, string | undefined>>): Config {
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
  const values = Object.fromEntries(
    Object.entries<Setting<unknown>>(settings).map(([key, setting]) => [key, read(setting)]),
  );
  // settings has a reader of the right type for every key of Config; where one failed, nobody gets to see the value.
  const config = Object.freeze(values) as Config;
  if (config.refreshKeySeconds < config.authKeySeconds) {
    faults.push(`${settings.refreshKeySeconds.name} must not be less than ${settings.authKeySeconds.name}`);
  }
  if (faults.length > 0) throw new ConfigError(faults);
  return config;
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
