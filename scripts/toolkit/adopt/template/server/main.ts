import { pino } from "pino";
import type { SettledExchange } from "#specbind/server";
import {
  createLogDestination,
  endOnCrash,
  endOnSignal,
  explainListenError,
  type Limits,
  listen,
  scriptFinder,
  standardOutput,
  startErrors,
  stopOnSignal,
} from "#specbind/server/node";
import { ConfigError, readEnvironmentFile, type Setting, warningsOf } from "#specbind/server/settings";
import { basePath, createApp } from "./app.ts";
import { readConfig, settings } from "./config.ts";
import { asksForCredentials, createAuthenticators } from "./principal.ts";
import { rejectionResponse } from "./rejections.ts";

const help = `Serves the API.

Usage: npm start

Settings (environment variables, or lines NAME=VALUE in the file .env):

${Object.entries<Setting>(settings)
  .map(
    ([name, { meaning, fallback }]) => `  ${name.padEnd(22)} ${meaning}${fallback ? ` (${fallback})` : ""}`,
  )
  .join("\n")}

Exit status: 0 stopped by a signal, 1 could not start, crashed or was stopped while requests were open, 2 a setting is wrong.
`;

/** The limit for log lines that are not written yet, about twenty thousand lines. */
const maxLogBytes = 4 * 1024 * 1024;
const limits: Limits = {
  maxHeaderBytes: 16_384,
  maxConnections: 10_000,
  headerMs: 10_000,
  requestMs: 30_000,
  keepAliveMs: 65_000,
  responseMs: 30_000,
};

async function main(): Promise<void> {
  if (process.argv.includes("--help")) {
    process.stdout.write(help);
    return;
  }
  endOnSignal();
  readEnvironmentFile(".env", process.env);
  const config = readConfig(process.env);
  const output = createLogDestination({
    stream: standardOutput(),
    maxWaitingBytes: maxLogBytes,
    onLost: () => {},
    onRoom: (lines) => log.warn({ lines }, "log lines were lost because their reader was too slow"),
  });
  const log = pino({ level: config.LOG_LEVEL, base: null }, output);
  endOnCrash(log, output);
  for (const { variable, warning } of warningsOf(settings, process.env)) log.warn({ variable }, warning);
  const authenticate = createAuthenticators(config.DEVELOPMENT_KEY);
  const findScript = scriptFinder(config.DOCS_ASSETS, undefined, log);
  const app = createApp({
    log,
    authenticate,
    responsePolicy: config.RESPONSE_VALIDATION,
    maxContentBytes: config.MAX_CONTENT_BYTES,
    findScript,
  });
  const onMalformed = ({ requestId, reply: { status } }: SettledExchange) =>
    log.info({ request_id: requestId, status }, "rejected malformed HTTP");
  const listening = listen(app, {
    host: config.HOST,
    port: config.PORT,
    limits,
    reject: rejectionResponse,
    onMalformed,
  });
  const server = await explainListenError(listening, { host: "HOST", port: "PORT" });
  stopOnSignal({ server, log, output }, config);
  if (asksForCredentials && config.NODE_ENV !== "production")
    log.warn(
      config.DEVELOPMENT_KEY === undefined
        ? "no caller can be authenticated yet: write server/principal.ts, or set DEVELOPMENT_KEY to try the operations"
        : "DEVELOPMENT_KEY may call every operation; write server/principal.ts before other people can reach this server",
    );
  log.info({ url: server.url + basePath, docs: `${server.url}/docs` }, "listening");
}

try {
  await main();
} catch (error) {
  if (error instanceof ConfigError) {
    process.stderr.write(`${error.message}\nTry: npm start -- --help\n`);
    process.exit(2);
  }
  for (const problem of startErrors(error)) process.stderr.write(`could not start: ${problem}\n`);
  process.exit(1);
}
