/** Programs as tests run them, each in a process of its own: scripts on our modules, and the server itself. */
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

/** Runs `script`, an ES module, and answers what it printed. @throws where it fails, with what it wrote */
export async function runScript(script: string, cwd?: string): Promise<string> {
  const args = ["--input-type=module", "--eval", script];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd });
  return stdout;
}

export interface RunningServer extends AsyncDisposable {
  readonly url: string;
  /** Ends it as a crash would, and settles when it is gone. */
  kill(): Promise<void>;
}

/** Starts the server as an operator does, on a port of its own, and settles once it listens. */
export async function startServer(
  databaseUrl: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<RunningServer> {
  const child = spawn(process.execPath, [fileURLToPath(new URL("../main.ts", import.meta.url))], {
    env: {
      PATH: process.env.PATH,
      NODE_ENV: "production",
      PORT: "0",
      DATABASE_URL: databaseUrl,
      ...settings,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const exited = once(child, "exit");
  const url = await new Promise<string>((resolve, reject) => {
    let written = "";
    const read = (chunk: Buffer) => {
      written += chunk.toString("utf8");
      const listening = /"url":"([^"]+)"/.exec(written)?.[1];
      if (listening === undefined) return;
      child.stdout.off("data", read).resume();
      child.stderr.off("data", read).resume();
      resolve(listening);
    };
    child.stdout.on("data", read);
    child.stderr.on("data", read);
    child.once("exit", () => reject(new Error(`The server did not start:\n${written}`)));
  });
  const end = async (signal: "SIGKILL" | "SIGTERM") => {
    child.kill(signal);
    await exited;
  };
  return { url, kill: () => end("SIGKILL"), [Symbol.asyncDispose]: () => end("SIGTERM") };
}
