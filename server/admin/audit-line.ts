import { withoutApiKeys } from "../domain/api-keys.ts";
import type { Result } from "./session.ts";

type Ids = {
  tenant_id?: string | undefined;
  key_id?: string;
  rotated_key_id?: string;
  user_id?: string;
  webhook_id?: number;
};

/** The pino level "info", as in the log of the server. */
const level = 30;

/** Has no arguments but the tenant's id, because they may be personal data, or a key in place of an id. */
export function auditLine(
  argv: readonly string[],
  time: number,
  about: Ids & { result: "done" | "failed" },
): string {
  // The other commands are a noun and a verb. The argument of a backup is a path.
  const action = argv[0] === "backup" ? "backup" : argv.slice(0, 2).join(" ");
  const line = { level, time, audit: "admin", action, ...about, msg: "a command was run" };
  return `${withoutApiKeys(JSON.stringify(line))}\n`;
}

/** Only ids: the rest of the result may contain a key or a TOTP secret. */
export function idsIn({ json, tenant_id }: Result): Ids {
  const { tenant, key, rotated, user, webhook } = json as { readonly [noun: string]: { readonly id: never } };
  return {
    ...(tenant_id !== undefined && { tenant_id }),
    ...(tenant && { tenant_id: tenant.id }),
    ...(key && { key_id: key.id }),
    ...(rotated && { rotated_key_id: rotated.id }),
    ...(user && { user_id: user.id }),
    ...(webhook && { webhook_id: webhook.id }),
  };
}
