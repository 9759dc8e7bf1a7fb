/** Tests that replicas can be restarted under load. */
import { Agent, request } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import { expect, it } from "vitest";
import { createApiKey } from "../domain/api-keys.ts";
import { createTenant } from "../domain/registration.ts";
import { openStore } from "../store/open.ts";
import { databases, type TestDatabase } from "../testing/databases.ts";
import { RawConnection } from "../testing/http.ts";
import { type RunningServer, startServer } from "../testing/program.ts";

const requestsPerSecond = 1000;
const mostPending = 200;
const restarts = 10;
const checkMs = 50;
/** Enough for many checks of the balancer, also on a busy machine. */
const settings = { SHUTDOWN_DELAY_SECONDS: "4" };

/** A replica, as a load balancer sees it. */
interface Replica {
  server: RunningServer;
  agent: Agent;
  isReady: boolean;
}

async function setUp({ create }: TestDatabase, stack: AsyncDisposableStack) {
  const { url, remove } = await create();
  stack.defer(remove);
  const store = await openStore(url);
  const { id } = await createTenant(store, { name: "Acme", auth_type: 3 });
  const { secret } = await createApiKey({ store, clock: Date.now }, { tenant_id: id, kind: "secret" });
  await store.close();
  return { url, secret };
}

/** Returns the status of a response, or the code of an error. */
function statusOf(url: string, agent: Agent, secret: string): Promise<number | string | undefined> {
  return new Promise((resolve) => {
    const headers = { authorization: `Bearer ${secret}` };
    const outgoing = request(url, { agent, headers }, (incoming) => {
      incoming.resume();
      incoming.on("close", () => resolve(incoming.complete ? incoming.statusCode : "incomplete"));
    });
    outgoing.on("error", (error: NodeJS.ErrnoException) => resolve(error.code));
    outgoing.end();
  });
}

it("two replicas behind a balancer drop no request in ten restarts", async () => {
  await using stack = new AsyncDisposableStack();
  const { url, secret } = await setUp(databases[1] as TestDatabase, stack);
  const start = async (): Promise<Replica> => {
    const agent = new Agent({ keepAlive: true });
    return { server: stack.use(await startServer(url, settings)), agent, isReady: false };
  };
  const replicas = [await start(), await start()];
  const check = async (replica: Replica) => {
    replica.isReady = (await statusOf(`${replica.server.url}/readyz`, replica.agent, secret)) === 200;
  };
  const stopped = new AbortController();
  const checks = async () => {
    while (!stopped.signal.aborted) {
      await Promise.all(replicas.map(check));
      await wait(checkMs);
    }
  };
  const results = new Map<number | string | undefined, number>();
  const pending = new Set<Promise<void>>();
  let sent = 0;
  const send = (begun: number) => {
    const due = ((performance.now() - begun) / 1000) * requestsPerSecond;
    // A slow machine sends fewer requests per second.
    for (; sent < due && pending.size < mostPending; sent += 1) {
      const ready = replicas.filter(({ isReady }) => isReady);
      const replica = ready[sent % ready.length];
      if (replica === undefined) return;
      const call = statusOf(`${replica.server.url}/v1/webhooks/1`, replica.agent, secret).then((status) => {
        results.set(status, (results.get(status) ?? 0) + 1);
        pending.delete(call);
      });
      pending.add(call);
    }
  };
  const checking = checks();
  await expect.poll(() => replicas.every(({ isReady }) => isReady)).toBe(true);
  const begun = performance.now();
  const load = setInterval(() => send(begun), 5);
  const exits = [];
  for (let count = 0; count < restarts; count += 1) {
    const index = count % 2;
    const replica = replicas[index] as Replica;
    replica.server.child.kill("SIGTERM");
    exits.push(await replica.server.ended);
    replicas[index] = await start();
    await expect.poll(() => replicas[index]?.isReady).toBe(true);
  }
  clearInterval(load);
  await Promise.all(pending);
  stopped.abort();
  await checking;
  expect(Object.fromEntries(results)).toEqual({ 404: sent });
  expect(exits).toEqual(Array(restarts).fill({ status: 0, signal: null }));
});

it("a stop does not wait for callers that connect again, and no request of theirs is lost", async () => {
  await using stack = new AsyncDisposableStack();
  const { url, secret } = await setUp(databases[0] as TestDatabase, stack);
  const server = stack.use(await startServer(url));
  const text = `GET /v1/webhooks/1 HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${secret}\r\n\r\n`;
  let count = 0;
  /** Sends a request on each new connection, until the server accepts no more connections. */
  const reconnect = async () => {
    const lost: string[] = [];
    for (;;) {
      const connection = await RawConnection.open(server.url).catch((error: NodeJS.ErrnoException) => error);
      if (connection instanceof Error) return [...lost, connection.code];
      connection.write(text);
      const response = await connection.response();
      if (response?.status !== 404) lost.push(`${response?.status}`);
      connection[Symbol.dispose]();
      count += 1;
    }
  };
  const callers = Array.from({ length: 200 }, reconnect);
  await expect.poll(() => count).toBeGreaterThan(1000);
  server.child.kill("SIGTERM");
  expect(new Set((await Promise.all(callers)).map(String))).toEqual(new Set(["ECONNREFUSED"]));
  expect(await server.ended).toEqual({ status: 0, signal: null });
  expect(server.output()).toContain('"requests_cut_off":0');
});
