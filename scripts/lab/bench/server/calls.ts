/** The database of the shop, the measured calls, and the responses that every server must send before it is measured. */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { RunError } from "../measure.ts";
import inputs from "../peers/inputs.json" with { type: "json" };
import { root } from "../peers.ts";
import type { Load } from "./http-load.ts";
import { type Call, type RunningServer, send } from "./running.ts";

interface Shop {
  readonly secretKey: string;
  readonly webhook: { readonly id: number; readonly url: string; readonly events: readonly string[] };
  readonly user: { readonly type: string; readonly dial_code: string; readonly mobile: string };
  readonly password: string;
}

/** @param folder of the checkout whose command line creates the database */
export function createShop(databaseUrl: string, folder = root): Shop {
  const admin = <Output>(args: readonly string[], input = ""): Output => {
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [join(folder, "server/admin/main.ts"), ...args, "--json"],
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

/** The load replaces these digits with a new number for each request. */
const counterDigits = "0000000000";

const definition = inputs.SubmitCommissionRequest.valid.commission;

export function callsOf({ secretKey, webhook, user, password }: Shop) {
  const call = (method: string, path: string, value: unknown, key = secretKey): Call => {
    const body = JSON.stringify(value);
    const headers = {
      Host: "127.0.0.1",
      "Content-Type": "application/json",
      Authorization: `Bearer ${key}`,
      "Content-Length": String(Buffer.byteLength(body)),
    };
    return { method, path, headers, body };
  };
  const submit = (changes: object): Call => call("GET", "/", { commission: { ...definition, ...changes } });
  const logIn = (given: string): Call =>
    call("POST", "/v1/users/login", { user: { uuid: "bench", ...user, password: given, auth_type: 3 } });
  const path = `/v1/webhooks/${webhook.id}`;
  return {
    webhook: call("GET", path, {}),
    knownDefinition: submit({}),
    newDefinition: submit({ title: counterDigits }),
    login: logIn(password),
    wrongPassword: logIn("wrong"),
    wrongKey: call("GET", path, {}, `${secretKey.slice(0, -1)}~`),
    unknownId: call("GET", "/v1/webhooks/999999", {}),
    invalidId: call("GET", "/v1/webhooks/abc", {}),
    untitled: submit({ title: undefined }),
    negative: submit({ default_value: -1 }),
  };
}

type Calls = ReturnType<typeof callsOf>;

export const scenarios = [
  { title: "getWebhook", call: "webhook", connections: 32 },
  { title: "submitCommission, a known definition", call: "knownDefinition", connections: 32 },
  { title: "submitCommission, new definitions", call: "newDefinition", connections: 32 },
  { title: "loginUser", call: "login", connections: 4 },
] as const satisfies readonly { title: string; call: keyof Calls; connections: number }[];

type Scenario = (typeof scenarios)[number];

export function loadOf(
  scenario: Scenario,
  calls: Calls,
  port: number,
  ms: number,
  connections: number = scenario.connections,
): Load {
  const { call } = scenario;
  const { method, path, headers, body } = calls[call];
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const request = [`${method} ${path} HTTP/1.1`, ...lines, "", body].join("\r\n");
  const counterAt = request.indexOf(counterDigits);
  return { port, connections, ms, request, ...(counterAt >= 0 && { counterAt }) };
}

export type Omits = "everything" | "validation" | "nothing";

export async function assertCorrect(running: RunningServer, omits: Omits, shop: Shop): Promise<void> {
  const calls = callsOf(shop);
  const expectStatus = async (name: keyof Calls, ...statuses: readonly number[]): Promise<string> => {
    const { status, body } = await send(running.port, calls[name]);
    if (!statuses.includes(status))
      throw new RunError(`${running.name} responds to ${name} with ${status}: ${body}`);
    return body;
  };
  const webhook = JSON.stringify(JSON.parse(await expectStatus("webhook", 200)));
  const { id, url, events } = shop.webhook;
  if (webhook !== JSON.stringify({ status: true, data: { webhook: { id, url, events } } }))
    throw new RunError(`${running.name} returns a wrong webhook: ${webhook}`);
  const first = await expectStatus("knownDefinition", 200);
  if ((await expectStatus("knownDefinition", 200)) !== first)
    throw new RunError(`${running.name} stores a definition twice`);
  await expectStatus("login", 200);
  if (omits === "everything") return;
  await expectStatus("wrongKey", 401);
  await expectStatus("unknownId", 404);
  await expectStatus("wrongPassword", 401);
  if (omits === "validation") return;
  for (const name of ["invalidId", "untitled", "negative"] as const) await expectStatus(name, 400, 422);
}
