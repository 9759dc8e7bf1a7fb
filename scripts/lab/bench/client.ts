/** Compares a call of the client with the same request without the client. The server runs in another process. */
import { once } from "node:events";
import { Agent, createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { createClient } from "../../../client/index.ts";
import { Child } from "./child.ts";
import { type BenchOptions, machine, type Summary, spread, summaryOf } from "./measure.ts";

const callsPerRound = 2000;
const headers = { authorization: "Bearer sk_bench", "content-type": "application/json" };

export async function bench({ quick, rounds = quick ? 3 : 9 }: BenchOptions): Promise<string> {
  await using server = new Child("the server", [fileURLToPath(import.meta.url)]);
  const baseUrl = `http://127.0.0.1:${await server.ask<number>({})}`;
  const client = createClient({ baseUrl, apiKey: "sk_bench" });
  const body = { commission: { title: "Flat", type: "supply", default_value: 10 } };
  const user = { uuid: "device", type: "customer", dial_code: "91", mobile: "1", password: "p" };
  const agent = new Agent({ keepAlive: true });
  const get = await ratios(rounds, {
    client: () => client.submitCommission({ body }),
    bare: () => bareGet(`${baseUrl}/`, agent, JSON.stringify(body)),
  });
  const post = await ratios(rounds, {
    client: () => client.loginUser({ body: { user } }),
    bare: () => bareFetch(`${baseUrl}/v1/users/login`, JSON.stringify({ user })),
  });
  agent.destroy();
  return `A GET with a body takes ${spread(get, 2)} times as long as with node:http, a POST ${spread(post, 2)} times as long as with fetch.

Median (least–most) of ${rounds} rounds of ${callsPerRound} calls. ${machine()}.
`;
}

type TimedCall = () => Promise<unknown>;

/** Returns the client's time divided by the time of the request. Round 0 warms up. */
async function ratios(
  rounds: number,
  { client, bare }: { client: TimedCall; bare: TimedCall },
): Promise<Summary> {
  const taken: number[] = [];
  for (let round = 0; round <= rounds; round += 1) {
    const bareMs = await msOf(bare);
    const clientMs = await msOf(client);
    if (round > 0) taken.push(clientMs / bareMs);
  }
  return summaryOf(taken);
}

async function msOf(call: TimedCall): Promise<number> {
  const started = performance.now();
  for (let index = 0; index < callsPerRound; index += 1) await call();
  return performance.now() - started;
}

async function bareGet(url: string, agent: Agent, body: string): Promise<unknown> {
  const length = { "content-length": Buffer.byteLength(body) };
  const outgoing = request(url, { method: "GET", agent, headers: { ...headers, ...length } }).end(body);
  const [incoming] = await once(outgoing, "response");
  return json(incoming);
}

async function bareFetch(url: string, body: string): Promise<unknown> {
  const response = await fetch(url, { method: "POST", headers, body });
  return response.json();
}

/** The server process sends the same response to every request, and ends when its parent ends. */
if (import.meta.main) {
  const body = JSON.stringify({ status: true, data: { commission: { id: 1, rate: 10 } } });
  const server = createServer((incoming, outgoing) => {
    incoming.resume().once("end", () => outgoing.setHeader("content-type", "application/json").end(body));
  }).listen(0, "127.0.0.1");
  process.on("message", () => process.send?.((server.address() as AddressInfo).port));
  process.on("disconnect", () => process.exit());
}
