/** The settings of this service: name, meaning, default and parser. */
import {
  ConfigError,
  type Environment,
  nonEmpty,
  oneOf,
  optional,
  readSettings,
  SettingError,
  type Settings,
  type ValuesOf,
  wholeNumber,
} from "#specbind/server/settings";

export const settings = {
  HOST: {
    fallback: "127.0.0.1",
    meaning: "Address to listen on. 0.0.0.0 or :: means all interfaces",
    read: nonEmpty,
  },
  PORT: {
    fallback: "3000",
    meaning: "Port to listen on. 0 lets the system choose one",
    read: wholeNumber(0, 65_535),
  },
  LOG_LEVEL: {
    fallback: "info",
    meaning: "Lowest level that is logged: trace, debug, info, warn, error, fatal or silent",
    read: oneOf("trace", "debug", "info", "warn", "error", "fatal", "silent"),
  },
  RESPONSE_VALIDATION: {
    fallback: "enforce",
    meaning:
      "What happens to a response that violates the spec: enforce returns 500, report only logs it, off skips the check",
    read: oneOf("enforce", "report", "off"),
  },
  DOCS_ASSETS: {
    meaning: "Folder with the script of /docs, written by `npm run docs -- --assets DIR`",
    read: optional(nonEmpty),
  },
  MAX_CONTENT_BYTES: {
    fallback: "1048576",
    meaning: "Largest request body, in bytes",
    read: wholeNumber(1, 1_000_000_000),
  },
  SHUTDOWN_DELAY_SECONDS: {
    fallback: "0",
    meaning: "How long requests are still accepted after SIGTERM",
    read: wholeNumber(0, 300),
  },
  SHUTDOWN_SECONDS: {
    fallback: "10",
    meaning: "Time limit for open requests after that",
    read: wholeNumber(0, 300),
  },
  DEVELOPMENT_KEY: {
    meaning:
      "A credential that may call every operation. Use it until server/principal.ts looks up credentials",
    read: optional(longEnough),
  },
  NODE_ENV: {
    meaning: "With production, DEVELOPMENT_KEY is rejected",
    read: (text: string) => text,
  },
} satisfies Settings;

export type Config = ValuesOf<typeof settings>;

/** An empty variable is treated as unset. @throws ConfigError with a line for every invalid variable */
export function readConfig(environment: Environment): Config {
  const { values, problems } = readSettings(settings, environment);
  if (values.NODE_ENV === "production" && values.DEVELOPMENT_KEY !== undefined)
    problems.push("DEVELOPMENT_KEY gives access to every operation; remove it if NODE_ENV is production");
  if (problems.length > 0) throw new ConfigError(problems);
  return values;
}

/** The message does not repeat the value, because it is secret. */
function longEnough(text: string): string {
  if (text.length < 8) throw new SettingError("must have at least 8 characters");
  return text;
}
