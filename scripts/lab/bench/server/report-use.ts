/** Each measured server imports this module first. When asked, it reports the resources that the process has used. */
export interface Use {
  /** CPU time of all threads. */
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
