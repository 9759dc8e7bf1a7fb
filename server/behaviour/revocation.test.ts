/** Tests that a busy server rejects a key from the first request after another process has revoked it. */
import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openStore } from "../store/open.ts";
import type { Store } from "../store/store.ts";
import { databases } from "../testing/databases.ts";
import { type RunningServer, startServer } from "../testing/program.ts";
import { makeTenant } from "../testing/tenants.ts";

describe.each(databases)("on $name", ({ create }) => {
  const stack = new AsyncDisposableStack();
  let store: Store;
  let server: RunningServer;
  beforeAll(async () => {
    const { url, remove } = await create();
    stack.defer(remove);
    store = await openStore(url);
    stack.defer(() => store.close());
    server = stack.use(await startServer(url, { MAX_CONNECTIONS: "3000" }));
  });
  afterAll(() => stack.disposeAsync());

  test.each([
    { connections: 8, pipelined: 10 },
    { connections: 2000, pipelined: 1 },
  ])(
    "a revoked key is rejected on $connections connections with $pipelined simultaneous requests each",
    async (load) => {
      const { secretKey, secretKeyId, webhook } = await makeTenant(store);
      const request = [
        `GET /v1/webhooks/${webhook.id} HTTP/1.1`,
        "Host: a",
        `Authorization: Bearer ${secretKey}`,
        "Content-Type: application/json",
        "Content-Length: 2",
        "",
        "{}",
      ].join("\r\n");

      const statuses = { before: new Set<number>(), after: new Set<number>() };
      let isRevoked = false;
      let begunBefore = 0;
      /** Sends requests repeatedly, and once more after the key was revoked. */
      const send = () =>
        new Promise<void>((resolve, reject) => {
          const socket = connect(Number(new URL(server.url).port), "127.0.0.1");
          let isLast = false;
          let waiting = 0;
          const next = (): void => {
            isLast = isRevoked;
            waiting = load.pipelined;
            socket.write(request.repeat(load.pipelined));
          };
          socket.setEncoding("latin1").once("connect", next).once("error", reject);
          socket.on("data", (text: string) => {
            for (const [, status] of text.matchAll(/HTTP\/1\.1 (\d{3})/g)) {
              statuses[isLast ? "after" : "before"].add(Number(status));
              waiting -= 1;
            }
            if (waiting > 0) return;
            if (!isLast) {
              begunBefore += 1;
              next();
            } else {
              socket.destroy();
              resolve();
            }
          });
        });
      const all = Promise.all(Array.from({ length: load.connections }, send));
      await expect.poll(() => begunBefore).toBeGreaterThan(load.connections * 2);
      await store.apiKeys.revoke({ id: secretKeyId }, Date.now());
      isRevoked = true;
      await all;
      expect([...statuses.after]).toEqual([401]);
      expect(statuses.before).toContain(200);
    },
  );
});
