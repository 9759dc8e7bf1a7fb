import type { Command } from "commander";
import { createWebhook, updateWebhook } from "../domain/registration.ts";
import type { Webhook } from "../store/store.ts";
import {
  AdminError,
  addNoun,
  addVerb,
  type CommandContext,
  formatTable,
  runForTenant,
  type TenantOptions,
} from "./command.ts";
import { collectEventName, parseWebhookId, parseWebhookUrl } from "./option-values.ts";

export function addWebhookCommands(program: Command, context: CommandContext): void {
  const webhook = addNoun(program, "webhook", "URLs to which a tenant's events are sent", [
    "webhook create --tenant ID --url https://example.com/hook --event order.created",
    "webhook list --tenant ID",
    "webhook remove 1 --tenant ID",
  ]);

  addVerb(webhook, "create", "register a webhook", [
    "webhook create --tenant ID --url https://example.com/hook --event order.created",
    "webhook create --tenant ID --url https://example.com/hook --event order.created --event order.paid",
  ])
    .requiredOption("--tenant <id>", "the tenant of the webhook")
    .requiredOption("--url <url>", "target URL, http or https", parseWebhookUrl)
    .requiredOption(
      "--event <name>",
      "an event kind to subscribe to; repeat the option to add more",
      collectEventName,
    )
    .action((options: TenantOptions & { url: string; event: string[] }) =>
      runForTenant(context, options, async (store, { id: tenant_id }) => {
        const created = await createWebhook(store, { tenant_id, url: options.url, events: options.event });
        return { json: { webhook: shown(created) }, text: `Created ${sentence(created)}` };
      }),
    );

  addVerb(webhook, "list", "list a tenant's webhooks", ["webhook list --tenant ID"])
    .requiredOption("--tenant <id>", "the tenant of the webhooks")
    .action((options: TenantOptions) =>
      runForTenant(context, options, async (store, tenant) => {
        const webhooks = (await store.webhooks.list(tenant.id)).map(shown);
        const rows = webhooks.map(({ id, url, events }) => [String(id), url, events.join(", ")]);
        return { json: { webhooks }, text: formatTable(["ID", "URL", "EVENTS"], rows) };
      }),
    );

  addVerb(webhook, "update", "change a webhook's URL, its events or both", [
    "webhook update 1 --tenant ID --url https://example.com/other",
    "webhook update 1 --tenant ID --event order.created --event order.paid",
  ])
    .argument("<id>", 'the webhook\'s id, as "webhook list" shows it', parseWebhookId)
    .requiredOption("--tenant <id>", "the tenant of the webhook")
    .option("--url <url>", "target URL, http or https", parseWebhookUrl)
    .option(
      "--event <name>",
      "replace all subscribed event kinds with this one; repeat the option to add more",
      collectEventName,
    )
    .action(
      async (id: number, options: TenantOptions & { url?: string; event?: string[] }, command: Command) => {
        const { url, event: events } = options;
        if (url === undefined && events === undefined) {
          command.error("error: there is nothing to change; give --url, --event or both");
        }
        await runForTenant(
          context,
          { ...options, about: { webhook_id: id } },
          async (store, { id: tenant_id }) => {
            const updated = await updateWebhook(store, { tenant_id, id, url, events });
            if (updated === undefined) throw noWebhook(id);
            return { json: { webhook: shown(updated) }, text: `Changed ${sentence(updated)}` };
          },
        );
      },
    );

  addVerb(webhook, "remove", "remove a webhook immediately and permanently", ["webhook remove 1 --tenant ID"])
    .argument("<id>", 'the webhook\'s id, as "webhook list" shows it', parseWebhookId)
    .requiredOption("--tenant <id>", "the tenant of the webhook")
    .action((id: number, options: TenantOptions) =>
      runForTenant(context, { ...options, about: { webhook_id: id } }, async (store, { id: tenant_id }) => {
        const removed = await store.webhooks.find(tenant_id, id);
        if (removed === undefined || !(await store.webhooks.remove(tenant_id, id))) throw noWebhook(id);
        return { json: { webhook: shown(removed) }, text: `Removed ${sentence(removed)}` };
      }),
    );
}

function noWebhook(id: number): AdminError {
  return new AdminError(`the tenant has no webhook ${id}; "webhook list --tenant ID" lists its webhooks`);
}

function shown({ id, url, events }: Webhook) {
  return { id, url, events };
}

function sentence({ id, url, events }: Webhook): string {
  return `webhook ${id}: ${url} (${events.join(", ")})`;
}
