import { describe, expect, it } from "vitest";
import { ConfigError, readConfig, readSome } from "./config.ts";

const defaults = {
  host: "127.0.0.1",
  port: 3000,
  databaseUrl: "file:data/commerce.db",
  databasePoolSize: 10,
  logLevel: "info",
  responseValidation: "enforce",
  maxContentBytes: 65_536,
  authKeySeconds: 3600,
  refreshKeySeconds: 2_592_000,
  loginAttemptsPerAccount: 10,
  loginAttemptsPerAddress: 100,
  loginWindowSeconds: 900,
  totpAttemptsPerDay: 20,
  totpSecretKeys: [],
  passwordConcurrency: expect.toSatisfy((count) => [1, 2, 3].includes(count)),
  passwordQueue: 50,
  shutdownSeconds: 10,
  production: false,
};

describe("readConfig", () => {
  it("needs no setting at all", () => {
    expect(readConfig({})).toEqual(defaults);
  });

  it("takes an empty variable as unset", () => {
    expect(readConfig({ PORT: "", HOST: "" })).toEqual(defaults);
  });

  it("reads every setting", () => {
    const environment = {
      HOST: "::",
      PORT: "0",
      DATABASE_URL: "postgres://commerce@db.internal/commerce",
      DATABASE_POOL_SIZE: "25",
      LOG_LEVEL: "silent",
      RESPONSE_VALIDATION: "report",
      MAX_CONTENT_BYTES: "1024",
      AUTH_KEY_SECONDS: "60",
      REFRESH_KEY_SECONDS: "120",
      LOGIN_ATTEMPTS_PER_ACCOUNT: "3",
      LOGIN_ATTEMPTS_PER_ADDRESS: "30",
      LOGIN_WINDOW_SECONDS: "60",
      TOTP_ATTEMPTS_PER_DAY: "5",
      TOTP_SECRET_KEYS: `${"A".repeat(43)}=, ${"_".repeat(42)}8`,
      PASSWORD_CONCURRENCY: "7",
      PASSWORD_QUEUE: "0",
      UV_THREADPOOL_SIZE: "8",
      SHUTDOWN_SECONDS: "0",
      NODE_ENV: "production",
    };
    expect(readConfig(environment)).toEqual({
      host: "::",
      port: 0,
      databaseUrl: "postgres://commerce@db.internal/commerce",
      databasePoolSize: 25,
      logLevel: "silent",
      responseValidation: "report",
      maxContentBytes: 1024,
      authKeySeconds: 60,
      refreshKeySeconds: 120,
      loginAttemptsPerAccount: 3,
      loginAttemptsPerAddress: 30,
      loginWindowSeconds: 60,
      totpAttemptsPerDay: 5,
      totpSecretKeys: [Buffer.alloc(32, 0), Buffer.alloc(32, 0xff)],
      passwordConcurrency: 7,
      passwordQueue: 0,
      shutdownSeconds: 0,
      production: true,
    });
  });

  it("cannot be changed afterwards", () => {
    expect(Object.isFrozen(readConfig({}))).toBe(true);
  });

  it("reports every bad variable at once, a line each, with what it must be", () => {
    const environment = {
      DATABASE_URL: "mysql://root:secret@localhost",
      PORT: "65536",
      LOG_LEVEL: "loud",
      RESPONSE_VALIDATION: "no",
      MAX_CONTENT_BYTES: "64KiB",
    };
    expect(() => readConfig(environment)).toThrow(
      new ConfigError([
        'PORT must be a whole number from 0 to 65535, not "65536"',
        "DATABASE_URL must be of the form file:PATH, such as file:data/commerce.db, or postgres://USER:PASSWORD@HOST/DATABASE",
        'LOG_LEVEL must be one of trace, debug, info, warn, error, fatal, silent, not "loud"',
        'RESPONSE_VALIDATION must be one of enforce, report, off, not "no"',
        'MAX_CONTENT_BYTES must be a whole number from 1 to 16777216, not "64KiB"',
      ]),
    );
  });

  it("does not let a refresh key die before its auth key", () => {
    expect(() => readConfig({ AUTH_KEY_SECONDS: "60", REFRESH_KEY_SECONDS: "59" })).toThrow(
      new ConfigError(["REFRESH_KEY_SECONDS must not be less than AUTH_KEY_SECONDS"]),
    );
  });

  it.each([
    "c2VjcmV0",
    `${"A".repeat(43)}=,`,
    `,${"A".repeat(43)}=`,
    `${"A".repeat(44)}`,
    `${"A".repeat(42)}*=`,
    "A".repeat(64),
  ])("does not take %j for keys, nor repeats it", (text) => {
    expect(() => readConfig({ TOTP_SECRET_KEYS: text })).toThrow(
      new ConfigError([
        "TOTP_SECRET_KEYS must be keys of 32 bytes in Base64, with commas between them, such as `openssl rand -base64 32` makes",
      ]),
    );
  });

  it("leaves a thread to files and host names", () => {
    const fault = (threads: number) =>
      new ConfigError([
        `PASSWORD_CONCURRENCY must be less than UV_THREADPOOL_SIZE, which is ${threads}: files and host names need a thread too`,
      ]);
    expect(() => readConfig({ PASSWORD_CONCURRENCY: "4" })).toThrow(fault(4));
    expect(() => readConfig({ PASSWORD_CONCURRENCY: "2", UV_THREADPOOL_SIZE: "2" })).toThrow(fault(2));
  });

  it("reads only some settings where only those are needed", () => {
    expect(readSome({ PORT: "none", DATABASE_URL: "file:x" }, "databaseUrl", "production")).toEqual({
      databaseUrl: "file:x",
      production: false,
    });
    expect(() => readSome({ PORT: "none" }, "port")).toThrow(ConfigError);
  });

  it.each(["-1", "1.5", "1e3", " 80", "0x50", "NaN"])("does not take %j for a port", (text) => {
    expect(() => readConfig({ PORT: text })).toThrow(ConfigError);
  });
});
