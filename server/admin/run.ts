/**
 * Runs one command of the operator's command line and turns every fault into one line and an exit status. Takes its
 * database and streams from the caller, so that it runs in a test as in a shell.
 */
import { Command, CommanderError } from "commander";
import type { Config } from "../config.ts";
import { withoutApiKeys } from "../domain/api-keys.ts";
import type { Clock } from "../domain/clock.ts";
import { createTotpKeys, TotpKeyError } from "../domain/totp-keys.ts";
import { openStore } from "../store/open.ts";
import { NewerDatabaseError, StoreNotOpenableError } from "../store/store.ts";
import { addKeyCommands } from "./key.ts";
import { type AdminSession, addExamples, RefusedError } from "./session.ts";
import { addTenantCommands } from "./tenant.ts";
import { addTotpCommands } from "./totp.ts";
import { addUserCommands } from "./user.ts";
import { addWebhookCommands } from "./webhook.ts";

type Output = { write(text: string): unknown };

export type AdminSurroundings = {
  /** As `openStore` takes it. */
  databaseUrl: string;
  /** As `openStore` takes it. */
  databaseCreate: Config["databaseCreate"];
  /** As `createTotpKeys` takes them. */
  totpSecretKeys: readonly Uint8Array[];
  production: boolean;
  stdin: AsyncIterable<Uint8Array | string>;
  stdout: Output;
  stderr: Output;
  clock?: Clock;
};

const done = 0;
const refused = 1;
const wrongUsage = 2;
export type ExitCode = typeof done | typeof refused | typeof wrongUsage;

/** `argv` is without program and script. Answers the exit status: 0 done, 1 refused, 2 wrong usage. Never throws. */
export async function runAdmin(argv: readonly string[], surroundings: AdminSurroundings): Promise<ExitCode> {
  const { stdout, stderr } = surroundings;
  // A fault quotes what was typed, which may be a key in the place of its id.
  const printFault = (text: string) =>
    stderr.write(`${withoutApiKeys(text.trim().replaceAll(/\s*\n\s*/g, " "))}\n`);
  const program = new Command("npm run -s admin --")
    .description(
      "Manages the tenants, API keys, users and webhooks in the database of DATABASE_URL; TOTP secrets are encrypted with TOTP_SECRET_KEYS.",
    )
    .exitOverride()
    .configureOutput({
      writeOut: (text) => stdout.write(text),
      // Help for want of a command; said in one line below.
      writeErr: () => {},
      outputError: (text) => printFault(`${text.trim()} (--help shows the usage)`),
    });
  addExamples(program, ["tenant create --name Acme", "key create --help"]);
  const session = createSession(surroundings);
  addTenantCommands(program, session);
  addKeyCommands(program, session);
  addUserCommands(program, session);
  addWebhookCommands(program, session);
  addTotpCommands(program, session);

  try {
    await program.parseAsync(argv, { from: "user" });
    return done;
  } catch (error) {
    if (!(error instanceof CommanderError)) {
      printFault(`error: ${describeFault(error)}`);
      return refused;
    }
    if (error.exitCode === 0) return done;
    if (error.code === "commander.help")
      printFault("error: a command is missing (--help shows those there are)");
    return wrongUsage;
  }
}

function createSession(surroundings: AdminSurroundings): AdminSession {
  const { databaseUrl, databaseCreate, totpSecretKeys, production } = surroundings;
  const { stdin, stdout, stderr, clock = Date.now } = surroundings;
  return {
    clock,
    stdin,
    totpKeys: createTotpKeys(totpSecretKeys),
    production,
    async withStore(work) {
      const store = await openStore(databaseUrl, {
        create: databaseCreate,
        onNewFile: (path) => stderr.write(`note: ${path} was missing or empty; it is a new database now\n`),
      });
      try {
        return await work(store);
      } finally {
        await store.close();
      }
    },
    print(asJson, { json, text }) {
      stdout.write(`${asJson ? JSON.stringify(json) : text}\n`);
    },
  };
}

/** The operator, unlike a caller of the API, is helped by what lies beneath an unexpected error. */
function describeFault(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const isSelfContained = [RefusedError, StoreNotOpenableError, NewerDatabaseError, TotpKeyError].some(
    (type) => error instanceof type,
  );
  return isSelfContained || !(error.cause instanceof Error)
    ? error.message
    : `${error.message} (${error.cause.message})`;
}
