/** Tests that a flood of requests without a key uses a limited amount of the server's memory. */
import { expect, it } from "vitest";
import { createDatabase } from "../store/sqlite/testing/database.ts";
import { RawConnection } from "../testing/http.ts";
import { startServer } from "../testing/program.ts";

const request = "GET /v1/webhooks/1 HTTP/1.1\r\nHost: a\r\n\r\n";

it("a server that gets 1,000 simultaneous requests on each of 1,000 connections continues to serve others", async () => {
  await using stack = new AsyncDisposableStack();
  const { url, remove } = await createDatabase();
  stack.defer(remove);
  // Half of the heap limit that the Docker image and the systemd unit set.
  const server = stack.use(await startServer(url, { NODE_OPTIONS: "--max-old-space-size=128" }));
  const open = async (count: number) => {
    const opened = await Promise.all(Array.from({ length: count }, () => RawConnection.open(server.url)));
    for (const connection of opened) stack.use(connection);
    return opened;
  };
  const statusOf = async (connection: RawConnection) => (await connection.response())?.status;
  const flood = await open(1000);
  const others = await open(10);
  // A response proves that the server has accepted the connection.
  for (const connection of [...flood, ...others]) connection.write(request);
  for (const connection of [...flood, ...others]) expect(await statusOf(connection)).toBe(401);

  // The system buffers data that is sent to a stopped process. The process then reads all of it in one turn.
  server.child.kill("SIGSTOP");
  for (const connection of flood) connection.write(request.repeat(1000));
  for (const connection of others) connection.write(request.repeat(4));
  server.child.kill("SIGCONT");
  for (const connection of flood) while ((await connection.response()) !== undefined);
  for (const connection of others)
    for (let count = 0; count < 4; count += 1) expect(await statusOf(connection)).toBe(401);
});
