/** Measures the time from the start of a server to its first correct response. */
import { type BenchOptions, machine, spread, summaryOf, table } from "./measure.ts";
import { installPeers } from "./peers.ts";
import { callsOf, createShop } from "./server/calls.ts";
import { openDatabase } from "./server/databases.ts";
import { programs } from "./server/programs.ts";
import { startServer } from "./server/running.ts";

export async function bench({ quick, database, rounds = quick ? 4 : 12 }: BenchOptions): Promise<string> {
  installPeers();
  await using opened = await openDatabase(database);
  const { webhook } = callsOf(createShop(opened.url));
  const measured = await programs(opened, { only: "Hono" });
  const servers = measured.map((program) => ({ program, startMs: [] as number[] }));
  for (let round = 0; round <= rounds; round += 1)
    for (const { program, startMs } of servers) {
      const began = performance.now();
      await using _ = await startServer(program, webhook);
      // The first round is not counted, because it fills the cache of compiled code.
      if (round > 0) startMs.push(performance.now() - began);
    }
  const rows = servers.map(({ program, startMs }) => [program.name, spread(summaryOf(startMs), 0)]);
  return `${table(["server", "ms to the first response"], rows)}
Median (least–most) of ${rounds} starts of each server. The servers start in turn. ${machine()}.
`;
}
