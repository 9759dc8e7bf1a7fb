/** Imported by a measured server before anything of its own: tells on request what the process has used so far. */
import { flushCompileCache } from "node:module";

export interface Use {
  /** Of all its threads. */
  readonly cpuMs: number;
  readonly residentBytes: number;
  /** Of JavaScript's heap, what is in use. */
  readonly heapBytes: number;
}

interface Message {
  readonly collect?: boolean;
  readonly keepCompiled?: boolean;
}

process.on("message", ({ collect = false, keepCompiled = false }: Message) => {
  if (collect) globalThis.gc?.();
  if (keepCompiled) flushCompileCache();
  const { user, system } = process.cpuUsage();
  const { rss, heapUsed } = process.memoryUsage();
  const use: Use = { cpuMs: (user + system) / 1000, residentBytes: rss, heapBytes: heapUsed };
  process.send?.(use);
});
// Whoever measures has gone.
process.on("disconnect", () => process.exit());
