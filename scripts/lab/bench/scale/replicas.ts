/** What 1, 2 and 4 replicas on one PostgreSQL database do together, and what the size of a replica's pool changes. */
import type { Child } from "../server/child.ts";
import type { Running } from "../server/running.ts";
import type { Conditions, ReplicasFigures } from "./figures.ts";
import { type Course, interleave, type Subject } from "./interleave.ts";
import { operations, type Postgres, populate, serve } from "./population.ts";

const replicaCounts = [1, 2, 4];
const poolSizes = [1, 2, 5, 10, 20];
/** A login holds no connection while its password is verified, which is most of its time. */
const pooled = operations.filter(({ name }) => name === "webhook" || name === "new");
/** Enough to keep four replicas busy. */
const connections = 64;
const rows = 10_000;

export async function measureReplicas({
  asker,
  postgres,
  folder,
  course,
}: {
  asker: Child;
  postgres: Postgres;
  folder: string;
  course: Course;
}): Promise<Omit<ReplicasFigures, keyof Conditions>> {
  await using stack = new AsyncDisposableStack();
  const population = await populate({ name: "replicas", rows, folder, postgres }, course.progress);
  const replicas: Running[] = [];
  for (let replica = 0; replica < Math.max(...replicaCounts); replica += 1)
    replicas.push(stack.use(await serve(population)));
  const withPools: Running[] = [];
  for (const size of poolSizes)
    withPools.push(stack.use(await serve(population, { DATABASE_POOL_SIZE: String(size) })));

  const subject = (
    { name, connections: fewest }: (typeof operations)[number],
    servers: readonly Running[],
    what: string,
  ): Subject => ({
    name: `${name}, ${what}`,
    servers,
    load: { connections: name === "login" ? 2 * fewest : connections, ...population.requests[name] },
    databaseCpuMs: () => postgres.cpuMs(),
  });
  const series = [
    ...operations.map((operation) =>
      replicaCounts.map((count) => subject(operation, replicas.slice(0, count), `${count} replicas`)),
    ),
    ...pooled.map((operation) =>
      withPools.map((server, index) => subject(operation, [server], `a pool of ${poolSizes[index]}`)),
    ),
  ];
  const { measured, rounds } = await interleave(asker, series, course);
  return {
    rounds,
    ms: course.ms,
    rows,
    connections,
    series: operations.map(({ name, title }, index) => ({
      operation: name,
      title,
      points: (measured[index] ?? []).map((point, place) => ({
        ...point,
        replicas: replicaCounts[place] ?? Number.NaN,
      })),
    })),
    pools: pooled.map(({ name, title }, index) => ({
      operation: name,
      title,
      points: (measured[operations.length + index] ?? []).map((point, place) => ({
        ...point,
        poolSize: poolSizes[place] ?? Number.NaN,
      })),
    })),
  };
}
