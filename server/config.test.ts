import { describe, expect, it } from "vitest";
import { ConfigError, readConfig } from "./config.ts";

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

  it.each(["-1", "1.5", "1e3", " 80", "0x50", "NaN"])("does not take %j for a port", (text) => {
    expect(() => readConfig({ PORT: text })).toThrow(ConfigError);
  });
});
