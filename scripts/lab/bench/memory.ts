/** Measures this server's memory during a million requests. The figures show whether memory leaks. */
import { type BenchOptions, machine, table } from "./measure.ts";
import { callsOf, createShop, loadOf, scenarios } from "./server/calls.ts";
import { openDatabase } from "./server/databases.ts";
import { ownProgram } from "./server/programs.ts";
import { slice, startLoad, startServer } from "./server/running.ts";

const sliceMs = 1000;
/** In each cycle, look-ups and known definitions get four slices each. New definitions and logins get one slice each. */
const [webhook, known, fresh, login] = scenarios;
const order = [webhook, known, webhook, known, fresh, webhook, known, webhook, known, login];

export async function bench({ quick, database }: BenchOptions): Promise<string> {
  const marks = [100_000, 200_000, 500_000, 1_000_000].map((requests) => (quick ? requests / 20 : requests));
  await using stack = new AsyncDisposableStack();
  const store = stack.use(await openDatabase(database));
  const calls = callsOf(createShop(store.url));
  const program = ownProgram("this server", { DATABASE_URL: store.url });
  const running = stack.use(await startServer(program, calls.webhook));
  const loader = stack.use(startLoad());
  const rows: string[][] = [];
  let requests = 0;
  const look = async (): Promise<void> => {
    const { residentBytes, heapBytes } = await running.use({ collectGarbage: true });
    const megabytes = [heapBytes, residentBytes].map((bytes) => (bytes / 1e6).toFixed(1));
    rows.push([requests.toLocaleString("en"), ...megabytes]);
    console.error(`${megabytes[0]} MB of heap after ${requests} requests`);
  };
  await look();
  for (const mark of marks) {
    while (requests < mark)
      for (const scenario of order)
        requests += (await slice(loader, running, loadOf(scenario, calls, running.port, sliceMs), store))
          .requests;
    await look();
  }
  return `${table(["requests", "heap MB", "resident MB"], rows)}
Look-ups, known and new definitions and logins on ${store.name}. Heap is measured after a full garbage collection, resident memory before it. ${machine()}.
`;
}
