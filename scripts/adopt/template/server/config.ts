/** The settings of this service: name, meaning, default and parser. */
import { nonEmpty, oneOf, optional, SettingError, wholeNumber } from "./setting-readers.ts";
import { ConfigError, readSettings, type Setting, type ValuesOf } from "./settings.ts";

export const settings = {
  host: {
    name: "HOST",
    fallback: "127.0.0.1",
    meaning: "Address to listen on. 0.0.0.0 or :: means all interfaces",
    read: nonEmpty,
  },
  port: {
    name: "PORT",
    fallback: "3000",
    meaning: "Port to listen on. 0 lets the system choose one",
    read: wholeNumber(0, 65_535),
  },
  logLevel: {
    name: "LOG_LEVEL",
    fallback: "info",
    meaning: "Lowest level that is logged: trace, debug, info, warn, error, fatal or silent",
    read: oneOf("trace", "debug", "info", "warn", "error", "fatal", "silent"),
  },
  responseValidation: {
    name: "RESPONSE_VALIDATION",
    fallback: "enforce",
    meaning:
      "What happens to a response that violates the spec: enforce returns 500, report only logs it, off skips the check",
    read: oneOf("enforce", "report", "off"),
  },
  maxContentBytes: {
    name: "MAX_CONTENT_BYTES",
    fallback: "1048576",
    meaning: "Largest request body, in bytes",
    read: wholeNumber(1, 1_000_000_000),
  },
  shutdownDelaySeconds: {
    name: "SHUTDOWN_DELAY_SECONDS",
    fallback: "0",
    meaning: "How long requests are still accepted after SIGTERM",
    read: wholeNumber(0, 300),
  },
  shutdownSeconds: {
    name: "SHUTDOWN_SECONDS",
    fallback: "10",
    meaning: "Time limit for open requests after that",
    read: wholeNumber(0, 300),
  },
  developmentKey: {
    name: "DEVELOPMENT_KEY",
    fallback: "",
    meaning:
      "A credential that may call every operation. Use it until server/principal.ts looks up credentials",
    read: optional(longEnough),
  },
  production: {
    name: "NODE_ENV",
    fallback: "",
    meaning: "With production, DEVELOPMENT_KEY is rejected",
    read: (text: string) => text === "production",
  },
} satisfies { readonly [key: string]: Setting<unknown> };

export type Config = ValuesOf<typeof settings>;

/** An empty variable is treated as unset. @throws ConfigError with a line for every invalid variable */
export function readConfig(environment: Readonly<Record<string, string | undefined>>): Config {
  const { values, problems } = readSettings<Config>(
    settings,
    environment,
    Object.keys(settings) as (keyof Config)[],
  );
  if (values.production && values.developmentKey !== undefined)
    problems.push("DEVELOPMENT_KEY gives access to every operation; remove it if NODE_ENV is production");
  if (problems.length > 0) throw new ConfigError(problems);
  return Object.freeze(values);
}

/** The message does not repeat the value, because it is secret. */
function longEnough(text: string): string {
  if (text.length < 8) throw new SettingError("must have at least 8 characters");
  return text;
}
