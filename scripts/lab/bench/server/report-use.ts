/** Each measured server imports this module first. It reports on request what the process has used. */
export interface Use {
  /** Sum of all threads. */
  readonly cpuMs: number;
  readonly residentBytes: number;
  readonly heapBytes: number;
}

process.on("message", ({ collectGarbage = false }: { collectGarbage?: boolean }) => {
  const { rss } = process.memoryUsage();
  if (collectGarbage) globalThis.gc?.();
  const { user, system } = process.cpuUsage();
  const { heapUsed } = process.memoryUsage();
  const use: Use = { cpuMs: (user + system) / 1000, residentBytes: rss, heapBytes: heapUsed };
  process.send?.(use);
});
process.on("disconnect", () => process.exit());
