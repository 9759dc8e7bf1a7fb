/**
 * A program that runs a PostgreSQL server for measuring, with the settings of one that is to keep what it has committed, and
 * tells what CPU time all its processes have taken.
 */
import { readFile } from "node:fs/promises";
import { Client } from "pg";
import type { DatabaseServerMessage } from "../../../../scripts/lab/bench/scale/filling.ts";
import { startPostgres } from "./server.ts";

/** Of proc_pid_stat(5): user and system time, each of the process itself and of those it has waited for. */
const timeFields = [14, 15, 16, 17];
/** USER_HZ, which Linux has fixed for what it tells programs. */
const ticksPerSecond = 100;

const server = await startPostgres({
  fsync: "on",
  full_page_writes: "on",
  shared_buffers: "512MB",
  max_wal_size: "2GB",
});

async function cpuMs(): Promise<number | null> {
  try {
    const times = await Promise.all((await server.processes()).map(ticksOf));
    return (times.reduce((sum, ticks) => sum + ticks, 0) / ticksPerSecond) * 1000;
  } catch {
    // No /proc: only Linux tells the time of others' processes so finely.
    return null;
  }
}

async function ticksOf(pid: number): Promise<number> {
  const text = await readFile(`/proc/${pid}/stat`, "utf8");
  // The second field, the name in brackets, may hold anything.
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  return timeFields.reduce((sum, field) => sum + Number(fields[field - 3]), 0);
}

async function answer(message: DatabaseServerMessage): Promise<object> {
  if (message.ask === "cpu") return { cpuMs: await cpuMs() };
  const client = new Client({ connectionString: server.url });
  await client.connect();
  await client.query(`CREATE DATABASE ${client.escapeIdentifier(message.name)}`);
  await client.end();
  const url = new URL(server.url);
  url.pathname = message.name;
  return { url: url.href };
}

process.on("message", async (message: DatabaseServerMessage) => process.send?.(await answer(message)));
process.on("disconnect", () => process.exit());
