/** Runs each command in its own process group, so that every process that it started can be ended too. */
import { spawn } from "node:child_process";
import { once } from "node:events";

export interface Ended {
  readonly succeeded: boolean;
  /** Standard error, followed by standard output. */
  readonly output: string;
}

const groups = new Set<number>();

export async function runLine(
  line: string,
  cwd: string,
  env: NodeJS.ProcessEnv,
  limitMs = 30 * 60_000,
): Promise<Ended> {
  const child = spawn("sh", ["-c", line], { cwd, env, stdio: ["ignore", "pipe", "pipe"], detached: true });
  const printed = { stderr: "", stdout: "" };
  for (const name of ["stderr", "stdout"] as const)
    child[name].setEncoding("utf8").on("data", (text: string) => {
      printed[name] += text;
    });
  const { pid } = child;
  if (pid === undefined) throw (await once(child, "error"))[0];
  groups.add(pid);
  const timer = setTimeout(() => kill(pid), limitMs);
  const closed = once(child, "close");
  // Waits for `exit`, not `close`: a process that the command started may still run and keep the output open.
  const [status] = await once(child, "exit");
  clearTimeout(timer);
  kill(pid);
  await closed;
  groups.delete(pid);
  return { succeeded: status === 0, output: `${printed.stderr}\n${printed.stdout}` };
}

export function killAll(): void {
  for (const group of groups) kill(group);
}

function kill(group: number): void {
  try {
    process.kill(-group, "SIGKILL");
  } catch {
    // All of its processes have ended.
  }
}
