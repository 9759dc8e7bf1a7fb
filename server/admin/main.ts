import { keepCompiled } from "../compile-cache.ts";
import { ConfigError, readSome } from "../config.ts";
import { readEnvironmentFile } from "../environment-file.ts";

process.stdout.on("error", (error) => {
  process.stderr.write(`error: the answer could not be written (${error.message})\n`);
  process.exit(1);
});

keepCompiled();
try {
  const { runAdmin } = await import("./run.ts");
  readEnvironmentFile(".env", process.env);
  const { databaseUrl, databaseCreate, totpSecretKeys, production } = readSome(
    process.env,
    "databaseUrl",
    "databaseCreate",
    "totpSecretKeys",
    "production",
  );
  process.exitCode = await runAdmin(process.argv.slice(2), {
    databaseUrl,
    databaseCreate,
    totpSecretKeys,
    production,
    stdin: process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
  });
} catch (error) {
  if (!(error instanceof ConfigError)) throw error;
  process.stderr.write(`error: ${error.faults.join("; ")}\n`);
  process.exitCode = 2;
}
