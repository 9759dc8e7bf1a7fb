import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { root } from "../peers.ts";

export interface Shop {
  readonly secretKey: string;
  readonly webhook: { readonly id: number; readonly url: string; readonly events: readonly string[] };
  readonly user: { readonly type: string; readonly dial_code: string; readonly mobile: string };
  readonly password: string;
}

export function createShop(databaseUrl: string): Shop {
  const admin = <Output>(args: readonly string[], input = ""): Output => {
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [join(root, "server/admin/main.ts"), ...args, "--json"],
      { env: { PATH: process.env.PATH, DATABASE_URL: databaseUrl }, input, encoding: "utf8" },
    );
    if (status !== 0) throw new Error(`admin ${args.slice(0, 2).join(" ")} failed: ${stderr.trim()}`);
    return JSON.parse(stdout);
  };
  const { tenant } = admin<{ tenant: { id: string } }>(["tenant", "create", "--name", "Shop"]);
  const of = ["--tenant", tenant.id];
  const { key } = admin<{ key: { secret: string } }>(["key", "create", ...of, "--kind", "secret"]);
  const url = "https://shop.test/hooks/orders";
  const events = ["order.created", "order.paid"];
  const eventArgs = ["--event", "order.created", "--event", "order.paid"];
  const { webhook } = admin<{ webhook: { id: number } }>(
    ["webhook", "create", ...of, "--url", url].concat(eventArgs),
  );
  const user = { type: "customer", dial_code: "91", mobile: "9876543210" };
  const password = "correct horse battery staple";
  const login = ["--type", user.type, "--dial-code", user.dial_code, "--mobile", user.mobile];
  admin(["user", "create", ...of, ...login, "--password-stdin"], `${password}\n`);
  return { secretKey: key.secret, webhook: { id: webhook.id, url, events }, user, password };
}
