/** The database that every server gets a copy of, made by the operator's command line, and what is known of it. */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export interface Shop extends Registered {
  /** The path of its SQLite file. */
  readonly database: string;
}

/** What is known of a tenant of its own in some database. */
export interface Registered {
  readonly secretKey: string;
  readonly webhook: { readonly id: number; readonly url: string; readonly events: readonly string[] };
  readonly user: { readonly type: string; readonly dial_code: string; readonly mobile: string };
  readonly password: string;
}

const admin = fileURLToPath(new URL("../../../../server/admin/main.ts", import.meta.url));

/** @throws Error where the command line fails */
export function makeShop(folder: string): Shop {
  const database = join(folder, "shop.db");
  return { database, ...register(`file:${database}`) };
}

/** Makes a tenant with a secret key, a webhook and a user. @throws Error where the command line fails */
export function register(databaseUrl: string): Registered {
  const run = <Answer>(args: readonly string[], input = ""): Answer => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [admin, ...args, "--json"], {
      env: { PATH: process.env.PATH, DATABASE_URL: databaseUrl },
      input,
      encoding: "utf8",
    });
    if (status !== 0) throw new Error(`admin ${args.slice(0, 2).join(" ")} failed: ${stderr.trim()}`);
    return JSON.parse(stdout);
  };
  const { tenant } = run<{ tenant: { id: string } }>(["tenant", "create", "--name", "Shop"]);
  const of = ["--tenant", tenant.id];
  const { key } = run<{ key: { secret: string } }>(["key", "create", ...of, "--kind", "secret"]);
  const url = "https://shop.test/hooks/orders";
  const events = ["order.created", "order.paid"];
  const { webhook } = run<{ webhook: { id: number } }>([
    "webhook",
    "create",
    ...of,
    "--url",
    url,
    ...events.flatMap((event) => ["--event", event]),
  ]);
  const user = { type: "customer", dial_code: "91", mobile: "9876543210" };
  const password = "correct horse battery staple";
  const login = ["--type", user.type, "--dial-code", user.dial_code, "--mobile", user.mobile];
  run(["user", "create", ...of, ...login, "--password-stdin"], `${password}\n`);
  return { secretKey: key.secret, webhook: { id: webhook.id, url, events }, user, password };
}
