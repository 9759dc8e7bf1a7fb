/** The commands `key create`, `list`, `rotate` and `revoke`. A key is printed only when it is created. */
import type { Command } from "commander";
import { createApiKey, hasExpired, rotateApiKey } from "../domain/api-keys.ts";
import type { ApiKey, ApiKeyKind, NewApiKey } from "../store/store.ts";
import {
  AdminError,
  addNoun,
  addVerb,
  type CommandContext,
  type CommonOptions,
  formatTable,
  runForTenant,
  type TenantOptions,
} from "./command.ts";
import {
  collectOperation,
  type Expiry,
  parseDuration,
  parseExpiry,
  parseKind,
  parseName,
} from "./option-values.ts";
import { readApiKeyHash } from "./secret-stdin.ts";

const expiryFlag = "--expires <when>";
const expiryForms =
  "a duration (90d, 12h), a date (2027-01-31, at 00:00 UTC), a time (2027-01-31T18:00Z) or never";

export function addKeyCommands(program: Command, context: CommandContext): void {
  const key = addNoun(
    program,
    "key",
    "API keys: secret keys may call everything, publishable keys only login",
    [
      "key create --tenant ID --kind secret",
      "key list --tenant ID",
      "key rotate key_4fzXq0Tn2bLd --overlap 24h",
      "key revoke key_4fzXq0Tn2bLd",
    ],
  );
  addCreate(key, context);
  addList(key, context);
  addRotate(key, context);
  addRevoke(key, context);
}

type CreateOptions = TenantOptions & {
  kind: ApiKeyKind;
  name?: string;
  expires?: Expiry;
  operation?: string[];
};

function addCreate(key: Command, context: CommandContext): void {
  addVerb(key, "create", "create an API key and show it once", [
    "key create --tenant ID --kind secret",
    "key create --tenant ID --kind publishable --json",
    'key create --tenant ID --kind secret --name "Invoice job" --expires 90d --operation getWebhook',
  ])
    .requiredOption("--tenant <id>", "the tenant that owns the key")
    .requiredOption("--kind <kind>", "secret or publishable", parseKind)
    .option("--name <name>", "a name that helps people to recognise the key", parseName)
    .option(expiryFlag, `when the key expires: ${expiryForms} (default: never)`, parseExpiry(context.clock))
    .option(
      "--operation <operationId>",
      "allow only this operation; repeat the option to allow more",
      collectOperation,
    )
    .action((options: CreateOptions) =>
      runForTenant(context, options, async (store, { id: tenant_id }) => {
        const { kind, name = null, operation: operations = null } = options;
        const wanted = { tenant_id, kind, name, operations, expires_at: timeOf(options.expires) };
        const created = await createApiKey({ store, clock: context.clock }, wanted);
        return { json: { key: withSecret(created) }, text: createdText(created) };
      }),
    );
}

function addList(key: Command, context: CommandContext): void {
  addVerb(key, "list", "list a tenant's keys, including expired and revoked ones", ["key list --tenant ID"])
    .requiredOption("--tenant <id>", "the tenant that owns the keys")
    .action((options: TenantOptions) =>
      runForTenant(context, options, async (store, tenant) => {
        const keys = (await store.apiKeys.list(tenant.id)).map(listed);
        return { json: { keys }, text: formatTable(headings, keys.map(toRow)) };
      }),
    );
}

function addRotate(key: Command, { run, clock }: CommandContext): void {
  addVerb(key, "rotate", "replace a key with a similar new one; the old key expires after the overlap", [
    "key rotate key_4fzXq0Tn2bLd --overlap 24h",
    "key rotate key_4fzXq0Tn2bLd --overlap 24h --expires 90d",
  ])
    .argument("<id>", 'the id of the old key, see "key list"')
    .requiredOption(
      "--overlap <duration>",
      "how long the old key still works, such as 24h or 7d",
      parseDuration,
    )
    .option(
      expiryFlag,
      `when the new key expires: ${expiryForms}; required if the old key has an expiry`,
      parseExpiry(clock),
    )
    .action((id: string, options: CommonOptions & { overlap: number; expires?: Expiry }) =>
      run({ ...options, about: { rotated_key_id: id } }, async (store) => {
        const found = await store.apiKeys.find(id);
        if (found === undefined) throw noKey(`has the id ${id}`);
        if (found.revoked_at !== null || hasExpired(found, clock)) throw notActive(id);
        if (found.expires_at !== null && options.expires === undefined) {
          throw new AdminError(
            `the key ${id} expires at ${toTimestamp(found.expires_at)}; set the expiry of the new key, for example with --expires 90d or --expires never`,
          );
        }
        const times = { overlapMs: options.overlap, expires_at: timeOf(options.expires) };
        const rotated = await rotateApiKey({ store, clock }, found, times);
        if (rotated === undefined) {
          throw new AdminError(
            `another command changed the key ${id} at the same time; check "key list", then try again`,
          );
        }
        const expires_at = toOptionalTimestamp(rotated.old.expires_at);
        return {
          tenant_id: found.tenant_id,
          json: { key: withSecret(rotated.successor), rotated: { id, expires_at } },
          text: `The key ${id} expires at ${expires_at}.\n${createdText(rotated.successor)}`,
        };
      }),
    );
}

function addRevoke(key: Command, { run, clock, stdin }: CommandContext): void {
  addVerb(key, "revoke", "revoke a key immediately and permanently", [
    "key revoke key_4fzXq0Tn2bLd",
    "key revoke --key-stdin < leaked-key.txt",
  ])
    .argument("[id]", 'the key\'s id, see "key list"')
    .option("--key-stdin", "read the key itself from standard input, if you do not know its id")
    .action(
      async (id: string | undefined, options: CommonOptions & { keyStdin?: boolean }, verb: Command) => {
        if ((id === undefined) === (options.keyStdin === undefined))
          verb.error("error: give the key's id or --key-stdin, but not both");
        const named = id === undefined ? { hash: await readApiKeyHash(stdin, verb) } : { id };
        await run({ ...options, about: { key_id: id } }, async (store) => {
          const revoked = await store.apiKeys.revoke(named, clock());
          if (revoked?.revoked_at == null) throw noKey(id === undefined ? "matches" : `has the id ${id}`);
          const { kind } = revoked;
          const revoked_at = toTimestamp(revoked.revoked_at);
          return {
            tenant_id: revoked.tenant_id,
            json: { key: { id: revoked.id, kind, revoked_at } },
            text: `The ${kind} key ${revoked.id} was revoked at ${revoked_at}.`,
          };
        });
      },
    );
}

function timeOf(expiry: Expiry = "never"): number | null {
  return expiry === "never" ? null : expiry;
}

function withSecret({ id, kind, name, operations, expires_at, secret }: NewApiKey & { secret: string }) {
  return { id, kind, name, operations, expires_at: toOptionalTimestamp(expires_at), secret };
}

function createdText({ id, kind, expires_at, secret }: NewApiKey & { secret: string }): string {
  const expiry = expires_at === null ? "" : ` It expires at ${toTimestamp(expires_at)}.`;
  return `Created ${kind} key ${id}.${expiry} It is shown only once. Store it now:\n${secret}`;
}

function listed({ id, kind, name, last_four, operations, ...times }: ApiKey) {
  return {
    ...{ id, kind, name, last_four, operations },
    created_at: toTimestamp(times.created_at),
    expires_at: toOptionalTimestamp(times.expires_at),
    last_used_at: toOptionalTimestamp(times.last_used_at),
    revoked_at: toOptionalTimestamp(times.revoked_at),
  };
}

const headings = [
  "ID",
  "KIND",
  "ENDS IN",
  "CREATED",
  "EXPIRES",
  "LAST USED",
  "REVOKED",
  "OPERATIONS",
  "NAME",
];

function toRow(key: ReturnType<typeof listed>) {
  const { id, kind, last_four, created_at, expires_at, last_used_at, revoked_at, operations, name } = key;
  return [id, kind, last_four, created_at, expires_at, last_used_at, revoked_at, operations?.join(), name];
}

function noKey(which: string): AdminError {
  return new AdminError(`no key ${which}; "key list --tenant ID" lists a tenant's keys`);
}

function notActive(id: string): AdminError {
  return new AdminError(`the key ${id} is revoked or has expired; create another with "key create"`);
}

function toOptionalTimestamp(epochMs: number | null): string | null {
  return epochMs === null ? null : toTimestamp(epochMs);
}

function toTimestamp(epochMs: number): string {
  return new Date(epochMs).toISOString();
}
