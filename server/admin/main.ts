/** The operator's command line as a program: binds run.ts to this process, its environment and its streams. */
import { readConfig } from "../config.ts";
import { runAdmin } from "./run.ts";

process.exitCode = await runAdmin(process.argv.slice(2), {
  databaseUrl: readConfig({ DATABASE_URL: process.env.DATABASE_URL }).databaseUrl,
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
});
