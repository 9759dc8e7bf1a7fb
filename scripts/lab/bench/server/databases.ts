/** The databases of the measured servers: copies of one SQLite file, or of one database on a temporary PostgreSQL server. */
import { copyFileSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { startPostgres } from "../../../../server/store/postgres/testing/server.ts";
import { type BenchOptions, workFolder } from "../measure.ts";

export interface BenchDatabase extends AsyncDisposable {
  readonly name: "SQLite" | "PostgreSQL";
  /** The URL of the database that is copied. */
  readonly url: string;
  /** Makes a copy and returns its URL. No server may use the original. */
  copy(name: string): Promise<string>;
  /** Returns the CPU time that all processes of the database have used. It is 0 on SQLite, and NaN on other systems than Linux. */
  cpuMs(): Promise<number>;
}

export function openDatabase(name: BenchOptions["database"]): Promise<BenchDatabase> {
  return name === "postgres" ? postgres() : sqlite();
}

async function sqlite(): Promise<BenchDatabase> {
  const path = join(workFolder(), "shop.db");
  return {
    name: "SQLite",
    url: `file:${path}`,
    async copy(name) {
      const copy = `${path}-${plain(name)}`;
      copyFileSync(path, copy);
      return `file:${copy}`;
    },
    cpuMs: async () => 0,
    async [Symbol.asyncDispose]() {},
  };
}

/** A name for a file or a database. Names of packages contain `@` and `/`. */
function plain(name: string): string {
  return name.replaceAll(/\W/g, "_");
}

/** Commits wait for the disk, as they do in production. */
const durable = { fsync: "on", full_page_writes: "on", shared_buffers: "256MB", max_wal_size: "1GB" };

async function postgres(): Promise<BenchDatabase> {
  const server = await startPostgres(durable);
  return {
    name: "PostgreSQL",
    url: server.url,
    copy: (name) => server.copyDatabase(`shop_${plain(name)}`),
    async cpuMs() {
      if (process.platform !== "linux") return Number.NaN;
      return (await server.processes()).map(cpuMsOf).reduce((sum, each) => sum + each, 0);
    },
    [Symbol.asyncDispose]: server.end,
  };
}

/** Returns 0 for a process that has ended. */
function cpuMsOf(processId: number): number {
  try {
    const [nanoseconds] = readFileSync(`/proc/${processId}/schedstat`, "utf8").split(" ");
    return Number(nanoseconds) / 1e6;
  } catch {
    return 0;
  }
}
