/** The operator's command line as a program: binds run.ts to this process, its environment and its streams. */
import { settings } from "../config.ts";
import { runAdmin } from "./run.ts";

process.stdout.on("error", (error) => {
  process.stderr.write(`error: the answer could not be written (${error.message})\n`);
  process.exit(1);
});

process.exitCode = await runAdmin(process.argv.slice(2), {
  databaseUrl: process.env.DATABASE_URL || settings.databaseUrl.fallback,
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
});
