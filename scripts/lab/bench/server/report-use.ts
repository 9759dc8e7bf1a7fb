/** Each measured server imports this module first. When asked, it reports the resources that the process has used. */
import { monitorEventLoopDelay } from "node:perf_hooks";

export interface Use {
  /** CPU time of all threads. */
  readonly cpuMs: number;
  readonly residentBytes: number;
  readonly heapBytes: number;
  /** The longest time between two turns of the event loop since the last report, if stalls are watched. */
  readonly longestStallMs: number;
}

export interface UseOptions {
  readonly collectGarbage?: boolean;
  /** From now on. It costs a timer every 10 ms. */
  readonly watchesStalls?: boolean;
}

const turns = monitorEventLoopDelay({ resolution: 10 });

process.on("message", ({ collectGarbage = false, watchesStalls = false }: UseOptions) => {
  const { rss } = process.memoryUsage();
  if (collectGarbage) globalThis.gc?.();
  const { user, system } = process.cpuUsage();
  const { heapUsed } = process.memoryUsage();
  const cpuMs = (user + system) / 1000;
  const use: Use = { cpuMs, residentBytes: rss, heapBytes: heapUsed, longestStallMs: turns.max / 1e6 };
  turns.reset();
  if (watchesStalls) turns.enable();
  process.send?.(use);
});
process.on("disconnect", () => process.exit());
