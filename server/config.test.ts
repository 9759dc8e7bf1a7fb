import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { warningsOf } from "#specbind/server/settings";
import { ConfigError, readConfig, readSome, settings } from "./config.ts";

const folder = mkdtempSync(join(tmpdir(), "commerce-config-"));
afterAll(() => rmSync(folder, { recursive: true }));

function secretFile(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

describe("readConfig", () => {
  it("needs no setting, and treats an empty variable as unset", () => {
    const some = { HOST: "127.0.0.1", PORT: 3000, METRICS_PORT: undefined, NODE_ENV: "development" };
    expect(readConfig({})).toMatchObject(some);
    expect(readConfig({ PORT: "", HOST: "" })).toEqual(readConfig({}));
  });

  it("reads numbers, lists, keys and choices", () => {
    const environment = {
      PORT: "0",
      CORS_ORIGINS: "https://shop.example, http://127.0.0.1:5173",
      CORS_SECRET_ORIGINS: "https://office.example, http://127.0.0.1:5174",
      TRUSTED_PROXIES: "10.0.0.0/8,192.0.2.7, fd00::/8 ,::ffff:10.0.0.1",
      RESPONSE_VALIDATION: "report",
      DOCS: "off",
      TOTP_SECRET_KEYS: `${"A".repeat(43)}=, ${"_".repeat(42)}8`,
      PASSWORD_CONCURRENCY: "7",
      UV_THREADPOOL_SIZE: "8",
      OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:4318",
      OTEL_TRACES_SAMPLER_ARG: "0.25",
      OTEL_SDK_DISABLED: "TRUE",
    };
    expect(readConfig(environment)).toMatchObject({
      PORT: 0,
      CORS_ORIGINS: ["https://shop.example", "http://127.0.0.1:5173"],
      CORS_SECRET_ORIGINS: ["https://office.example", "http://127.0.0.1:5174"],
      TRUSTED_PROXIES: ["10.0.0.0/8", "192.0.2.7", "fd00::/8", "::ffff:10.0.0.1"],
      RESPONSE_VALIDATION: "report",
      DOCS: false,
      TOTP_SECRET_KEYS: [Buffer.alloc(32, 0), Buffer.alloc(32, 0xff)],
      PASSWORD_CONCURRENCY: 7,
      OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:4318",
      OTEL_TRACES_SAMPLER_ARG: 0.25,
      OTEL_SDK_DISABLED: true,
    });
  });

  it("reads a setting by its former name, with a warning", () => {
    const environment = { ANSWER_SECONDS: "7" };
    expect(readConfig(environment)).toEqual(readConfig({ RESPONSE_SECONDS: "7" }));
    expect(warningsOf(settings, environment)).toEqual([
      { variable: "ANSWER_SECONDS", warning: "ANSWER_SECONDS is now called RESPONSE_SECONDS; rename it" },
    ]);
    for (const [variables, problem] of [
      [{ ANSWER_SECONDS: "0" }, 'ANSWER_SECONDS must be a whole number from 1 to 3600, not "0"'],
      [
        { ANSWER_SECONDS: "7", RESPONSE_SECONDS: "7" },
        "RESPONSE_SECONDS and ANSWER_SECONDS are both set; set only one of them",
      ],
    ] as const)
      expect(() => readConfig(variables)).toThrow(new ConfigError([problem]));
  });

  it("reads secrets from files and removes the newline at the end", () => {
    expect(
      readConfig({
        DATABASE_URL_FILE: secretFile("url", "postgres://commerce:s3cret@db/commerce\n"),
        TOTP_SECRET_KEYS_FILE: secretFile("keys", `${"A".repeat(43)}=\r\n`),
      }),
    ).toMatchObject({
      DATABASE_URL: "postgres://commerce:s3cret@db/commerce",
      TOTP_SECRET_KEYS: [Buffer.alloc(32, 0)],
    });
  });

  it.each<[string, () => Record<string, string>, string]>([
    [
      "is absent",
      () => ({ DATABASE_URL_FILE: "/no/file" }),
      "DATABASE_URL in the file /no/file cannot be read (ENOENT)",
    ],
    ["is a folder", () => ({ DATABASE_URL_FILE: "/" }), "DATABASE_URL in the file / cannot be read (EISDIR)"],
    ["is empty", () => ({ DATABASE_URL_FILE: secretFile("empty", "\n") }), "/empty must not be empty"],
    [
      "has two lines",
      () => ({ DATABASE_URL_FILE: secretFile("two", "file:a.db\nfile:b.db\n") }),
      "/two must be one line",
    ],
    [
      "has an invalid value",
      () => ({ TOTP_SECRET_KEYS_FILE: secretFile("invalid", "s3cret") }),
      "/invalid must be keys of 32 bytes in Base64",
    ],
    [
      "is given although the variable is set too",
      () => ({ DATABASE_URL: "postgres://s3cret", DATABASE_URL_FILE: secretFile("both", "file:s3cret") }),
      "DATABASE_URL and DATABASE_URL_FILE are both set; set only one of them",
    ],
  ])("names the file of a secret if the file %s, but does not show the secret", (_, environment, says) => {
    const read = () => readSome(environment(), "DATABASE_URL", "TOTP_SECRET_KEYS");
    expect(read).toThrow(says);
    expect(read).not.toThrow("s3cret");
  });

  it("reports all invalid variables together, each in one line with its rule", () => {
    const environment = {
      DATABASE_URL: "mysql://root:secret@localhost",
      PORT: "65536",
      LOG_LEVEL: "loud",
      CORS_ORIGINS: "https://shop.example/",
      CORS_SECRET_ORIGINS: "https://office.example/",
      TRUSTED_PROXIES: "10.0.0.0/8 proxy",
      OTEL_EXPORTER_OTLP_ENDPOINT: "user:secret@collector",
      OTEL_EXPORTER_OTLP_PROTOCOL: "grpc",
      OTEL_TRACES_SAMPLER_ARG: "2",
      TOTP_SECRET_KEYS: "c2VjcmV0",
    };
    expect(() => readConfig(environment)).toThrow(
      new ConfigError([
        'PORT must be a whole number from 0 to 65535, not "65536"',
        'LOG_LEVEL must be one of trace, debug, info, warn, error, fatal, silent, not "loud"',
        'TRUSTED_PROXIES must be addresses or ranges such as 10.0.0.0/8, separated by commas; "10.0.0.0/8 proxy" is invalid',
        "OTEL_EXPORTER_OTLP_ENDPOINT must be an http or https URL",
        'OTEL_EXPORTER_OTLP_PROTOCOL must be one of http/json, not "grpc"',
        'OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1, not "2"',
        "DATABASE_URL must be file:PATH, such as file:data/commerce.db, or postgres://USER:PASSWORD@HOST/DATABASE",
        'CORS_ORIGINS must be origins such as https://shop.example, separated by commas, or only *; "https://shop.example/" is invalid',
        'CORS_SECRET_ORIGINS must be origins such as https://shop.example, separated by commas; "https://office.example/" is invalid',
        "TOTP_SECRET_KEYS must be keys of 32 bytes in Base64, separated by commas; `openssl rand -base64 32` makes one",
      ]),
    );
  });

  it.each([
    ["PORT", 0, 65_535],
    ["METRICS_PORT", 0, 65_535],
    ["DATABASE_POOL_SIZE", 1, 1000],
    ["DEFINITIONS_PER_TENANT", 1, 1_000_000_000],
    ["MAX_CONTENT_BYTES", 1, 16_777_216],
    ["MAX_HEADER_BYTES", 1024, 1_048_576],
    ["MAX_CONNECTIONS", 1, 1_000_000],
    ["HEADER_SECONDS", 1, 3600],
    ["REQUEST_SECONDS", 1, 3600],
    ["KEEP_ALIVE_SECONDS", 1, 3600],
    ["RESPONSE_SECONDS", 1, 3600],
    ["AUTH_KEY_SECONDS", 1, 31_536_000],
    ["REFRESH_KEY_SECONDS", 1, 31_536_000],
    ["SESSIONS_PER_USER", 1, 10_000],
    ["LOGIN_ATTEMPTS_PER_ACCOUNT", 1, 1_000_000],
    ["LOGIN_ATTEMPTS_PER_ADDRESS", 1, 1_000_000],
    ["LOGIN_FAILURES_PER_TENANT", 1, 1_000_000],
    ["LOGIN_WINDOW_SECONDS", 1, 86_400],
    ["TOTP_ATTEMPTS_PER_DAY", 1, 1000],
    ["PASSWORD_QUEUE", 0, 10_000],
    ["SHUTDOWN_SECONDS", 0, 3600],
    ["SHUTDOWN_DELAY_SECONDS", 0, 3600],
  ] as const)("%s is a whole number from %i to %i", (name, least, most) => {
    for (const value of [least, most])
      expect(readSome({ [name]: `${value}` }, name)).toEqual({ [name]: value });
    for (const value of [least - 1, most + 1])
      expect(() => readSome({ [name]: `${value}` }, name)).toThrow(
        new ConfigError([`${name} must be a whole number from ${least} to ${most}, not "${value}"`]),
      );
  });

  it("does not print text that may belong to another setting", () => {
    const secret = `TOTP_SECRET_KEYS=${"A".repeat(43)}=`;
    const environment = {
      PORT: `3000 ${secret}`,
      LOG_LEVEL: "info\ns3cr3t",
      TRUSTED_PROXIES: `10.0.0.1,${secret}`,
    };
    expect(() => readConfig(environment)).toThrow(
      new ConfigError([
        "PORT must be a whole number from 0 to 65535, not text of 66 characters",
        "LOG_LEVEL must be one of trace, debug, info, warn, error, fatal, silent, not text with control characters",
        "TRUSTED_PROXIES must be addresses or ranges such as 10.0.0.0/8, separated by commas; text of 61 characters is invalid",
      ]),
    );
  });

  it.each([
    [
      { AUTH_KEY_SECONDS: "60", REFRESH_KEY_SECONDS: "59" },
      "REFRESH_KEY_SECONDS must not be less than AUTH_KEY_SECONDS",
    ],
    [{ HEADER_SECONDS: "20", REQUEST_SECONDS: "10" }, "REQUEST_SECONDS must not be less than HEADER_SECONDS"],
    [{ PORT: "8080", METRICS_PORT: "8080" }, "METRICS_PORT must differ from PORT"],
    [{ TLS_CERT_FILE: "/no/file" }, 'TLS_CERT_FILE must be a file that can be read, not "/no/file"'],
    [{ TLS_KEY_FILE: "package.json" }, "TLS_CERT_FILE and TLS_KEY_FILE must both be set, or neither"],
    [{ TLS_CLIENT_CA_FILE: "package.json" }, "TLS_CLIENT_CA_FILE needs TLS_CERT_FILE and TLS_KEY_FILE"],
    [
      { TLS_CERT_FILE: "package.json", TLS_KEY_FILE: "package.json" },
      "TLS_CERT_FILE must contain a certificate in PEM format",
    ],
    [{ CLIENT_CERT_HEADER: "on" }, "CLIENT_CERT_HEADER needs TRUSTED_PROXIES"],
    [
      { DATABASE_URL: "file:x.db?mode=ro" },
      "DATABASE_URL must be file:PATH without ? and #, because options such as ?mode=ro are not supported",
    ],
    ...["u:s3#cret@h", "u:s3cret#@h", "u:s3/cret@h", "u:s3?cret@h"].map(
      (rest): [Record<string, string>, string] => [
        { DATABASE_URL: `postgres://${rest}/commerce` },
        "DATABASE_URL must be percent-encoded: in a password, write # as %23, / as %2F and ? as %3F",
      ],
    ),
    [{ DATABASE_URL: "/var/lib/commerce.db" }, "DATABASE_URL must be file:/var/lib/commerce.db"],
    [{ DATABASE_URL: "data/commerce.db" }, "DATABASE_URL must be file:data/commerce.db"],
  ])("rejects %j with the reason", (environment, problem) => {
    expect(() => readConfig(environment)).toThrow(new ConfigError([problem]));
  });

  it("limits password hashing so that file access and DNS lookups do not wait long", () => {
    const problem = (threads: number) =>
      new ConfigError([
        `PASSWORD_CONCURRENCY must be less than twice UV_THREADPOOL_SIZE, which is ${threads}, so that file access and DNS lookups do not wait long for a thread`,
      ]);
    expect(() => readConfig({ PASSWORD_CONCURRENCY: "8" })).toThrow(problem(4));
    expect(() => readConfig({ PASSWORD_CONCURRENCY: "4", UV_THREADPOOL_SIZE: "2" })).toThrow(problem(2));
  });

  it("reads only the settings that are needed", () => {
    expect(readSome({ PORT: "none", DATABASE_URL: "file:x" }, "DATABASE_URL")).toEqual({
      DATABASE_URL: "file:x",
    });
    expect(() => readSome({ PORT: "none" }, "PORT")).toThrow(ConfigError);
  });

  it.each([
    [["", "development", "test"], "development"],
    [["production", "prod", "staging", "Development"], "production"],
  ])("treats each NODE_ENV of %j as %s", (values, meant) => {
    for (const NODE_ENV of values) expect(readConfig({ NODE_ENV }).NODE_ENV, NODE_ENV).toBe(meant);
  });

  it("accepts * as every origin", () => {
    expect(readConfig({ CORS_ORIGINS: "*" }).CORS_ORIGINS).toBe("*");
  });

  it.each(["*", "https://*.example", "https://office.example,*"])(
    "rejects %j as origins of pages with secret keys",
    (text) => {
      expect(() => readConfig({ CORS_SECRET_ORIGINS: text })).toThrow(
        new ConfigError([
          "CORS_SECRET_ORIGINS must list every origin; * is not allowed, because pages of these origins send secret keys",
        ]),
      );
    },
  );

  const key = "A".repeat(43);
  it.each([
    ["DATABASE_URL", ["file:///data/x.db?cache=shared", "file:x.db#1", "file::memory:?"]],
    ["TOTP_SECRET_KEYS", [`${key}=,`, `,${key}=`, `${key}A`, `${key.slice(1)}*=`, "A".repeat(64)]],
    ["CORS_ORIGINS", ["shop.example", "https://shop.example/path", "https://Shop.example"]],
    ["CORS_ORIGINS", ["https://shop.example:443", "https://user@shop.example", "file:///home", "null"]],
    ["CORS_ORIGINS", ["https://*.shop.example", "*,https://shop.example"]],
    [
      "TRUSTED_PROXIES",
      ["proxy.example", "10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/8/8", "10.0.0", "10.0.0.0/"],
    ],
    ["TRUSTED_PROXIES", ["fd00::/129", "fe80::1%eth0", "0x7f.0.0.1", "*"]],
    ["OTEL_TRACES_SAMPLER_ARG", ["0.5x", "x0.5", "1.1", "-0.1", "."]],
    ["PORT", ["-1", "1.5", "1e3", " 80", "0x50", "NaN"]],
  ])("rejects each %s of %j", (name, texts) => {
    for (const text of texts) expect(() => readConfig({ [name]: text }), text).toThrow(ConfigError);
  });
});

describe("warningsOf", () => {
  it.each([
    ["CORS_ORIGIN", "CORS_ORIGINS"],
    ["TRUSTED_PROXY", "TRUSTED_PROXIES"],
    ["LOGIN_ATTEMPTS_PER_ADRESS", "LOGIN_ATTEMPTS_PER_ADDRESS"],
    ["log_level", "LOG_LEVEL"],
    ["PROT", "PORT"],
  ])("for %s, suggests the setting %s", (name, suggestion) => {
    const warning = `${name} is not a setting; did you mean ${suggestion}?`;
    expect(warningsOf(settings, { [name]: "x" })).toEqual([{ variable: name, warning }]);
  });

  it("ignores variables of other programs", () => {
    const others = [
      "HOME",
      "HOSTNAME",
      "PATH",
      "PWD",
      "LANG",
      "LOGNAME",
      "NODE_VERSION",
      "NODE_OPTIONS",
      "PORTAL",
      "SSL_CERT_FILE",
      "SSL_CERT_DIR",
    ];
    const ours = Object.fromEntries([...others, "HOST", "PORT", "CORS_ORIGINS"].map((name) => [name, "x"]));
    expect(warningsOf(settings, ours)).toEqual([]);
  });
});
