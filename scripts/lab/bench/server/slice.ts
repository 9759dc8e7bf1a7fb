import { fileURLToPath } from "node:url";
import { Child } from "../child.ts";
import { RunError } from "../measure.ts";
import type { Load, Loaded } from "./http-load.ts";
import type { RunningServer } from "./running.ts";

export interface Slice extends Loaded {
  readonly serverCpuMs: number;
}

export function startLoad(): Child {
  return new Child("the load", [fileURLToPath(new URL("http-load.ts", import.meta.url))]);
}

export async function slice(loader: Child, running: RunningServer, load: Load): Promise<Slice> {
  const before = await running.use();
  const { loaded, error } = await loader.ask<{ loaded: Loaded; error?: string }>(load);
  if (error !== undefined) throw new RunError(`${running.name}: ${error}`);
  const rejected = Object.entries(loaded.rejected).map(([status, count]) => `${count} × ${status}`);
  if (rejected.length > 0) throw new RunError(`${running.name} responded with ${rejected.join(", ")}`);
  const after = await running.use();
  return { ...loaded, serverCpuMs: after.cpuMs - before.cpuMs };
}
