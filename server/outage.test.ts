/** What callers meet while the PostgreSQL server is away, and that nothing of ours has to be started again afterwards. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { type PostgresServer, startPostgres } from "./store/postgres/testing/server.ts";
import type { Answer, Call } from "./testing/http.ts";
import { plainUser, rightPassword, startService, type TestService } from "./testing/service.ts";

let postgres: PostgresServer;
let service: TestService;
beforeAll(async () => {
  postgres = await startPostgres();
  service = await startService({ databaseUrl: postgres.url });
});
afterAll(async () => {
  await service[Symbol.asyncDispose]();
  await postgres.end();
});

const definition = (title: string) => ({ commission: { title, type: "supply", default_value: 1 } });

function everyOperation(): Call[] {
  const key = service.acme.secretKey;
  const user = { ...plainUser, uuid: "phone", password: rightPassword };
  return [
    { method: "GET", path: "/", key, content: definition("Outage") },
    { method: "POST", path: "/v1/users/login", key, content: { user } },
    { method: "GET", path: `/v1/webhooks/${service.acme.webhook.id}`, key, content: {} },
  ];
}

const unavailable = {
  status: 503,
  headers: { "retry-after": "1" },
  body: { status: false, error: { code: "unavailable" } },
};

test("every operation answers 503 while the database is away, and 200 again once it is back", async () => {
  const ask = () => Promise.all(everyOperation().map((call) => service.send(call)));
  expect((await ask()).map(({ status }) => status)).toEqual([200, 200, 200]);
  for (let outage = 0; outage < 2; outage++) {
    await postgres.stop();
    await expect(service.store.ping()).rejects.toThrow("The database is busy or cannot be reached");
    for (const answer of await ask()) expect(answer).toMatchObject(unavailable);
    await postgres.start();
    expect((await ask()).map(({ status }) => status)).toEqual([200, 200, 200]);
  }
});

test("what was under way when the database went is answered, and may be sent again for the same record", async () => {
  const key = service.acme.secretKey;
  const submit = (n: number) =>
    service.send({ method: "GET", path: "/", key, content: definition(`Under way ${n}`) });
  const first: Answer[] = [];
  const submissions = Array.from({ length: 200 }, async (_, n) => {
    first[n] = await submit(n);
    if (n === 20) await postgres.stop();
  });
  await Promise.all(submissions);
  const cutOff = first.filter(({ status }) => status !== 200);
  expect(cutOff.length).toBeGreaterThan(0);
  for (const answer of cutOff) expect(answer).toMatchObject(unavailable);
  await postgres.start();
  const second = await Promise.all(first.map((_, n) => submit(n)));
  expect(second.map(({ status }) => status)).toEqual(first.map(() => 200));
  for (const [n, answer] of first.entries()) {
    if (answer.status === 200) expect(second[n]?.body).toEqual(answer.body);
  }
  expect(new Set(second.map(({ body }) => JSON.stringify(body))).size).toBe(200);
});
