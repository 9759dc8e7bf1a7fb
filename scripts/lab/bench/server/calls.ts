/** The measured calls, and the responses that every server must send before it is measured. */
import { RunError } from "../measure.ts";
import inputs from "../peers/inputs.json" with { type: "json" };
import type { Load } from "./http-load.ts";
import { type Call, type RunningServer, send } from "./running.ts";
import type { Shop } from "./shop.ts";

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

export function loadOf({ call, connections }: Scenario, calls: Calls, port: number, ms: number): Load {
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
