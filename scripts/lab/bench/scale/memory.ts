/** What memory a server has at idle and after more and more requests, which shows whether it keeps anything of them. */
import type { Child } from "../server/child.ts";
import type { Running } from "../server/running.ts";
import type { Conditions, MemoryFigures, StoreName } from "./figures.ts";
import { stores } from "./figures.ts";
import { type Course, loadOnce, type Subject } from "./interleave.ts";
import { productionPackages } from "./packages.ts";
import { operations, type Postgres, populate, serve } from "./population.ts";

const rows = 1000;
/** Of every burst of loads, so many go to each operation in turn; logins are a hundred times as dear. */
const shares: Readonly<Record<(typeof operations)[number]["name"], number>> = {
  webhook: 4,
  repeated: 4,
  new: 1,
  login: 1,
};

/**
 * @param marks ascending numbers of requests, after each of which it is looked; those that there is no time for are left out,
 * and what was reached stands last
 */
export async function measureMemory(
  marks: readonly number[],
  { asker, postgres, folder, course }: { asker: Child; postgres: Postgres; folder: string; course: Course },
): Promise<Omit<MemoryFigures, keyof Conditions>> {
  const servers: MemoryFigures["servers"][number][] = [];
  let minutesLeft = course.minutes;
  for (const [index, store] of stores.entries()) {
    const place = store === "SQLite" ? { folder } : { folder, postgres };
    const population = await populate({ name: "memory", rows, ...place }, course.progress);
    await using running = await serve(population);
    const subjects = operations.flatMap(({ name, connections }) =>
      Array.from(
        { length: shares[name] },
        (): Subject => ({
          name: `memory on ${store}: ${name}`,
          servers: [running],
          load: { connections, ...population.requests[name] },
        }),
      ),
    );
    // What one does not need is the next one's.
    const minutes = minutesLeft / (stores.length - index);
    const begun = performance.now();
    servers.push(await marksOf(store, running, subjects, marks, asker, { ...course, minutes }));
    minutesLeft -= (performance.now() - begun) / 60_000;
  }
  return { servers, packages: productionPackages() };
}

async function marksOf(
  store: StoreName,
  running: Running,
  subjects: readonly Subject[],
  marks: readonly number[],
  asker: Child,
  { ms, minutes, progress }: Course,
): Promise<MemoryFigures["servers"][number]> {
  const taken: MemoryFigures["servers"][number]["marks"][number][] = [];
  const until = performance.now() + minutes * 60_000;
  let requests = 0;
  const look = async (): Promise<void> => {
    const { residentBytes } = await running.use();
    const { heapBytes } = await running.useWithoutGarbage();
    taken.push({ requests, residentBytes, heapBytes });
    progress(`memory on ${store}: ${(heapBytes / 1e6).toFixed(1)} MB of heap after ${requests} requests`);
  };
  await look();
  for (const mark of marks) {
    while (requests < mark && performance.now() < until)
      for (const subject of subjects) requests += (await loadOnce(asker, subject, ms)).requests;
    if (taken.at(-1)?.requests !== requests) await look();
  }
  return { store, marks: taken };
}
