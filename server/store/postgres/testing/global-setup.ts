/** One PostgreSQL server for a whole test run. It starts when a test first needs it. */
import { once } from "node:events";
import { createServer } from "node:http";
import type { TestProject } from "vitest/node";
import { type PostgresServer, startPostgres } from "./server.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** Returns the URL of the run's PostgreSQL server. */
    postgresBroker: string;
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  let server: Promise<PostgresServer> | undefined;
  const broker = createServer((_, response) => {
    server ??= startPostgres();
    server.then(
      ({ url }) => response.end(url),
      (error: Error) => response.writeHead(500).end(error.message),
    );
  }).listen(0, "127.0.0.1");
  await once(broker, "listening");
  const address = broker.address();
  if (address === null || typeof address === "string") throw new Error("A TCP server has a port.");
  project.provide("postgresBroker", `http://127.0.0.1:${address.port}`);
  return async () => {
    broker.close();
    broker.closeAllConnections();
    await server?.then(
      ({ end }) => end(),
      () => {},
    );
  };
}
