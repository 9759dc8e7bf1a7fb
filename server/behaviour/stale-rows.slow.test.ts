/** Tests that no response of two busy servers is older than a change that another program had committed before. */
import { expect, test } from "vitest";
import { openStore } from "../store/open.ts";
import { createDatabase, runSql } from "../store/postgres/testing/database.ts";
import { send } from "../testing/http.ts";
import { startServer } from "../testing/program.ts";
import { makeTenant } from "../testing/tenants.ts";

const changes = 5000;
const callersPerServer = 8;

test(`${changes} changes by SQL: each takes effect on both servers with the next request`, async () => {
  await using stack = new AsyncDisposableStack();
  const url = await createDatabase();
  const store = await openStore(url);
  const { secretKey, webhook } = await makeTenant(store);
  const other = await makeTenant(store);
  await store.close();
  const servers = [stack.use(await startServer(url)), stack.use(await startServer(url))];

  /** Even changes set the webhook's URL. Odd ones revoke the key of the other tenant, or undo that. */
  let begun = 0;
  let committed = 0;
  const stale: string[] = [];
  const checked = { urls: 0, statuses: 0 };

  async function look(server: string): Promise<void> {
    const least = committed;
    const { body } = await send(server, getWebhook(webhook.id, secretKey));
    const { url } = (body as { data: { webhook: { url: string } } }).data.webhook;
    checked.urls += 1;
    const number = Number(url.split("/").at(-1));
    if (number < least - (least % 2)) stale.push(`${url} after ${least}`);
  }

  async function lookWithOtherKey(server: string): Promise<void> {
    const [isStill, least] = [begun === committed, committed];
    const { status } = await send(server, getWebhook(other.webhook.id, other.secretKey));
    if (!isStill || begun !== least) return;
    checked.statuses += 1;
    const expected = Math.ceil(least / 2) % 2 === 1 ? 401 : 200;
    if (status !== expected) stale.push(`${status} after ${least}`);
  }

  async function change(): Promise<void> {
    begun += 1;
    await runSql(
      url,
      begun % 2 === 0
        ? `UPDATE webhooks SET url = 'https://a.test/${begun}' WHERE id = ${webhook.id}`
        : `UPDATE api_keys SET revoked_at = CASE WHEN revoked_at IS NULL THEN 1 END WHERE id = '${other.secretKeyId}'`,
    );
    committed = begun;
  }

  await runSql(url, `UPDATE webhooks SET url = 'https://a.test/0' WHERE id = ${webhook.id}`);
  const load = servers.flatMap(({ url }) =>
    Array.from({ length: callersPerServer }, async () => {
      while (committed < changes) await look(url);
    }),
  );
  while (committed < changes) {
    await change();
    await Promise.all(servers.flatMap(({ url }) => [look(url), lookWithOtherKey(url)]));
  }
  await Promise.all(load);
  expect(stale).toEqual([]);
  expect(checked.urls).toBeGreaterThan(changes * 2);
  expect(checked.statuses).toBe(changes * 2);
}, 600_000);

function getWebhook(id: number, key: string) {
  return { method: "GET", path: `/v1/webhooks/${id}`, key, content: {} };
}
