import type { Ids, Result } from "./session.ts";

/** The pino level "info", as in the log of the server. */
const level = 30;

/** Of a key, or of a tenant or a user. What else an operator types as an id may be secret or personal. */
const idForm = /^(?:key_[0-9A-Za-z]{12}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

export function auditLine(
  argv: readonly string[],
  time: number,
  ids: Ids,
  result: "done" | "failed",
): string {
  // The other commands are a noun and a verb. The argument of a backup is a path.
  const action = argv[0] === "backup" ? "backup" : argv.slice(0, 2).join(" ");
  const known = Object.fromEntries(
    Object.entries(ids).filter(([, id]) => typeof id === "number" || idForm.test(id ?? "")),
  );
  return `${JSON.stringify({ level, time, audit: "admin", action, ...known, result, msg: "a command was run" })}\n`;
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
