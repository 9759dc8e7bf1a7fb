/** Imported by a measured server before anything of its own: tells on request what the process has used so far. */

export interface Use {
  /** Of all its threads. */
  readonly cpuMs: number;
  readonly residentBytes: number;
}

process.on("message", () => {
  const { user, system } = process.cpuUsage();
  const use: Use = { cpuMs: (user + system) / 1000, residentBytes: process.memoryUsage.rss() };
  process.send?.(use);
});
// Whoever measures has gone.
process.on("disconnect", () => process.exit());
