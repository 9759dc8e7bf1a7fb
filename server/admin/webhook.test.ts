import { describe, expect, test } from "vitest";
import document from "../../generated/openapi.json" with { type: "json" };
import { databases } from "../testing/databases.ts";
import { knownEventKind } from "./option-values.ts";
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

  test.each([
    "order.creatd",
    "order.createed",
    "orderr.created",
    "order.craeted",
    "order.crested",
    "rder.created",
  ])("%s is rejected with the event kind that the spec names", async (event) => {
    expect(document.components.schemas.EventKind.examples).toEqual([knownEventKind]);
    const { code, stderr } = await run(`${webhookCreate} --event ${event} --tenant ${await createTenant()}`);
    expect({ code, stderr }).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(`Did you mean ${knownEventKind}?`),
    });
  });

  test.each(["order.created", "order.create_failed", "order.rated"])("%s is accepted", async (event) => {
    const tenant = await createTenant();
    const { webhook } = await resultOf(
      `webhook create --url https://a.example --event ${event} --tenant ${tenant}`,
    );
    expect(webhook.events).toEqual([event]);
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
