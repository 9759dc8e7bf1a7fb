/** `key create`, `key list` and `key revoke`. A key is printed only when it is created. */
import type { Command } from "commander";
import { createApiKey } from "../domain/api-keys.ts";
import type { ApiKeyKind } from "../store/store.ts";
import { parseKind } from "./option-values.ts";
import { readApiKeyHash } from "./secret-stdin.ts";
import { AdminError, type AdminSession, addNoun, addVerb, formatTable, requireTenant } from "./session.ts";

export function addKeyCommands(program: Command, { run, clock, stdin }: AdminSession): void {
  const key = addNoun(
    program,
    "key",
    "API keys: secret keys may call everything, publishable keys only login",
    ["key create --tenant ID --kind secret", "key list --tenant ID", "key revoke key_4fzXq0Tn2bLd"],
  );

  addVerb(key, "create", "create an API key and show it once", [
    "key create --tenant ID --kind secret",
    "key create --tenant ID --kind publishable --json",
  ])
    .requiredOption("--tenant <id>", "the tenant it belongs to")
    .requiredOption("--kind <kind>", "secret or publishable", parseKind)
    .action((options: { tenant: string; kind: ApiKeyKind; json?: boolean }) =>
      run(options, async (store) => {
        const { id: tenant_id } = await requireTenant(store, options.tenant);
        const { id, kind, secret } = await createApiKey({ store, clock }, { tenant_id, kind: options.kind });
        return {
          json: { key: { id, kind, secret } },
          text: `Created ${kind} key ${id}. It is shown only once. Store it now:\n${secret}`,
        };
      }),
    );

  addVerb(key, "list", "list a tenant's keys, including revoked ones", ["key list --tenant ID"])
    .requiredOption("--tenant <id>", "the tenant they belong to")
    .action((options: { tenant: string; json?: boolean }) =>
      run(options, async (store) => {
        const { id: tenant_id } = await requireTenant(store, options.tenant);
        const keys = (await store.apiKeys.list(tenant_id)).map(({ id, kind, created_at, revoked_at }) => ({
          id,
          kind,
          created_at: toTimestamp(created_at),
          revoked_at: revoked_at === null ? null : toTimestamp(revoked_at),
        }));
        const rows = keys.map(({ id, kind, created_at, revoked_at }) => [
          id,
          kind,
          created_at,
          revoked_at ?? "-",
        ]);
        return {
          json: { keys },
          text: formatTable(["ID", "KIND", "CREATED", "REVOKED"], rows),
        };
      }),
    );

  addVerb(key, "revoke", "revoke a key immediately and permanently", [
    "key revoke key_4fzXq0Tn2bLd",
    "key revoke --key-stdin < leaked-key.txt",
  ])
    .argument("[id]", 'the key\'s id, as "key list" shows it')
    .option("--key-stdin", "read the key from standard input, if its id is unknown")
    .action(
      async (id: string | undefined, options: { keyStdin?: boolean; json?: boolean }, verb: Command) => {
        if ((id === undefined) === (options.keyStdin === undefined))
          verb.error("error: give the key's id or --key-stdin, but not both");
        const named = id === undefined ? { hash: await readApiKeyHash(stdin, verb) } : { id };
        await run(options, async (store) => {
          const revoked = await store.apiKeys.revoke(named, clock());
          if (revoked?.revoked_at == null) {
            throw new AdminError(
              `no key ${id === undefined ? "matches" : `has the id ${id}`}; "key list --tenant ID" lists a tenant's keys`,
            );
          }
          const { kind } = revoked;
          const revoked_at = toTimestamp(revoked.revoked_at);
          return {
            tenant_id: revoked.tenant_id,
            json: { key: { id: revoked.id, kind, revoked_at } },
            text: `The ${kind} key ${revoked.id} is revoked since ${revoked_at}.`,
          };
        });
      },
    );
}

function toTimestamp(epochMs: number): string {
  return new Date(epochMs).toISOString();
}
