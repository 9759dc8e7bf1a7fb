import { describe, expect, test } from "vitest";
import { databases } from "../testing/databases.ts";
import { adminOn, webhookCreate } from "./testing/commands.ts";

describe.each(databases)("on $name", (database) => {
  const admin = adminOn(database);
  const { createTenant, resultOf, run } = admin;

  test("a webhook is created with each event once, and listed only for its tenant", async () => {
    const [tenant, other] = [await createTenant(), await createTenant()];
    const created = await resultOf(`${webhookCreate} --event c.d --event a.b --tenant ${tenant}`);
    expect(created).toEqual({ webhook: { id: 1, url: "https://a.example", events: ["a.b", "c.d"] } });
    expect(await resultOf(`webhook list --tenant ${tenant}`)).toEqual({ webhooks: [created.webhook] });
    expect(await resultOf(`webhook list --tenant ${other}`)).toEqual({ webhooks: [] });
    expect((await run(`webhook list --tenant ${tenant}`)).stdout).toBe(
      "ID  URL                EVENTS\n1   https://a.example  a.b, c.d\n",
    );
  });

  test("URL and events can be changed separately, and new events replace all old ones", async () => {
    const tenant = await createTenant();
    const { webhook } = await resultOf(`${webhookCreate} --tenant ${tenant}`);
    const update = `webhook update ${webhook.id} --tenant ${tenant}`;
    const moved = { ...webhook, url: "https://b.example" };
    expect(await resultOf(`${update} --url ${moved.url}`)).toEqual({ webhook: moved });
    const changed = { ...moved, events: ["c.d", "a.b"] };
    expect(await resultOf(`${update} --event c.d --event a.b --event c.d`)).toEqual({ webhook: changed });
    expect(await resultOf(`webhook list --tenant ${tenant}`)).toEqual({ webhooks: [changed] });
    expect((await run(`${update} --event a.b`)).stdout).toBe(
      `Changed webhook ${webhook.id}: https://b.example (a.b)\n`,
    );
  });

  test("a removed webhook is returned and deleted", async () => {
    const tenant = await createTenant();
    const { webhook } = await resultOf(`${webhookCreate} --tenant ${tenant}`);
    const stored = (await resultOf(`${webhookCreate} --tenant ${tenant}`)).webhook;
    expect(await resultOf(`webhook remove ${webhook.id} --tenant ${tenant}`)).toEqual({ webhook });
    expect(await resultOf(`webhook list --tenant ${tenant}`)).toEqual({ webhooks: [stored] });
    expect((await run(`webhook remove ${stored.id} --tenant ${tenant}`)).stdout).toBe(
      `Removed webhook ${stored.id}: https://a.example (a.b)\n`,
    );
  });
});
