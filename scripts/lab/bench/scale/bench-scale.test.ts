/** What the bench of scale stands on: rounds that are compared rightly, databases that are filled as the service would. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { RunError } from "../measure.ts";
import { optionsOf } from "../scale.ts";
import { Child } from "../server/child.ts";
import { contentOf, countsOf, mostBytes } from "./content.ts";
import { type Figures, type Measured, stores } from "./figures.ts";
import { interleave, measuredOf, type Subject } from "./interleave.ts";
import { productionPackages } from "./packages.ts";
import { Postgres, populate, serve } from "./population.ts";
import { markdown } from "./report.ts";
import { deploymentOf, type Quantity, sizingOf } from "./sizing.ts";

const loadProgram = fileURLToPath(new URL("../server/load.ts", import.meta.url));
const request = "GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n";

const warmUpCpuMs = 1e6;

/** A subject whose server answers so, and says that its first load took a lot of CPU time and each later one a millisecond. */
async function subjectOf(name: string, status: number) {
  const server = createServer((_, outgoing) => outgoing.writeHead(status).end("{}"));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  let asked = 0;
  const use = async () => {
    asked += 1;
    return { cpuMs: asked === 1 ? 0 : warmUpCpuMs + asked };
  };
  const { port } = server.address() as AddressInfo;
  const subject: Subject = { name, servers: [{ port, use }], load: { connections: 1, request } };
  return { subject, close: () => server.close() };
}

describe("interleaved rounds", () => {
  it("take every subject in turn, first in one round and last in another, and count neither the first round nor a further one once the time is up", async () => {
    const [one, other] = [await subjectOf("one", 200), await subjectOf("other", 200)];
    await using asker = new Child("the load", [loadProgram]);
    const series = [[one.subject, other.subject]];
    const told: string[] = [];
    const course = { rounds: 2, ms: 20, progress: (text: string) => void told.push(text) };
    const whole = await interleave(asker, series, { ...course, minutes: 1 });
    const cut = await interleave(asker, series, { ...course, minutes: 0 });
    one.close();
    other.close();
    expect([whole.rounds, cut.rounds]).toEqual([2, 1]);
    expect(told).toEqual(
      ["0 of 2: one", "0 of 2: other", "1 of 2: other", "1 of 2: one", "2 of 2: one", "2 of 2: other"]
        .concat(["0 of 2: one", "0 of 2: other", "1 of 2: other", "1 of 2: one"])
        .map((text) => `round ${text}`),
    );
    const [measured = [], ...others] = whole.measured;
    expect([measured.length, others.length]).toEqual([2, 0]);
    for (const { cpuMicroseconds } of measured) expect(cpuMicroseconds.max).toBeLessThanOrEqual(1000);
  });

  it("end where an answer has another status than is asked for, with how many and which", async () => {
    const { subject, close } = await subjectOf("a refusing server", 503);
    await using asker = new Child("the load", [loadProgram]);
    const course = { rounds: 1, ms: 20, minutes: 1, progress: () => {} };
    const refused = interleave(asker, [[subject]], course);
    await expect(refused).rejects.toThrow(RunError);
    await expect(refused).rejects.toThrow(
      /^a refusing server: (\d+) of \1 answers were not 200 \(\1 × 503\)$/,
    );
    const expected = await interleave(asker, [[{ ...subject, status: 503 }]], course);
    const wrong = interleave(asker, [[{ ...subject, status: 422 }]], course);
    await expect(wrong).rejects.toThrow(/ answers were not 422 /);
    close();
    expect(expected.rounds).toBe(1);
  });

  it("are summed up as rates in the same round and as the least CPU time, both to the first subject", () => {
    const taken = (requests: number, serversCpuMs: number, databaseCpuMs: number | null) => ({
      ...{ requests, ms: 1000, p50Ms: 1, p99Ms: 2, serversCpuMs, databaseCpuMs, loadCpuMs: 100 },
    });
    const [first, second] = measuredOf([
      [taken(1000, 100, null), taken(500, 100, null)],
      [taken(500, 100, 50), taken(500, 75, 50)],
    ]);
    expect(first).toEqual({
      requestsPerSecond: { median: 750, min: 500, max: 1000 },
      rateRatio: { median: 1, min: 1, max: 1 },
      cpuMicroseconds: { median: 150, min: 100, max: 200 },
      cpuRatio: 1,
      databaseCpuMicroseconds: null,
      p50Ms: { median: 1, min: 1, max: 1 },
      p99Ms: { median: 2, min: 2, max: 2 },
      cores: { servers: 0.1, database: null, load: 0.1 },
    });
    expect(second).toMatchObject({
      rateRatio: { median: 0.75, min: 0.5, max: 1 },
      cpuMicroseconds: { median: 175, min: 150, max: 200 },
      cpuRatio: 1.5,
      databaseCpuMicroseconds: { median: 100, min: 100, max: 100 },
      cores: { servers: 0.0875, database: 0.05, load: 0.1 },
    });
  });
});

describe("a filled database", () => {
  it.each(stores)("on %s is one that the server finds every row of, and names their bytes", async (store) => {
    const folder = mkdtempSync(join(tmpdir(), "bench-scale-"));
    await using stack = new AsyncDisposableStack();
    stack.defer(() => rmSync(folder, { recursive: true }));
    const place = store === "SQLite" ? { folder } : { folder, postgres: stack.use(new Postgres()) };
    const told: string[] = [];
    const population = await populate({ name: "filled", rows: 3, ...place }, (text) => void told.push(text));
    const running = stack.use(await serve(population));
    const asker = stack.use(new Child("the load", [loadProgram]));
    // Any other answer than 200 would end it.
    const { webhook, repeated, login } = population.requests;
    const subjects = [webhook, repeated, login].map((load): Subject => {
      return { name: "a draw", servers: [running], load: { connections: 2, ...load } };
    });
    const course = { rounds: 1, ms: 50, minutes: 1, progress: () => {} };
    const { measured } = await interleave(asker, [subjects], course);
    expect(measured[0]).toHaveLength(3);
    expect(told).toEqual(
      ["webhooks", "users", "sessions", "commissions"].map((table) => `${store}: 3 of 3 ${table}`),
    );
    expect(Object.values(population.sizes.tables).every((bytes) => bytes > 0)).toBe(true);
    expect(population.sizes.database).toBeGreaterThan(population.sizes.tables.users);
    const cpuMs = place.postgres === undefined ? null : await place.postgres.cpuMs();
    if (process.platform === "linux" && store === "PostgreSQL") expect(cpuMs).toBeGreaterThan(0);
    else expect(cpuMs).toBeNull();
  });
});

describe("the contents", () => {
  it.each(["rules", "slabs"] as const)(
    "of %s go up by ten to the most that the cap has room for",
    (items) => {
      const counts = countsOf(items);
      const last = counts.at(-1) ?? 0;
      expect(counts).toEqual([1, 10, 100, 1000, last]);
      const bytes = (count: number) =>
        Math.max(contentOf(items, count, false).length, contentOf(items, count, true).length);
      expect(bytes(last)).toBeLessThanOrEqual(mostBytes);
      expect(bytes(last + 1)).toBeGreaterThan(mostBytes);
    },
  );
});

describe("the options", () => {
  const typed = { minutes: "12", quick: false, json: false };

  it("name all parts unless one is asked for, and take rows that ascend alone", () => {
    expect(optionsOf(typed).part).toEqual(["rows", "content", "replicas", "memory"]);
    expect(optionsOf({ ...typed, part: "memory", rows: "5,50" })).toMatchObject({
      part: ["memory"],
      rows: [5, 50],
    });
    expect(() => optionsOf({ ...typed, part: "disk" })).toThrow(
      "--part must be one of rows, content, replicas, memory",
    );
    expect(() => optionsOf({ ...typed, rows: "50,5" })).toThrow("--rows must ascend");
    expect(() => optionsOf({ ...typed, rows: "1,,5" })).toThrow(
      "--rows must be a whole number from 1 to 9000000",
    );
  });
});

describe("the size of an installation", () => {
  it("counts the packages that the lockfile installs without development, and no others", () => {
    const { count, bytes } = productionPackages();
    const { packages }: { packages: Record<string, { dev?: boolean; devOptional?: boolean }> } = JSON.parse(
      readFileSync(new URL("../../../../package-lock.json", import.meta.url), "utf8"),
    );
    const named = Object.entries(packages).filter(
      ([path, { dev, devOptional }]) => path && !dev && !devOptional,
    );
    expect(count).toBeGreaterThan(17);
    expect(count).toBeLessThanOrEqual(named.length);
    expect(bytes).toBeGreaterThan(1e6);
  });
});

describe("the size of a deployment", () => {
  it("follows the formulas of docs/scaling.md", () => {
    const values = {
      ...{ c_webhook: 200, c_repeated: 300, c_new: 400, c_login: 20_000 },
      ...{ d_webhook: 50, d_repeated: 100, d_new: 200, d_login: 1000 },
      ...{ b_webhook: 500, b_new: 2000 },
    };
    const quantities = Object.entries(values).map(
      ([symbol, value]): Quantity => ({ symbol, value, unit: "µs", meaning: "" }),
    );
    const demand = { webhook: 4000, repeated: 2000, new: 750, login: 10 };
    expect(deploymentOf(quantities, demand)).toEqual({
      demand,
      requestCores: 1.7,
      loginCores: 0.2,
      replicas: 3,
      databaseCores: 0.56,
      connections: 4.5,
    });
    expect(deploymentOf(quantities.slice(1), demand)).toBeUndefined();
  });
});

const read = (name: string): string =>
  readFileSync(new URL(`../../../../docs/${name}`, import.meta.url), "utf8");

describe("the figures in docs/performance", () => {
  const figures: Figures = JSON.parse(read("performance/scale.json"));

  it("are those of scale.json, in all tables", () => {
    expect(read("performance/scale.md")).toBe(markdown(figures));
    expect(Object.keys(figures)).toEqual(["rows", "content", "replicas", "memory"]);
  });

  it("bear out what docs/scaling.md says of them", () => {
    const { rows, content, replicas, memory } = figures;
    const least = (points: readonly Measured[] | undefined, place: number): number =>
      points?.at(place)?.cpuMicroseconds.min ?? Number.NaN;

    // "with a million rows no operation takes twice the CPU time that it takes with ten"
    expect(
      rows?.series.map(({ points }) => points.at(-1)?.cpuRatio).every((ratio) => Number(ratio) < 2),
    ).toBe(true);
    // "less CPU time for everything but a login than one on PostgreSQL, with a million rows too"
    for (const operation of ["webhook", "repeated", "new"]) {
      const [sqlite, postgres] = stores.map((store) =>
        rows?.series.find((each) => each.store === store && each.operation === operation),
      );
      expect(least(sqlite?.points, -1)).toBeLessThan(least(postgres?.points, -1));
    }
    for (const { points } of content?.series ?? []) {
      // "less for each the more there are"
      const [first, last] = [points[0], points.at(-1)];
      expect(least(points, -1) / Number(last?.bytes)).toBeLessThan(least(points, 0) / Number(first?.bytes));
    }
    for (const items of ["rules", "slabs"]) {
      // "One that is all faults costs no more than one that is stored"
      const of = (each: string) =>
        content?.series.find((series) => series.items === items && series.case === each)?.points;
      expect(least(of("faulty"), -1)).toBeLessThan(least(of("new"), -1));
    }
    // "less CPU time for each operation than the replica does"
    for (const { points } of replicas?.series ?? [])
      expect(points[0]?.databaseCpuMicroseconds?.min).toBeLessThan(least(points, 0));
    for (const { marks } of memory?.servers ?? []) {
      // "the heap after the last requests is that after the first"
      const [, afterFirst, ...later] = marks.map(({ heapBytes }) => heapBytes);
      expect(Number(later.at(-1)) / Number(afterFirst)).toBeLessThan(1.1);
      // "512 MB is enough"
      for (const { residentBytes } of marks) expect(residentBytes).toBeLessThan(512e6);
    }
  });

  it("have every quantity that docs/scaling.md names, and it names each of them", () => {
    const named = read("scaling.md").match(/\b[cdbms]_[a-z_]+\b/g);
    const quantities = sizingOf(figures).map(({ symbol }) => symbol);
    // `s_webhook` stands for that of either database.
    const families = new Set(quantities.map((symbol) => symbol.replace(/_(sqlite|postgresql)$/, "")));
    const known = new Set([...quantities, ...families]);
    expect([...new Set(named)].filter((symbol) => !known.has(symbol))).toEqual([]);
    expect([...families].filter((family) => !named?.some((symbol) => symbol.startsWith(family)))).toEqual([]);
  });
});
