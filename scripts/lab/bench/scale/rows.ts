/** How long each operation takes as the rows grow that it looks among, on both databases. */
import type { Child } from "../server/child.ts";
import { type Conditions, type RowsFigures, stores } from "./figures.ts";
import { type Course, interleave, type Subject } from "./interleave.ts";
import { operations, type Population, type Postgres, populate, serve } from "./population.ts";

/** @param sizes ascending */
export async function measureRows(
  sizes: readonly number[],
  { asker, postgres, folder, course }: { asker: Child; postgres: Postgres; folder: string; course: Course },
): Promise<Omit<RowsFigures, keyof Conditions>> {
  await using stack = new AsyncDisposableStack();
  const populations: Population[] = [];
  const running = new Map<Population, Subject["servers"]>();
  for (const rows of sizes)
    for (const store of stores) {
      const place = store === "SQLite" ? { folder } : { folder, postgres };
      const population = await populate({ name: `rows_${rows}`, rows, ...place }, course.progress);
      populations.push(population);
      running.set(population, [stack.use(await serve(population))]);
    }
  const series = operations.flatMap(({ name, title, connections }) =>
    stores.map((store) => {
      const points = populations.filter((each) => each.store === store);
      const subjects = points.map((population): Subject => {
        const { rows, requests } = population;
        return {
          name: `${title}, ${rows} rows on ${store}`,
          servers: running.get(population) ?? [],
          load: { connections, ...requests[name] },
          ...(store === "PostgreSQL" && { databaseCpuMs: () => postgres.cpuMs() }),
        };
      });
      return { operation: name, title, store, subjects };
    }),
  );
  const { measured, rounds } = await interleave(
    asker,
    series.map(({ subjects }) => subjects),
    course,
  );
  return {
    rounds,
    ms: course.ms,
    databases: populations.map(({ store, rows, sizes: { database, tables } }) => ({
      store,
      rows,
      bytes: database,
      tableBytes: tables,
    })),
    series: series.map(({ operation, title, store }, index) => ({
      operation,
      title,
      store,
      points: (measured[index] ?? []).map((point, place) => ({ ...point, rows: sizes[place] ?? Number.NaN })),
    })),
  };
}
