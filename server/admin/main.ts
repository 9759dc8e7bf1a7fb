import { keepCompiled } from "#specbind/server/compile-cache";
import { readEnvironmentFile } from "#specbind/server/settings";
import { ConfigError, readSome } from "../config.ts";
import { stderrLine } from "./stderr-line.ts";

const argv = process.argv.slice(2);
process.stdout.on("error", ({ code, message }: NodeJS.ErrnoException) => {
  // The reader has closed the pipe, as in `key list … | head`.
  if (code === "EPIPE") process.exit();
  process.stderr.write(stderrLine("error", `standard output could not be written (${message})`, argv));
  process.exit(1);
});

keepCompiled(new URL("../../", import.meta.url));
try {
  const [{ runAdmin }, { typedSecret }] = await Promise.all([
    import("./run.ts"),
    import("./secret-stdin.ts"),
  ]);
  readEnvironmentFile(".env", process.env);
  const config = readSome(
    process.env,
    "DATABASE_URL",
    "DATABASE_CREATE",
    "TOTP_SECRET_KEYS",
    "COMMON_PASSWORDS",
    "NODE_ENV",
  );
  process.exitCode = await runAdmin(argv, {
    databaseUrl: config.DATABASE_URL,
    databaseCreate: config.DATABASE_CREATE,
    totpSecretKeys: config.TOTP_SECRET_KEYS,
    commonPasswords: config.COMMON_PASSWORDS,
    production: config.NODE_ENV === "production",
    stdin: process.stdin.isTTY ? typedSecret(process.stdin, process.stderr) : process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
    audit: process.stderr,
  });
} catch (error) {
  if (!(error instanceof ConfigError)) throw error;
  process.stderr.write(stderrLine("error", error.problems.join("; "), argv));
  process.exitCode = 2;
}
