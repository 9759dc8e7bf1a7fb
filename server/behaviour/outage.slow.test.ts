/** Tests responses while the database is away or read-only, and recovery without a restart. */
import { rename } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { temporaryFolder } from "../../scripts/testing/temporary-folder.ts";
import { runSql } from "../store/postgres/testing/database.ts";
import { type PostgresServer, startPostgres } from "../store/postgres/testing/server.ts";
import { type Call, type ReceivedResponse, send } from "../testing/http.ts";
import { startServer } from "../testing/program.ts";
import { plainUser, rightPassword, startService, type TestService } from "../testing/service.ts";
import { populate } from "../testing/tenants.ts";

const folder = temporaryFolder();

let postgres: PostgresServer;
let service: TestService;
beforeAll(async () => {
  postgres = await startPostgres();
  service = await startService({ settings: { DATABASE_URL: postgres.url } });
});
afterAll(async () => {
  await service[Symbol.asyncDispose]();
  await postgres.end();
});

const definition = (title: string) => ({ commission: { title, type: "supply", default_value: 1 } });

function everyOperation({ acme }: TestService): Call[] {
  const key = acme.secretKey;
  const user = { ...plainUser, uuid: "phone", password: rightPassword };
  return [
    { method: "GET", path: "/", key, body: definition("Outage") },
    { method: "POST", path: "/v1/users/login", key, body: { user } },
    { method: "GET", path: `/v1/webhooks/${acme.webhook.id}`, key, body: {} },
  ];
}

const unavailable = {
  status: 503,
  headers: { "retry-after": "1" },
  body: { status: false, error: { code: "unavailable" } },
};

test("every operation returns 503 while the database is away, and 200 when it is back", async () => {
  const ask = () => Promise.all(everyOperation(service).map((call) => service.send(call)));
  expect((await ask()).map(({ status }) => status)).toEqual([200, 200, 200]);
  for (let outage = 0; outage < 2; outage++) {
    await postgres.stop();
    await expect(service.store.assertWritable()).rejects.toThrow("The database is busy or cannot be reached");
    for (const response of await ask()) expect(response).toMatchObject(unavailable);
    await postgres.start();
    expect((await ask()).map(({ status }) => status)).toEqual([200, 200, 200]);
  }
});

test("requests that run when the database goes away get a response, and sending them again returns the same record", async () => {
  const key = service.acme.secretKey;
  const submit = (n: number) =>
    service.send({ method: "GET", path: "/", key, body: definition(`Under way ${n}`) });
  const first: ReceivedResponse[] = [];
  const submissions = Array.from({ length: 200 }, async (_, n) => {
    first[n] = await submit(n);
    if (n === 20) await postgres.stop();
  });
  await Promise.all(submissions);
  const cutOff = first.filter(({ status }) => status !== 200);
  expect(cutOff.length).toBeGreaterThan(0);
  for (const response of cutOff) expect(response).toMatchObject(unavailable);
  await postgres.start();
  const again = async (n: number): Promise<ReceivedResponse> => {
    const response = await submit(n);
    return response.status === 503 ? again(n) : response;
  };
  const second = await Promise.all(first.map((_, n) => again(n)));
  expect(second.map(({ status }) => status)).toEqual(first.map(() => 200));
  for (const [n, response] of first.entries()) {
    if (response.status === 200) expect(second[n]?.body).toEqual(response.body);
  }
  expect(new Set(second.map(({ body }) => JSON.stringify(body))).size).toBe(200);
});

test("while the database does not respond, every request gets 503, and the server can be stopped", async () => {
  await runSql(postgres.url, "CREATE DATABASE paused");
  const url = new URL(postgres.url);
  url.pathname = "paused";
  const { secretKey: key } = await populate(url.href);
  await using server = await startServer(url.href, { DATABASE_POOL_SIZE: "5" });
  const submit = { method: "GET", path: "/", key, body: definition("Paused") };
  const ask = () =>
    Promise.all(
      [submit, { ...submit, path: "/v1/webhooks/1", body: {} }].map((call) => send(server.url, call)),
    );
  const ready = () => send(server.url, { method: "GET", path: "/readyz" });
  expect((await ask()).map(({ status }) => status)).toEqual([200, 200]);
  await postgres.pause();
  for (const response of (await Promise.all([ask(), ask(), ask(), ask()])).flat())
    expect(response).toMatchObject(unavailable);
  expect(await ready()).toMatchObject(unavailable);
  await postgres.resume();
  while ((await ready()).status !== 200);
  expect((await ask()).map(({ status }) => status)).toEqual([200, 200]);
  await postgres.pause();
  server.child.kill("SIGTERM");
  expect(await server.ended).toEqual({ status: 0, signal: null });
  await postgres.resume();
});

test("/readyz returns 503 while PostgreSQL is read-only, and 200 when it is writable again", async () => {
  const key = service.acme.secretKey;
  const ready = async () => (await service.send({ method: "GET", path: "/readyz" })).status;
  const submit = async () =>
    (await service.send({ method: "GET", path: "/", key, body: definition("Read-only") })).status;
  const setReadOnly = async (value: "on" | "off") => {
    await runSql(postgres.url, `ALTER SYSTEM SET default_transaction_read_only = ${value}`);
    await runSql(postgres.url, "SELECT pg_reload_conf()");
    // Waits, because the sessions of the server do not all see the change at the same time.
    while ((await submit()) !== (value === "on" ? 503 : 200));
  };
  while ((await ready()) !== 200);
  await setReadOnly("on");
  expect(await ready()).toBe(503);
  const webhook = { method: "GET", path: `/v1/webhooks/${service.acme.webhook.id}`, key };
  expect((await service.send(webhook)).status).toBe(200);
  await setReadOnly("off");
  while ((await ready()) !== 200);
});

test("/readyz returns 503 if SQLite's disk is full, while stored data can still be read", async () => {
  const databaseUrl = `file:${folder}/commerce.db`;
  const { secretKey: key } = await populate(databaseUrl);
  const main = fileURLToPath(new URL("../main.ts", import.meta.url));
  // No file, including the database's log, may grow beyond 400 blocks.
  const command = ["sh", "-c", 'ulimit -f 400; exec "$0" "$1"', process.execPath, main];
  {
    await using server = await startServer(databaseUrl, {}, command);
    const { url } = server;
    const submit = (title: string) => send(url, { method: "GET", path: "/", key, body: definition(title) });
    const ready = async () => (await send(url, { method: "GET", path: "/readyz" })).status;
    expect(await ready()).toBe(200);
    let count = 0;
    // The probe writes less than a submission, so the last free page may be enough for it.
    for (let status = 200; status === 200; count += 1) {
      await submit(`Full ${count}`);
      status = await ready();
    }
    expect((await submit("Too much")).status).toBe(503);
    expect(await ready()).toBe(503);
    expect((await submit("Full 0")).status).toBe(200);
  }
});

test("a failed probe is logged, even if no request has failed", async () => {
  const file = `${folder}/removed.db`;
  await using server = await startServer(`file:${file}`);
  await rename(file, `${file}.away`);
  expect(await send(server.url, { method: "GET", path: "/readyz" })).toMatchObject(unavailable);
  await expect.poll(() => server.output()).toContain('"msg":"the store is unavailable"');
});
