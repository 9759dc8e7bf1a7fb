/** The operator's command line as a program: binds run.ts to this process, its environment and its streams. */
import { settings } from "../config.ts";
import { runAdmin } from "./run.ts";

process.exitCode = await runAdmin(process.argv.slice(2), {
  databaseUrl: process.env.DATABASE_URL || settings.databaseUrl.fallback,
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
});
