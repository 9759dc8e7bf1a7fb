/** Loads the servers in turn for short times, so that other work on the machine affects all of them equally. */
import { mkdirSync, writeFileSync } from "node:fs";
import { loadavg } from "node:os";
import { join } from "node:path";
import { type BenchOptions, machine } from "./measure.ts";
import { installPeers } from "./peers.ts";
import { assertCorrect, callsOf, createShop, loadOf, scenarios } from "./server/calls.ts";
import { chart } from "./server/chart.ts";
import { openDatabase } from "./server/databases.ts";
import { type Figures, markdown, serverFigures } from "./server/figures.ts";
import { programs } from "./server/programs.ts";
import { type RunningServer, type Slice, slice, startLoad, startServer } from "./server/running.ts";

const warmUpMs = 500;

export async function bench(options: BenchOptions): Promise<string> {
  installPeers();
  const { database, out } = options;
  const figures = await measure(options);
  if (out !== undefined) {
    mkdirSync(out, { recursive: true });
    const suffix = database === "sqlite" ? "" : `-${database}`;
    writeFileSync(join(out, `figures${suffix}.md`), markdown(figures));
    writeFileSync(join(out, `chart${suffix}.svg`), chart(figures));
  }
  return markdown(figures);
}

async function measure({
  quick,
  only,
  against,
  call,
  connections,
  ...options
}: BenchOptions): Promise<Figures> {
  const { rounds = quick ? 6 : 25 } = options;
  const ms = quick ? 250 : 500;
  const [loadBefore = Number.NaN] = loadavg();
  await using stack = new AsyncDisposableStack();
  const database = stack.use(await openDatabase(options.database));
  const shop = createShop(database.url, against);
  const calls = callsOf(shop);
  const servers: RunningServer[] = [];
  for (const program of await programs(database, { only, against })) {
    const running = stack.use(await startServer(program, calls.webhook));
    await assertCorrect(running, program.omits, shop);
    servers.push(running);
  }
  const loader = stack.use(startLoad());
  const chosen = scenarios.filter(({ title }) => call === undefined || title.includes(call));
  const slices: Slice[][][] = chosen.map(() => servers.map(() => []));
  for (let round = 0; round <= rounds; round += 1) {
    console.error(round === 0 ? "warming up" : `round ${round} of ${rounds}`);
    for (const [place, scenario] of chosen.entries())
      for (const offset of servers.keys()) {
        // Each round starts with another server.
        const index = (offset + round) % servers.length;
        const running = servers[index];
        if (running === undefined) continue;
        const load = loadOf(scenario, calls, running.port, round === 0 ? warmUpMs : ms, connections);
        const measured = await slice(loader, running, load, database);
        if (round > 0) slices[place]?.[index]?.push(measured);
      }
  }
  const names = servers.map(({ name }) => name);
  const loadShare = Math.max(...slices.flat(2).map((each) => each.cpuMs / each.ms));
  return {
    database: database.name,
    scenarios: chosen.map(({ title }, place) => ({
      title,
      rows: serverFigures(names, slices[place] ?? []),
    })),
    note: `${rounds} interleaved rounds of ${ms} ms for each server and operation; the load took at most ${Math.round(loadShare * 100)} % of a core. ${machine()}; load average before the run ${loadBefore.toFixed(1)}.`,
  };
}
