/** A service for tests: the real application, database and socket, with two tenants. */
import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Logger, pino } from "pino";
import type { SettledExchange } from "#specbind/server";
import { type Limits, listen, loggable, scriptFinder } from "#specbind/server/node";
import {
  createOutageLog,
  createReadiness,
  type Readiness,
  type Tracing,
} from "#specbind/server/observability";
import { observed } from "../../scripts/toolkit/coverage/testing/observed.ts";
import { createApp } from "../app.ts";
import { readConfig } from "../config.ts";
import { createKeyUses, type KeyUses } from "../domain/api-keys.ts";
import type { BoundedWork } from "../domain/bounded-work.ts";
import { registerUser } from "../domain/registration.ts";
import { createTotpKeys, type TotpKeys } from "../domain/totp-keys.ts";
import { rejectionResponse } from "../rejections.ts";
import { openStore } from "../store/open.ts";
import type { Store } from "../store/store.ts";
import { type Call, type ReceivedResponse, send } from "./http.ts";
import { makeTenant, type TestTenant } from "./tenants.ts";

export const rightPassword = "correct horse battery staple";

export interface TestService extends AsyncDisposable {
  readonly url: string;
  readonly store: Store;
  readonly totpKeys: TotpKeys;
  readonly acme: TestTenant;
  readonly rival: TestTenant;
  /** The TOTP secret of acme's second user, who has MFA. */
  readonly totpSecret: string;
  /** The time that the service's clock shows. Tests can change it. */
  time: number;
  readonly logged: Record<string, unknown>[];
  send(call: Call): Promise<ReceivedResponse>;
  readonly readiness: Readiness;
  readonly keyUses: KeyUses;
  drain(): void;
  stop(deadlineMs: number): Promise<number>;
}

export interface ServiceOptions {
  /** Environment variables. DATABASE_URL is a new SQLite file by default. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Wraps the store to cause failures. */
  readonly wrapStore?: (store: Store) => Store;
  readonly passwordWork?: BoundedWork;
  readonly limits?: Limits;
  readonly tracing?: Tracing;
  /** Called for every exchange, including malformed ones. */
  readonly onSettled?: (exchange: SettledExchange) => void;
}

/** Limits so high that no test reaches them by accident. */
const defaults = {
  LOG_LEVEL: "trace",
  LOGIN_ATTEMPTS_PER_ADDRESS: "1000",
  LOGIN_FAILURES_PER_TENANT: "1000000",
  PASSWORD_CONCURRENCY: "3",
  PASSWORD_QUEUE: "100",
};

/** Limits so high that no test reaches them by accident, even on a busy machine. */
export const generousLimits: Limits = {
  maxHeaderBytes: 16_384,
  maxConnections: 10_000,
  headerMs: 120_000,
  requestMs: 120_000,
  keepAliveMs: 120_000,
  responseMs: 120_000,
};

export const plainUser = { type: "customer", dial_code: "91", mobile: "9876543210" };
export const mfaUser = { type: "customer", dial_code: "1", mobile: "5550100" };

export async function startService(options: ServiceOptions = {}): Promise<TestService> {
  const folder = await mkdtemp(join(tmpdir(), "commerce-"));
  const environment = { DATABASE_URL: `file:${join(folder, "test.db")}`, ...defaults, ...options.settings };
  const config = readConfig(environment);
  const store = await openStore(config.DATABASE_URL);
  const state = { time: Date.UTC(2026, 0, 1) };
  const clock = () => state.time;

  const totpKeys = createTotpKeys([randomBytes(32)]);
  const { acme, rival, totpSecret } = await fill(store, totpKeys, clock);

  const logged: Record<string, unknown>[] = [];
  const write = (line: string) => void logged.push(JSON.parse(line));
  const log = pino(
    { level: config.LOG_LEVEL, base: null, mixin: () => options.tracing?.logFields() ?? {} },
    { write },
  );
  const served = options.wrapStore?.(store) ?? store;
  const { outages, readiness, keyUses } = watch(served, log, clock);
  const app = createApp({
    config,
    store: served,
    clock,
    totpKeys,
    keyUses,
    log,
    write,
    readiness,
    outages,
    findScript: scriptFinder(config.DOCS_ASSETS, undefined, "npm run docs --", log),
    tracing: options.tracing,
    passwordWork: options.passwordWork,
    observed: {
      handlers: observed.handlers,
      onSettled(exchange) {
        observed.onSettled(exchange);
        options.onSettled?.(exchange);
      },
    },
  });
  const server = await listen(app, {
    host: "127.0.0.1",
    port: 0,
    reject: rejectionResponse,
    onMalformed(exchange) {
      observed.onSettled(exchange);
      options.onSettled?.(exchange);
      log.info({ request_id: exchange.requestId, status: exchange.reply.status }, "rejected malformed HTTP");
    },
    limits: options.limits ?? generousLimits,
  });

  return {
    url: server.url,
    store,
    acme,
    rival,
    totpKeys,
    totpSecret,
    get time() {
      return state.time;
    },
    set time(value: number) {
      state.time = value;
    },
    logged,
    send: (call) => send(server.url, call),
    readiness,
    keyUses,
    drain: server.drain,
    stop: server.stop,
    async [Symbol.asyncDispose]() {
      await server.stop(1000);
      await keyUses.stop();
      await store.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Notices failures of the store immediately. */
function watch(store: Store, log: Logger, clock: () => number) {
  const outages = createOutageLog(log, store);
  const onError = (problem: unknown) => outages.failed(loggable(problem, []));
  const readiness = createReadiness(store, { freshMs: 0, failedMs: 0, onError });
  return { outages, readiness, keyUses: createKeyUses({ store, clock }, { onError }) };
}

/** Adds two tenants and, for the first one, two users. */
async function fill(store: Store, totpKeys: TotpKeys, clock: () => number) {
  const acme = await makeTenant(store, "Acme", clock);
  const rival = await makeTenant(store, "Rival", clock);
  const names = { first_name: "Asha", last_name: "Rao", email: "asha.rao@mail.test" };
  const register = (user: typeof plainUser, mfa: boolean) =>
    registerUser({ store, totpKeys }, acme.tenant, { ...user, ...names, password: rightPassword, mfa });
  await register(plainUser, false);
  const { otpauth_uri = "" } = await register(mfaUser, true);
  return { acme, rival, totpSecret: new URL(otpauth_uri).searchParams.get("secret") ?? "" };
}
