import { expect, test } from "vitest";
import { openPostgresStore } from "./open.ts";
import { cacheVersion } from "./row-cache.ts";
import { runSql } from "./testing/database.ts";
import { startPostgres } from "./testing/server.ts";

test("cached rows are read again after PostgreSQL has restarted, because its files may have been replaced", async () => {
  const server = await startPostgres();
  try {
    await (await openPostgresStore(server.url)).close();
    const version = () => runSql(server.url, `SELECT ${cacheVersion} AS version`);
    const before = await version();
    expect(await version()).toEqual(before);
    await server.stop();
    await server.start();
    expect(await version()).not.toEqual(before);
  } finally {
    await server.end();
  }
});
