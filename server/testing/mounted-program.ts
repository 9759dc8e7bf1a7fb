/** A program for the benchmark: the contract, mounted in a Hono app that is served by the adapter of Hono. */
import { serve } from "@hono/node-server";
import { Hono } from "hono";
import { pino } from "pino";
import { createOutageLog, createReadiness } from "#specbind/server/observability";
import { createApp } from "../app.ts";
import { readConfig } from "../config.ts";
import { createKeyUses } from "../domain/api-keys.ts";
import { createTotpKeys } from "../domain/totp-keys.ts";
import { openStore } from "../store/open.ts";

const config = readConfig(process.env);
const store = await openStore(config.DATABASE_URL);
const clock = Date.now;
const onError = (error: unknown): void => console.error(error);
const write = (): void => {};
const log = pino({ level: config.LOG_LEVEL }, { write });
const api = createApp({
  ...{ config, store, clock, log, write },
  totpKeys: createTotpKeys(config.TOTP_SECRET_KEYS),
  keyUses: createKeyUses({ store, clock }, { onError }),
  readiness: createReadiness(store, { onError }),
  outages: createOutageLog(log, store),
  findScript: async () => undefined,
});
serve({ fetch: new Hono().route("/", api).fetch, hostname: config.HOST, port: config.PORT });
