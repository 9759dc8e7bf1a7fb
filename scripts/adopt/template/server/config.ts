/** The settings of this service: name, meaning, default and parser. */
import { nonEmpty, oneOf, optional, SettingError, wholeNumber } from "./setting-readers.ts";
import { ConfigError, readSettings, type Setting, type ValuesOf } from "./settings.ts";

export const settings = {
  host: {
    name: "HOST",
    fallback: "127.0.0.1",
    meaning: "Address to listen on; 0.0.0.0 or :: for every interface",
    read: nonEmpty,
  },
  port: {
    name: "PORT",
    fallback: "3000",
    meaning: "Port to listen on; 0 lets the system choose one",
    read: wholeNumber(0, 65_535),
  },
  logLevel: {
    name: "LOG_LEVEL",
    fallback: "info",
    meaning: "Least severe entry that is logged: trace, debug, info, warn, error, fatal or silent",
    read: oneOf("trace", "debug", "info", "warn", "error", "fatal", "silent"),
  },
  responseValidation: {
    name: "RESPONSE_VALIDATION",
    fallback: "enforce",
    meaning:
      "What happens to a response that breaks the spec: enforce answers 500, report only logs, off skips the check",
    read: oneOf("enforce", "report", "off"),
  },
  maxContentBytes: {
    name: "MAX_CONTENT_BYTES",
    fallback: "1048576",
    meaning: "Largest content of a request, in bytes",
    read: wholeNumber(1, 1_000_000_000),
  },
  shutdownDelaySeconds: {
    name: "SHUTDOWN_DELAY_SECONDS",
    fallback: "0",
    meaning: "How long connections are still taken after a signal to stop",
    read: wholeNumber(0, 300),
  },
  shutdownSeconds: {
    name: "SHUTDOWN_SECONDS",
    fallback: "10",
    meaning: "How long open requests may take then",
    read: wholeNumber(0, 300),
  },
  developmentKey: {
    name: "DEVELOPMENT_KEY",
    fallback: "",
    meaning: "A credential that may call everything, until server/principal.ts looks credentials up",
    read: optional(longEnough),
  },
  production: {
    name: "NODE_ENV",
    fallback: "",
    meaning: "production takes no DEVELOPMENT_KEY",
    read: (text: string) => text === "production",
  },
} satisfies { readonly [key: string]: Setting<unknown> };

export type Config = ValuesOf<typeof settings>;

/** An empty variable counts as unset. @throws ConfigError with a line for every invalid variable */
export function readConfig(environment: Readonly<Record<string, string | undefined>>): Config {
  const { values, problems } = readSettings<Config>(
    settings,
    environment,
    Object.keys(settings) as (keyof Config)[],
  );
  if (values.production && values.developmentKey !== undefined)
    problems.push("DEVELOPMENT_KEY opens every operation; leave it out where NODE_ENV is production");
  if (problems.length > 0) throw new ConfigError(problems);
  return Object.freeze(values);
}

/** The message does not repeat the value, because it is secret. */
function longEnough(text: string): string {
  if (text.length < 8) throw new SettingError("must have 8 characters or more");
  return text;
}
