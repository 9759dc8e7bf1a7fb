/** Measures this server and plain Hono with the same requests per second: half of what the slower one can handle. */
import { type BenchOptions, machine, medianOf, spread, summaryOf, table } from "./measure.ts";
import { installPeers } from "./peers.ts";
import { callsOf, createShop, loadOf, scenarios } from "./server/calls.ts";
import { openDatabase } from "./server/databases.ts";
import { programs } from "./server/programs.ts";
import { type RunningServer, type Slice, slice, startLoad, startServer } from "./server/running.ts";

const measured = /^(?:this server, LOG|Hono)/;

export async function bench({ quick, call = "", connections, ...options }: BenchOptions): Promise<string> {
  installPeers();
  const { rounds = quick ? 4 : 12 } = options;
  const ms = quick ? 500 : 1000;
  await using stack = new AsyncDisposableStack();
  const database = stack.use(await openDatabase(options.database));
  const calls = callsOf(createShop(database.url));
  const servers: RunningServer[] = [];
  for (const program of await programs(database, { only: "Hono 4" }))
    if (measured.test(program.name)) servers.push(stack.use(await startServer(program, calls.webhook)));
  const loader = stack.use(startLoad());
  const rows: string[][] = [];
  for (const scenario of scenarios.filter(({ title }) => title.includes(call))) {
    /** Each round starts with another server. The first one is not counted. */
    const inTurn = async (count: number, perSecond?: number): Promise<Slice[][]> => {
      const slices = servers.map(() => [] as Slice[]);
      for (let round = 0; round <= count; round += 1)
        for (const offset of servers.keys()) {
          const index = (offset + round) % servers.length;
          const running = servers[index] as RunningServer;
          const load = loadOf(scenario, calls, running.port, ms, connections);
          await running.use({ watchesStalls: true });
          const each = await slice(loader, running, { ...load, ...(perSecond && { perSecond }) }, database);
          if (round > 0) slices[index]?.push(each);
        }
      return slices;
    };
    const capacities = (await inTurn(3)).map((own) =>
      medianOf(own.map((each) => (each.requests / each.ms) * 1000)),
    );
    const perSecond = Math.round(Math.min(...capacities) / 2);
    console.error(`${scenario.title}: ${perSecond} requests per second`);
    for (const [index, own] of (await inTurn(rounds, perSecond)).entries())
      rows.push([
        scenario.title,
        servers[index]?.name ?? "",
        String(perSecond),
        spread(summaryOf(own.map(({ p99Ms }) => p99Ms)), 2),
        spread(summaryOf(own.map(({ longestStallMs }) => longestStallMs)), 1),
      ]);
  }
  return `${table(["operation", "server", "requests/s", "p99 ms", "longest stall ms"], rows)}
On ${database.name}. Median (least–most) of ${rounds} interleaved rounds of ${ms} ms. A stall is the time between two timers of the event loop that are 10 ms apart. ${machine()}.
`;
}
