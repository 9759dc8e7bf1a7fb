/** Measures one and two replicas on one PostgreSQL database, with the same number of connections in all. */
import { type BenchOptions, machine, spread, summaryOf, table } from "./measure.ts";
import { callsOf, createShop, loadOf, scenarios } from "./server/calls.ts";
import { openDatabase } from "./server/databases.ts";
import { ownProgram } from "./server/programs.ts";
import { type RunningServer, slice, startLoad, startServer } from "./server/running.ts";

export async function bench({
  quick,
  call = "",
  connections = 32,
  ...options
}: BenchOptions): Promise<string> {
  const { rounds = quick ? 4 : 12 } = options;
  const ms = quick ? 500 : 1000;
  await using stack = new AsyncDisposableStack();
  const database = stack.use(await openDatabase("postgres"));
  const calls = callsOf(createShop(database.url));
  const program = ownProgram("a replica", { DATABASE_URL: database.url, LOG_LEVEL: "warn" });
  const replicas: RunningServer[] = [];
  for (let count = 0; count < 2; count += 1)
    replicas.push(stack.use(await startServer(program, calls.webhook)));
  const loaders = replicas.map(() => stack.use(startLoad()));
  const rows: string[][] = [];
  for (const scenario of scenarios.filter(({ title }) => title.includes(call))) {
    const measured = [1, 2].map(() => ({
      rates: [] as number[],
      p99Ms: [] as number[],
      cpu: [] as number[],
    }));
    for (let round = 0; round <= rounds; round += 1)
      for (const [index, { rates, p99Ms, cpu }] of measured.entries()) {
        const used = replicas.slice(0, index + 1);
        const slices = await Promise.all(
          used.map((replica, place) => {
            const load = loadOf(scenario, calls, replica.port, ms, connections / used.length);
            return slice(loaders[place] as (typeof loaders)[number], replica, load, database);
          }),
        );
        // The first round is not counted.
        if (round === 0) continue;
        const requests = slices.reduce((sum, each) => sum + each.requests, 0);
        rates.push(slices.reduce((sum, each) => sum + (each.requests / each.ms) * 1000, 0));
        p99Ms.push(Math.max(...slices.map((each) => each.p99Ms)));
        cpu.push((slices.reduce((sum, each) => sum + each.serverCpuMs, 0) / requests) * 1000);
      }
    for (const [index, { rates, p99Ms, cpu }] of measured.entries())
      rows.push([
        scenario.title,
        String(index + 1),
        spread(summaryOf(rates), 0),
        spread(summaryOf(p99Ms), 2),
        spread(summaryOf(cpu), 0),
      ]);
  }
  return `${table(["operation", "replicas", "requests/s", "p99 ms", "CPU µs of the replicas"], rows)}
${connections} connections. Median (least–most) of ${rounds} interleaved rounds of ${ms} ms. PostgreSQL and the load use the same processors. ${machine()}.
`;
}
