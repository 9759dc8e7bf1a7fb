import type { Command } from "commander";
import { commandLine } from "../admin-command-line.ts";
import type { Config } from "../config.ts";
import type { Clock } from "../domain/clock.ts";
import { checkTotpKeys, type TotpKeys } from "../domain/totp-keys.ts";
import type { Store, Tenant } from "../store/store.ts";

export type CommandContext = {
  clock: Clock;
  stdin: AsyncIterable<Uint8Array | string>;
  totpKeys: TotpKeys;
  commonPasswords: Config["COMMON_PASSWORDS"];
  production: boolean;
  databaseUrl: string;
  /** Opens the store, runs the command and prints its `json` with `--json`, or otherwise its `text`. */
  run(options: CommonOptions, command: (store: Store) => Promise<Result>): Promise<void>;
  /** Does the same as `run`, but does not open the store. */
  perform(options: CommonOptions, command: () => Promise<Result>): Promise<void>;
};

export type Ids = {
  tenant_id?: string | undefined;
  key_id?: string | undefined;
  rotated_key_id?: string;
  user_id?: string;
  webhook_id?: number;
};

/**
 * `about` contains the ids that the user gave. The audit log needs them if the command fails. Without `mayCreate`, a missing
 * SQLite file is an error, because its path may be mistyped.
 */
export type CommonOptions = { json?: boolean; tenant?: string; about?: Ids; mayCreate?: boolean };

export type TenantOptions = CommonOptions & { tenant: string };

/** `tenant_id` is for the audit log. Set it if neither an option nor `json` contains the tenant's id. */
export type Result = { json: object; text: string; tenant_id?: string | undefined };

/** The data in the database does not allow the action. The message is one line and says what to do. */
export class AdminError extends Error {
  override name = "AdminError";
}

/** @throws AdminError */
export async function requireTenant(store: Store, id: string): Promise<Tenant> {
  const tenant = await store.tenants.find(id);
  if (tenant === undefined) {
    throw new AdminError(`no tenant has the id ${id}; "tenant list" lists all tenants`);
  }
  return tenant;
}

/** Runs a command for an existing tenant. */
export function runForTenant(
  { run }: CommandContext,
  options: TenantOptions,
  command: (store: Store, tenant: Tenant) => Promise<Result>,
): Promise<void> {
  return run(options, async (store) => command(store, await requireTenant(store, options.tenant)));
}

/** Checks that new TOTP secrets can be encrypted, which production requires. @throws AdminError, TotpKeyError */
export async function requireTotpKeys(store: Store, { totpKeys, production }: CommandContext): Promise<void> {
  if (production && totpKeys.current === undefined) {
    throw new AdminError(
      "the TOTP secret would not be encrypted; set TOTP_SECRET_KEYS, here and for the server, to the output of `openssl rand -base64 32`",
    );
  }
  await checkTotpKeys(store, totpKeys);
}

export function addNoun(program: Command, name: string, description: string, examples: string[]): Command {
  return addExamples(program.command(name).description(description), examples);
}

export function addVerb(noun: Command, name: string, description: string, examples: string[]): Command {
  const verb = noun.command(name).description(description).option("--json", "print one JSON object");
  return addExamples(verb, examples);
}

export function addExamples(command: Command, examples: string[]): Command {
  const lines = examples.map((example) => `\n  $ ${commandLine} ${example}`);
  return command.addHelpText("after", `\nExamples:${lines.join("")}`);
}

/** Shows a missing value as "-". */
export function formatTable(headings: string[], values: (string | null | undefined)[][]): string {
  const rows = values.map((row) => row.map((value) => value ?? "-"));
  const widths = headings.map((heading, column) =>
    Math.max(heading.length, ...rows.map((row) => (row[column] ?? "").length)),
  );
  return [headings, ...rows]
    .map((row) =>
      row
        .map((value, column) => value.padEnd(widths[column] ?? 0))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}
