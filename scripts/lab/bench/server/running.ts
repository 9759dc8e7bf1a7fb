import { request } from "node:http";
import { createServer } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { Child } from "../child.ts";
import { RunError } from "../measure.ts";
import { root } from "../peers.ts";
import type { BenchDatabase } from "./databases.ts";
import type { Load, Loaded } from "./http-load.ts";
import type { Use, UseOptions } from "./report-use.ts";

export interface Call {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface Program {
  readonly name: string;
  readonly file: string;
  readonly env: Readonly<Record<string, string>>;
}

export interface RunningServer extends AsyncDisposable {
  readonly name: string;
  readonly port: number;
  use(options?: UseOptions): Promise<Use>;
}

const reportUse = fileURLToPath(new URL("report-use.ts", import.meta.url));
/** All servers cache compiled code, as `npm start` does. */
const compileCache = join(root, "node_modules/.cache/compile");
const startLimitMs = 30_000;

/** Resolves after the first response to `call` with status 200. @throws RunError if no such response arrives in time */
export async function startServer({ name, file, env }: Program, call: Call): Promise<RunningServer> {
  const port = await freePort();
  const environment = { NODE_COMPILE_CACHE: compileCache, PORT: String(port), ...env };
  const child = new Child(name, ["--expose-gc", "--import", reportUse, file], environment);
  const running: RunningServer = {
    name,
    port,
    use: (options = {}) => child.ask<Use>(options),
    [Symbol.asyncDispose]: () => child[Symbol.asyncDispose](),
  };
  try {
    for (const until = performance.now() + startLimitMs; performance.now() < until; await delay(5)) {
      const response = await send(port, call).catch(() => undefined);
      if (response?.status === 200) return running;
      if (!child.isRunning) throw child.ended();
    }
    throw new RunError(`${name} did not respond with 200 in ${startLimitMs / 1000} s`);
  } catch (error) {
    await running[Symbol.asyncDispose]();
    throw error;
  }
}

export interface Slice extends Loaded {
  readonly serverCpuMs: number;
  readonly databaseCpuMs: number;
  readonly longestStallMs: number;
}

export function startLoad(): Child {
  return new Child("the load", [fileURLToPath(new URL("http-load.ts", import.meta.url))]);
}

export async function slice(
  loader: Child,
  running: RunningServer,
  load: Load,
  database: Pick<BenchDatabase, "cpuMs">,
): Promise<Slice> {
  const databaseBefore = await database.cpuMs();
  const before = await running.use();
  const { loaded, error } = await loader.ask<{ loaded: Loaded; error?: string }>(load);
  if (error !== undefined) throw new RunError(`${running.name}: ${error}`);
  const rejected = Object.entries(loaded.rejected).map(([status, count]) => `${count} × ${status}`);
  if (rejected.length > 0) throw new RunError(`${running.name} responded with ${rejected.join(", ")}`);
  const after = await running.use();
  const databaseCpuMs = (await database.cpuMs()) - databaseBefore;
  const serverCpuMs = after.cpuMs - before.cpuMs;
  return { ...loaded, serverCpuMs, databaseCpuMs, longestStallMs: after.longestStallMs };
}

export function send(port: number, call: Call): Promise<{ status: number; body: string }> {
  return new Promise((resolve, reject) => {
    const outgoing = request({ ...call, host: "127.0.0.1", port, agent: false });
    outgoing.once("error", reject);
    outgoing.once("response", async (incoming) => {
      resolve({ status: incoming.statusCode ?? 0, body: await text(incoming) });
    });
    outgoing.end(call.body);
  });
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" && address !== null ? address.port : 0));
    });
  });
}
