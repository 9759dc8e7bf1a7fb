import type { Command } from "commander";
import { mobileAndPassword } from "../domain/login.ts";
import { createTenant } from "../domain/registration.ts";
import { addNoun, addVerb, type CommandContext, formatTable } from "./command.ts";
import { parseAuthType, parseText } from "./option-values.ts";

export function addTenantCommands(program: Command, { run }: CommandContext): void {
  const tenant = addNoun(program, "tenant", "tenants, which own keys, users, commissions and webhooks", [
    "tenant create --name Acme",
    "tenant list",
  ]);

  addVerb(tenant, "create", "create a tenant", ["tenant create --name Acme"])
    .requiredOption("--name <name>", "name of the tenant", parseText)
    .option(
      "--auth-type <number>",
      "authentication flow of logins that do not set auth_type; 3, by mobile number and password, is the only one",
      parseAuthType,
      mobileAndPassword,
    )
    .action((options: { name: string; authType: number; json?: boolean }) =>
      run({ ...options, mayCreate: true }, async (store) => {
        const { id, name, auth_type } = await createTenant(store, {
          name: options.name,
          auth_type: options.authType,
        });
        const warning = `\nOnly authentication flow ${mobileAndPassword} is supported: logins that do not set auth_type will be rejected.`;
        return {
          json: { tenant: { id, name, auth_type } },
          text: `Created tenant ${name}: ${id}${auth_type === mobileAndPassword ? "" : warning}`,
        };
      }),
    );

  addVerb(tenant, "list", "list all tenants", ["tenant list", "tenant list --json"]).action(
    (options: { json?: boolean }) =>
      run(options, async (store) => {
        const tenants = await store.tenants.list();
        const rows = tenants.map(({ id, name, auth_type }) => [id, String(auth_type), name]);
        return {
          json: { tenants: tenants.map(({ id, name, auth_type }) => ({ id, name, auth_type })) },
          text: formatTable(["ID", "AUTH TYPE", "NAME"], rows),
        };
      }),
  );
}
