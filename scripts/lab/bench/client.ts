/**
 * What a call costs above the bare request that it makes: a GET with content beside node:http, a POST beside fetch, each
 * pair in turns against the same server in a process of its own.
 */
import { fork } from "node:child_process";
import { once } from "node:events";
import { Agent, request } from "node:http";
import { parseArgs } from "node:util";
import { createClient } from "../../../client/index.ts";
import { messageOf } from "../../generate/problems.ts";
import { machine, summaryOf } from "./measure.ts";

const help = `Measures what a call of the client costs above the bare request.

Usage: npm run bench -- client [OPTIONS]

  --calls N    calls of each kind in a round   (2000)
  --rounds N   rounds, of which the first is not counted   (6)
  --help       this text
`;

type Call = () => Promise<unknown>;

/** @returns the exit status */
export async function benchClient(args: readonly string[]): Promise<number> {
  let options: { calls: number; rounds: number; help: boolean };
  try {
    options = optionsOf(args);
  } catch (error) {
    process.stderr.write(`${messageOf(error)}\nTry: npm run bench -- client --help\n`);
    return 2;
  }
  if (options.help) {
    process.stdout.write(help);
    return 0;
  }
  const server = fork(new URL("client-server.ts", import.meta.url));
  try {
    const [port] = await once(server, "message");
    const baseUrl = `http://127.0.0.1:${port}`;
    const client = createClient({ baseUrl, apiKey: "sk_bench" });
    const body = { commission: { title: "Flat", type: "supply", default_value: 10 } };
    const user = { uuid: "device", type: "customer", dial_code: "91", mobile: "1", password: "p" };
    process.stdout.write(`${machine()}\n`);
    await compare("GET with content, beside node:http", options, {
      client: () => client.submitCommission({ body }),
      bare: () => bareGet(`${baseUrl}/`, JSON.stringify(body)),
    });
    await compare("POST, beside fetch", options, {
      client: () => client.loginUser({ body: { user } }),
      bare: () => bareFetch(`${baseUrl}/v1/users/login`, JSON.stringify({ user })),
    });
    return 0;
  } finally {
    server.disconnect();
  }
}

/** @throws TypeError, of parseArgs, and RangeError */
function optionsOf(args: readonly string[]) {
  const { values } = parseArgs({
    args: [...args],
    options: {
      calls: { type: "string", default: "2000" },
      rounds: { type: "string", default: "6" },
      help: { type: "boolean", default: false },
    },
  });
  const calls = Number(values.calls);
  const rounds = Number(values.rounds);
  if (!(Number.isInteger(calls) && calls > 0)) throw new RangeError("--calls must be a number above 0");
  if (!(Number.isInteger(rounds) && rounds > 1)) throw new RangeError("--rounds must be a number above 1");
  return { calls, rounds, help: values.help };
}

/** The median ratio over the rounds, with the lowest and the highest. */
async function compare(
  title: string,
  { calls, rounds }: { calls: number; rounds: number },
  { client, bare }: { client: Call; bare: Call },
): Promise<void> {
  const ratios: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const ofBare = await msOf(bare, calls);
    const ofClient = await msOf(client, calls);
    if (round > 0) ratios.push(ofClient / ofBare);
  }
  const { median, min, max } = summaryOf(ratios);
  process.stdout.write(`${title}: ${median.toFixed(2)} × (${min.toFixed(2)} to ${max.toFixed(2)})\n`);
}

async function msOf(call: Call, calls: number): Promise<number> {
  const startedAt = performance.now();
  for (let index = 0; index < calls; index++) await call();
  return performance.now() - startedAt;
}

const headers = { authorization: "Bearer sk_bench", "content-type": "application/json" };
const agent = new Agent({ keepAlive: true });

function bareGet(url: string, content: string): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const outgoing = request(url, {
      method: "GET",
      agent,
      headers: { ...headers, "content-length": Buffer.byteLength(content) },
    });
    outgoing.on("error", reject);
    outgoing.on("response", (incoming) => {
      let text = "";
      incoming.setEncoding("utf8");
      incoming.on("error", reject);
      incoming.on("data", (chunk: string) => {
        text += chunk;
      });
      incoming.on("end", () => resolve(JSON.parse(text)));
    });
    outgoing.end(content);
  });
}

async function bareFetch(url: string, content: string): Promise<unknown> {
  const response = await fetch(url, { method: "POST", headers, body: content });
  return response.json();
}
