/** The generated sender and receiver of the fixture, and a receiver over a real socket. */
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { getRequestListener } from "@hono/node-server";
import type { Contract } from "#specbind/contract";
import { generate } from "../../pipeline.ts";
import { fixtures } from "../../testing/programs.ts";

export const shop = join(fixtures, "accept/webhooks.yaml");

type App = { readonly fetch: (request: Request) => Response | Promise<Response> };
/** The tests check behaviour. The types are checked by a slow test. */
// biome-ignore lint/suspicious/noExplicitAny: the modules are generated during the test
type Any = any;

export interface GeneratedWebhooks {
  readonly contract: Contract;
  readonly sender: (options: object) => Any;
  readonly callbacks: (sender: object) => (operationId: string, source: object) => Any;
  readonly receiver: (handlers: object, options: object) => App;
}

/** Only files of the project can import `#specbind`. */
const folder = resolve(import.meta.dirname, "../../../../../coverage", `webhooks-${randomUUID()}`);

export async function generatedWebhooks(): Promise<GeneratedWebhooks> {
  await mkdir(folder, { recursive: true });
  for (const [name, text] of await generate(shop, undefined, undefined, "#specbind"))
    await writeFile(join(folder, name), text);
  const from = (name: string) => import(pathToFileURL(join(folder, name)).href);
  const [{ contract }, { sender, callbacks }, { receiver }] = await Promise.all(
    ["contract.ts", "sender.ts", "receiver.ts"].map(from),
  );
  return { contract, sender, callbacks, receiver };
}

export function removeGenerated(): Promise<void> {
  return rm(folder, { recursive: true, force: true });
}

export interface Served extends AsyncDisposable {
  readonly url: string;
  readonly port: number;
}

export async function serve(app: App, host = "127.0.0.1"): Promise<Served> {
  const server = createServer(getRequestListener((request) => app.fetch(request)));
  await once(server.listen(0, host), "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://${host.includes(":") ? `[${host}]` : host}:${port}`,
    port,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}
