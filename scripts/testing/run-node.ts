import { execFile } from "node:child_process";

export interface Ended {
  readonly status: unknown;
  readonly stdout: string;
  readonly stderr: string;
}

export function run(cwd: string, ...args: string[]): Promise<Ended> {
  // Colours must not depend on the environment of the test run.
  const env = { ...process.env, NO_COLOR: "1", CI: "1" };
  return new Promise((done) => {
    execFile(process.execPath, args, { cwd, env, maxBuffer: 1e8 }, (error, stdout, stderr) =>
      done({ status: error === null ? 0 : error.code, stdout, stderr }),
    );
  });
}
