import type { Ids, Result } from "./command.ts";

/** Pino's level "info", as in the server's log. */
const level = 30;

/** Matches ids of keys, tenants and users. Other text that an operator gives as an id may be secret or personal. */
const idForm = /^(?:key_[0-9A-Za-z]{12}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

type Action = { time: number; ids: Ids; result: "done" | "failed"; database: string };

/** @param isForPeople the line goes to a terminal. Otherwise it is JSON, as the server's log */
export function auditLine(
  argv: readonly string[],
  { time, ids, result, database }: Action,
  isForPeople = false,
): string {
  // All other commands begin with a noun and a verb. The second word of `backup` is a path.
  const action = argv[0] === "backup" ? "backup" : argv.slice(0, 2).join(" ");
  const known = Object.fromEntries(
    Object.entries(ids).filter(([, id]) => typeof id === "number" || idForm.test(id ?? "")),
  );
  if (isForPeople) {
    const fields = Object.entries({ ...known, database }).map((each) => each.join(" "));
    return `audit: ${[action, result, ...fields].join(", ")}\n`;
  }
  return `${JSON.stringify({ level, time, audit: "admin", action, ...known, database, result, msg: "a command was run" })}\n`;
}

/** Returns only the ids, because the rest of the result may contain a key or a TOTP secret. */
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
