/** The settings that every server has. A service adds its own. */
import { problemsOfTls, type TlsServerOptions } from "../http/tls-options.ts";
import {
  addressRanges,
  fileText,
  httpUrl,
  nonEmpty,
  oneOf,
  optional,
  SettingError,
  share,
  wholeNumber,
} from "./setting-readers.ts";
import {
  ConfigError,
  type Environment,
  readSettings,
  type Setting,
  type Settings,
  type ValuesOf,
} from "./settings.ts";

export const serverSettings = {
  HOST: {
    fallback: "127.0.0.1",
    meaning: "Address to listen on. `0.0.0.0` or `::` means all interfaces",
    read: nonEmpty,
  },
  PORT: {
    fallback: "3000",
    meaning: "Port to listen on. 0 lets the system choose one",
    read: wholeNumber(0, 65_535),
  },
  LOG_LEVEL: {
    fallback: "info",
    meaning: "Lowest level that is logged: `trace`, `debug`, `info`, `warn`, `error`, `fatal` or `silent`",
    read: oneOf("trace", "debug", "info", "warn", "error", "fatal", "silent"),
  },
  LOG_FORMAT: {
    meaning:
      "Format of the log: `json`, or `pretty` for readable lines. The default is `pretty` in a terminal outside production if the development packages are installed, and `json` otherwise",
    read: optional(oneOf("json", "pretty")),
  },
  TRUSTED_PROXIES: {
    meaning:
      "Addresses and ranges of the proxies whose `X-Forwarded-For` is trusted, such as `10.0.0.0/8`, separated by commas",
    read: addressRanges,
  },
  CLIENT_CERT_HEADER: {
    fallback: "off",
    meaning:
      "`on` reads the certificate of a caller from `Client-Cert`, which the trusted proxies must set or remove (RFC 9440)",
    read: (text: string) => oneOf("on", "off")(text) === "on",
  },
  TLS_CERT_FILE: {
    meaning: "File with the server's certificate, in PEM format. If it is empty, the server uses HTTP",
    read: optional(fileText),
  },
  TLS_KEY_FILE: {
    meaning: "File with the key of `TLS_CERT_FILE`",
    read: optional(fileText),
  },
  TLS_CLIENT_CA_FILE: {
    meaning: "File with the authorities that issue the certificates of callers, for mutual TLS",
    read: optional(fileText),
  },
  RESPONSE_VALIDATION: {
    fallback: "enforce",
    meaning:
      "What happens to a response that violates the spec: `enforce` returns 500, `report` only logs it, `off` skips the check",
    read: oneOf("enforce", "report", "off"),
  },
  DOCS: {
    fallback: "on",
    meaning: "`off` removes `/docs`, the reference page. `/openapi.json` stays",
    read: (text: string) => oneOf("on", "off")(text) === "on",
  },
  DOCS_ASSETS: {
    meaning:
      "Folder with the script of `/docs`, written by the command `docs --assets DIR`. If it is empty, `/docs` only lists the operations",
    read: optional(nonEmpty),
  },
  METRICS_PORT: {
    meaning: "Port of `/metrics`, for Prometheus. If it is empty, nothing is measured",
    read: optional(wholeNumber(0, 65_535)),
  },
  METRICS_HOST: {
    meaning: "Address to listen on for `/metrics`. If it is empty, `HOST` is used",
    read: optional(nonEmpty),
  },
  MAX_CONTENT_BYTES: {
    fallback: "65536",
    meaning: "Largest request body, in bytes",
    read: wholeNumber(1, 16_777_216),
  },
  MAX_HEADER_BYTES: {
    fallback: "16384",
    meaning: "Largest request line and header together, in bytes",
    read: wholeNumber(1024, 1_048_576),
  },
  MAX_CONNECTIONS: {
    fallback: "10000",
    meaning: "Maximum number of open connections. Further connections are closed immediately",
    read: wholeNumber(1, 1_000_000),
  },
  HEADER_SECONDS: {
    fallback: "10",
    meaning: "Time limit for the header of a request to arrive, in seconds",
    read: wholeNumber(1, 3600),
  },
  REQUEST_SECONDS: {
    fallback: "30",
    meaning: "Time limit for a whole request to arrive, in seconds",
    read: wholeNumber(1, 3600),
  },
  KEEP_ALIVE_SECONDS: {
    fallback: "65",
    meaning:
      "How long an idle connection stays open, in seconds. It must be longer than the proxy's limit, which is often 60",
    read: wholeNumber(1, 3600),
  },
  RESPONSE_SECONDS: {
    formerly: "ANSWER_SECONDS",
    fallback: "30",
    meaning: "Time limit for a caller to read a response, in seconds",
    read: wholeNumber(1, 3600),
  },
  SHUTDOWN_SECONDS: {
    fallback: "10",
    meaning: "Time limit for open requests after SIGTERM and `SHUTDOWN_DELAY_SECONDS`, in seconds",
    read: wholeNumber(0, 3600),
  },
  SHUTDOWN_DELAY_SECONDS: {
    fallback: "0",
    meaning:
      "How long requests are still accepted after SIGTERM, in seconds. Meanwhile `/readyz` returns 503, so that a load balancer notices",
    read: wholeNumber(0, 3600),
  },
  OTEL_EXPORTER_OTLP_ENDPOINT: {
    meaning:
      "URL of an OpenTelemetry collector, such as `http://127.0.0.1:4318`. Nothing is traced if this and the next setting are empty",
    read: optional(httpUrl),
  },
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: {
    meaning:
      "Complete URL for traces, such as `http://127.0.0.1:4318/v1/traces`. It overrides `OTEL_EXPORTER_OTLP_ENDPOINT`",
    read: optional(httpUrl),
  },
  OTEL_EXPORTER_OTLP_PROTOCOL: {
    fallback: "http/json",
    meaning: "Protocol of the collector. Only `http/json` is supported",
    read: oneOf("http/json"),
  },
  OTEL_TRACES_SAMPLER: {
    fallback: "parentbased_traceidratio",
    meaning:
      "Which requests are traced. Only `parentbased_traceidratio` is supported: the caller decides. If it does not, a share of the requests is traced",
    read: oneOf("parentbased_traceidratio"),
  },
  OTEL_TRACES_SAMPLER_ARG: {
    fallback: "1",
    meaning: "The share of requests that are traced if the caller does not decide, from 0 to 1",
    read: share,
  },
  OTEL_SDK_DISABLED: {
    fallback: "false",
    meaning: "`true` disables traces",
    read: (text: string) => oneOf("true", "false")(text.toLowerCase()) === "true",
  },
} satisfies Settings;

export type ServerSettings = ValuesOf<typeof serverSettings>;

interface DevelopmentSettings {
  readonly NODE_ENV?: string;
  readonly DEVELOPMENT_KEY?: string | undefined;
}

/** Returns the problems of values that do not fit together. */
export function problemsOfServer(values: ServerSettings & DevelopmentSettings): string[] {
  const problems: string[] = [];
  if (values.NODE_ENV === "production" && values.DEVELOPMENT_KEY !== undefined)
    problems.push("DEVELOPMENT_KEY gives access to every operation; remove it if NODE_ENV is production");
  if (values.REQUEST_SECONDS < values.HEADER_SECONDS)
    problems.push("REQUEST_SECONDS must not be less than HEADER_SECONDS");
  if ((values.TLS_CERT_FILE === undefined) !== (values.TLS_KEY_FILE === undefined))
    problems.push("TLS_CERT_FILE and TLS_KEY_FILE must both be set, or neither");
  if (values.TLS_CLIENT_CA_FILE !== undefined && values.TLS_CERT_FILE === undefined)
    problems.push("TLS_CLIENT_CA_FILE needs TLS_CERT_FILE and TLS_KEY_FILE");
  const tls = tlsOf(values);
  if (tls !== undefined)
    problems.push(
      ...problemsOfTls(tls, { cert: "TLS_CERT_FILE", key: "TLS_KEY_FILE", clientCa: "TLS_CLIENT_CA_FILE" }),
    );
  if (values.CLIENT_CERT_HEADER && values.TRUSTED_PROXIES.length === 0)
    problems.push("CLIENT_CERT_HEADER needs TRUSTED_PROXIES");
  if (values.METRICS_PORT && values.METRICS_PORT === values.PORT)
    problems.push("METRICS_PORT must differ from PORT");
  return problems;
}

export function tlsOf({
  TLS_CERT_FILE: cert,
  TLS_KEY_FILE: key,
  TLS_CLIENT_CA_FILE: clientCa,
}: ServerSettings): TlsServerOptions | undefined {
  return cert === undefined || key === undefined ? undefined : { cert, key, clientCa };
}

/** The settings of a server that has none of its own. */
export const defaultSettings = {
  ...serverSettings,
  DEVELOPMENT_KEY: {
    meaning:
      "A credential that may call every operation, until server/principal.ts looks up credentials. `production` rejects it",
    read: optional(longEnough),
  },
  NODE_ENV: {
    meaning: "If it is set, every value except `development` and `test` counts as `production`",
    read: (text: string) => (["", "development", "test"].includes(text) ? "development" : "production"),
  },
} satisfies Settings;

export type DefaultConfig = ValuesOf<typeof defaultSettings>;

export type SettingsOf<Config> = { readonly [Name in keyof Config]: Setting<Config[Name]> };

/** @throws ConfigError with a line for each invalid variable */
export function readServerConfig<Config extends ServerSettings>(
  settings: SettingsOf<Config>,
  environment: Environment,
): Config {
  const { values, problems } = readSettings(settings, environment);
  // Each setting has a reader of the right type.
  const config = values as Config;
  problems.push(...problemsOfServer(config));
  if (problems.length > 0) throw new ConfigError(problems);
  return config;
}

/** The message does not repeat the value, because it is secret. */
function longEnough(text: string): string {
  if (text.length < 8) throw new SettingError("must have at least 8 characters");
  return text;
}
