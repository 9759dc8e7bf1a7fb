/** Tests that the server acknowledges no write while the SQLite file is missing, replaced or damaged. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { damage, runSql } from "../store/sqlite/testing/database.ts";
import type { Call } from "../testing/http.ts";
import { plainUser, rightPassword, startService, type TestService } from "../testing/service.ts";

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "commerce-lost-"));
  path = join(folder, "commerce.db");
});
afterEach(() => rmSync(folder, { recursive: true }));

const start = () => startService({ settings: { DATABASE_URL: `file:${path}` } });

const submission = (service: TestService, title: string): Call => ({
  method: "GET",
  path: "/",
  key: service.acme.secretKey,
  body: { commission: { title, type: "supply", default_value: 1 } },
});

/** Returns the responses to a known definition, a new one, the other operations and `/readyz`. */
function askAll(service: TestService, title: string) {
  const key = service.acme.secretKey;
  const user = { ...plainUser, uuid: "phone", password: rightPassword };
  const calls: Call[] = [
    submission(service, "known"),
    submission(service, title),
    { method: "POST", path: "/v1/users/login", key, body: { user } },
    { method: "GET", path: `/v1/webhooks/${service.acme.webhook.id}`, key, body: {} },
    { method: "GET", path: "/readyz" },
  ];
  return Promise.all(calls.map((call) => service.send(call)));
}

const statusesOf = (responses: readonly { status: number }[]) => responses.map(({ status }) => status);
const ok = [200, 200, 200, 200, 200];
const unavailable = {
  status: 503,
  headers: { "retry-after": "1" },
  body: { status: false, error: { code: "unavailable" } },
};

const problemsOf = (service: TestService) => service.logged.filter(({ level }) => Number(level) >= 40);
const outage = (message: string) => ({
  ...{ level: 50, msg: "the store is unavailable" },
  error: { message: expect.stringContaining(message) },
});
const removed = () =>
  outage(
    `The database file ${path}, or its log ${path}-wal, was removed or replaced; put the same files back, or stop the server and restore a backup (docs/deployment.md).`,
  );

describe("a database file that is removed while the server runs", () => {
  test.each<[string, () => void]>([
    ["renamed", () => renameSync(path, `${path}.away`)],
    ["deleted", () => rmSync(path)],
    ["deleted with its log", () => execFileSync("sh", ["-c", `rm "$0" "$0"-wal "$0"-shm`, path])],
    ["replaced by a copy", () => execFileSync("sh", ["-c", `cp "$0" "$0.copy" && mv "$0.copy" "$0"`, path])],
  ])("%s: every operation and /readyz return 503, and one log line shows the fix", async (_, lose) => {
    await using service = await start();
    expect(statusesOf(await askAll(service, "before"))).toEqual(ok);
    lose();
    for (const round of [1, 2])
      for (const response of await askAll(service, `lost ${round}`))
        expect(response).toMatchObject(unavailable);
    expect(problemsOf(service)).toMatchObject([removed()]);
  });

  test("makes every operation return 503 after a call of /readyz, if only its log was removed", async () => {
    await using service = await start();
    expect(statusesOf(await askAll(service, "before"))).toEqual(ok);
    rmSync(`${path}-wal`);
    expect(await service.send({ method: "GET", path: "/readyz" })).toMatchObject(unavailable);
    for (const response of await askAll(service, "lost")) expect(response).toMatchObject(unavailable);
    expect(problemsOf(service)).toMatchObject([removed()]);
  });

  test("is not used again if it comes back without its log", async () => {
    await using service = await start();
    renameSync(path, `${path}.away`);
    expect(await service.send(submission(service, "lost"))).toMatchObject(unavailable);
    rmSync(`${path}-wal`);
    renameSync(`${path}.away`, path);
    for (const response of await askAll(service, "after")) expect(response).toMatchObject(unavailable);
  });

  test("is used again when it is back, and contains all acknowledged data", async () => {
    {
      await using service = await start();
      const submit = async (title: string) => (await service.send(submission(service, title))).status;
      expect(await submit("before")).toBe(200);
      renameSync(path, `${path}.away`);
      expect(await submit("lost")).toBe(503);
      renameSync(`${path}.away`, path);
      expect(await submit("after")).toBe(200);
      expect(statusesOf(await askAll(service, "later"))).toEqual(ok);
    }
    const stored = await runSql(
      `file:${path}`,
      "SELECT definition ->> 'title' AS title FROM commissions ORDER BY id",
    );
    expect(stored).toEqual(["before", "after", "known", "later"].map((title) => ({ title })));
  });
});

describe("a database file that is damaged while the server runs", () => {
  test.each([
    ["in a page that only submissions read", "sqlite_autoindex_commissions_1"],
    ["in the page that every request reads", "sqlite_autoindex_api_keys_2"],
    ["in its header", "header"],
  ] as const)(
    "%s: every operation and /readyz return 503 when the damage is found, and one log line shows the fix",
    async (_, place) => {
      await using service = await start();
      expect(statusesOf(await askAll(service, "before"))).toEqual(ok);
      // Stores the key's last use now, because a later write would repair the header.
      await service.keyUses.stop();
      await damage(path, place);
      expect(await service.send(submission(service, "first"))).toMatchObject(unavailable);
      for (const round of [1, 2])
        for (const response of await askAll(service, `lost ${round}`))
          expect(response).toMatchObject(unavailable);
      const message = `The database file ${path} is damaged; stop the server and restore a backup (docs/deployment.md).`;
      expect(problemsOf(service)).toMatchObject([outage(message)]);
    },
  );
});
