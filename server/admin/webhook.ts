/** `webhook create` and `webhook list`. */
import type { Command } from "commander";
import { createWebhook } from "../domain/registration.ts";
import { collectEventName, parseWebhookUrl } from "./option-values.ts";
import { type AdminSession, addNoun, addVerb, formatTable, requireTenant } from "./session.ts";

export function addWebhookCommands(program: Command, { withStore, print }: AdminSession): void {
  const webhook = addNoun(program, "webhook", "where a tenant wants to hear of events", [
    "webhook create --tenant ID --url https://example.com/hook --event order.created",
    "webhook list --tenant ID",
  ]);

  addVerb(webhook, "create", "register a webhook", [
    "webhook create --tenant ID --url https://example.com/hook --event order.created",
    "webhook create --tenant ID --url https://example.com/hook --event order.created --event order.paid",
  ])
    .requiredOption("--tenant <id>", "the tenant it belongs to")
    .requiredOption("--url <url>", "target URL, http or https", parseWebhookUrl)
    .requiredOption(
      "--event <name>",
      "an event kind to subscribe to; give it again for more",
      collectEventName,
    )
    .action((options: { tenant: string; url: string; event: string[]; json?: boolean }) =>
      withStore(async (store) => {
        const { id: tenant_id } = await requireTenant(store, options.tenant);
        const created = await createWebhook(store, { tenant_id, url: options.url, events: options.event });
        const { id, url, events } = created;
        print(options.json, {
          json: { webhook: { id, url, events } },
          text: `Created webhook ${id}: ${url} (${events.join(", ")})`,
        });
      }),
    );

  addVerb(webhook, "list", "list a tenant's webhooks", ["webhook list --tenant ID"])
    .requiredOption("--tenant <id>", "the tenant they belong to")
    .action((options: { tenant: string; json?: boolean }) =>
      withStore(async (store) => {
        const { id: tenant_id } = await requireTenant(store, options.tenant);
        const webhooks = await store.webhooks.list(tenant_id);
        const rows = webhooks.map(({ id, url, events }) => [String(id), url, events.join(", ")]);
        print(options.json, {
          json: { webhooks: webhooks.map(({ id, url, events }) => ({ id, url, events })) },
          text: formatTable(["ID", "URL", "EVENTS"], rows),
        });
      }),
    );
}
