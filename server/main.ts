/** Starts the server from the environment, and stops it on a signal. */
import { type BaseLogger, pino } from "pino";
import { createApp } from "./app.ts";
import { type Config, ConfigError, readConfig, settings } from "./config.ts";
import { createDemo, demoText } from "./demo.ts";
import { boundWork } from "./domain/bounded-work.ts";
import { createLoginLimits } from "./domain/login-limits.ts";
import { checkTotpKeys, createTotpKeys } from "./domain/totp-keys.ts";
import { type Listening, listen } from "./listen.ts";
import { openStore } from "./store/open.ts";
import type { Store } from "./store/store.ts";

const longestName = Math.max(...Object.values(settings).map(({ name }) => name.length));

const help = `Serves the commerce API.

Usage: npm start

Settings (environment variables):

${Object.values(settings)
  .map(
    ({ name, meaning, fallback }) =>
      `  ${name.padEnd(longestName)} ${meaning}${fallback && ` (${fallback})`}`,
  )
  .join("\n")}

Exit status: 0 stopped as asked, 1 could not start or was stopped with requests open, 2 a setting is wrong.
`;

const clock = Date.now;

async function main(): Promise<void> {
  if (process.argv.includes("--help")) {
    process.stdout.write(help);
    return;
  }
  const config = readConfig(process.env);
  // Synchronous: an asynchronous destination whose reader has gone would hold up the end of the process.
  const log = pino({ level: config.logLevel, base: null }, pino.destination({ dest: 1, sync: true }));
  process.stdout.on("error", () => {});
  const store = await openStore(config.databaseUrl, { poolSize: config.databasePoolSize });
  const totpKeys = createTotpKeys(config.totpSecretKeys);
  const unencrypted = await checkTotpKeys(store, totpKeys);
  if (unencrypted > 0) {
    log.warn(
      { users: unencrypted },
      "TOTP secrets are not encrypted; set TOTP_SECRET_KEYS and run `totp rotate`",
    );
  }
  const app = createApp({
    store,
    clock,
    log,
    lifetimes: { authSeconds: config.authKeySeconds, refreshSeconds: config.refreshKeySeconds },
    loginLimits: createLoginLimits(
      { store, clock },
      {
        attemptsPerAccount: config.loginAttemptsPerAccount,
        attemptsPerAddress: config.loginAttemptsPerAddress,
        windowSeconds: config.loginWindowSeconds,
        codesPerDay: config.totpAttemptsPerDay,
      },
    ),
    passwordWork: boundWork({ concurrency: config.passwordConcurrency, waiting: config.passwordQueue }),
    totpKeys,
    responsePolicy: config.responseValidation,
    maxContentBytes: config.maxContentBytes,
  });
  const server = await listen(app, {
    ...config,
    onMalformed: (requestId) => log.info({ request_id: requestId, status: 400 }, "answered malformed HTTP"),
  });
  stopOnSignal(server, store, config, log);
  log.info({ url: server.url }, "listening");
  const demo = config.production ? undefined : await createDemo({ store, totpKeys }, clock);
  if (demo !== undefined) process.stdout.write(demoText(demo, server.url));
}

/** From a terminal, npm hands on a signal that has come here already. */
const sameSignalMs = 250;

/** The first SIGTERM or SIGINT lets open requests finish; a second one ends at once. */
function stopOnSignal(server: Listening, store: Store, config: Config, log: BaseLogger): void {
  let stoppingSince: number | undefined;
  const onSignal = async (signal: string): Promise<void> => {
    if (stoppingSince !== undefined) {
      if (performance.now() - stoppingSince > sameSignalMs) process.exit(1);
      return;
    }
    stoppingSince = performance.now();
    log.info({ signal }, "stopping");
    const inTime = await server.stop(config.shutdownSeconds * 1000);
    await store.close();
    log.info({ requests_cut_off: !inTime }, "stopped");
    process.exit(inTime ? 0 : 1);
  };
  process.on("SIGTERM", onSignal);
  process.on("SIGINT", onSignal);
}

/** One line for the operator; unlike a caller of the API, who starts the server may know the inside. */
function startFault(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (!("syscall" in error && "code" in error)) return error.message;
  const place = "port" in error && "address" in error ? `${error.address}:${error.port}` : "HOST";
  switch (error.code) {
    case "EADDRINUSE":
      return `${place} is in use; stop what listens there, or set PORT to another port`;
    case "EACCES":
      return `${place} may not be listened on by this user; set PORT to 1024 or higher`;
    case "EADDRNOTAVAIL":
    case "ENOTFOUND":
      return "HOST is no address of this machine; set it to one, such as 127.0.0.1 or 0.0.0.0";
    default:
      return error.message;
  }
}

try {
  await main();
} catch (error) {
  if (error instanceof ConfigError) {
    process.stderr.write(`${error.message}\nTry: npm start -- --help\n`);
    process.exit(2);
  }
  process.stderr.write(`could not start: ${startFault(error)}\n`);
  process.exit(1);
}
