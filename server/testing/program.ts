/** Starts programs for tests in separate processes: the server, and scripts that use our modules. */
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { Program } from "../../scripts/testing/program.ts";

const main = fileURLToPath(new URL("../main.ts", import.meta.url));
/** A folder without a file `.env`. From here, npm still finds the project. */
const folder = fileURLToPath(new URL(".", import.meta.url));

/** @param environment all variables except PATH. If it sets no port, a free one is chosen */
export function startProgram(
  environment: Readonly<Record<string, string>>,
  command: readonly string[] = [process.execPath, main],
): Program {
  return new Program(command, { env: { PATH: process.env.PATH, PORT: "0", ...environment }, cwd: folder });
}

export interface RunningServer extends Program {
  readonly url: string;
  /** The URL of the metrics, if METRICS_PORT is set. */
  readonly metricsUrl: string | undefined;
}

/** Starts the server with NODE_ENV=production. Resolves when it listens. @throws Error with the output of the server */
export async function startServer(
  databaseUrl: string,
  settings: Readonly<Record<string, string>> = {},
  command?: readonly string[],
): Promise<RunningServer> {
  const environment = { NODE_ENV: "production", DATABASE_URL: databaseUrl, ...settings };
  const program = startProgram(environment, command);
  await program.printed('"msg":"listening"');
  const [line = ""] = /^.*"msg":"listening".*$/m.exec(program.output()) ?? [];
  const { url, metrics } = JSON.parse(line);
  return Object.assign(program, { url, metricsUrl: metrics });
}

/** Runs an ES module and returns its output. @throws Error with the module's error output */
export async function runScript(script: string, cwd?: string): Promise<string> {
  const args = ["--input-type=module", "--eval", script];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd });
  return stdout;
}
