/** Runs one command of the operator's command line. An error is printed as one line and sets the exit status. */
import { type Command, CommanderError, Help } from "commander";
import { commandLine } from "../admin-command-line.ts";
import type { Config } from "../config.ts";
import { withoutApiKeys } from "../domain/api-keys.ts";
import type { Clock } from "../domain/clock.ts";
import { createTotpKeys, TotpKeyError } from "../domain/totp-keys.ts";
import { databaseName, openStore } from "../store/open.ts";
import { BackupError, NewerDatabaseError, type Store, StoreNotOpenableError } from "../store/store.ts";
import { AdminCommand } from "./admin-command.ts";
import { auditLine, idsIn } from "./audit-line.ts";
import { addBackupCommand } from "./backup.ts";
import { AdminError, addExamples, type CommandContext, type Ids } from "./command.ts";
import { addKeyCommands } from "./key.ts";
import { stderrLine } from "./stderr-line.ts";
import { addTenantCommands } from "./tenant.ts";
import { addTotpCommands } from "./totp.ts";
import { addUserCommands } from "./user.ts";
import { addWebhookCommands } from "./webhook.ts";

type Output = { write(text: string): unknown };

export type AdminSurroundings = {
  databaseUrl: string;
  databaseCreate: Config["DATABASE_CREATE"];
  totpSecretKeys: readonly Uint8Array[];
  commonPasswords: Config["COMMON_PASSWORDS"];
  production: boolean;
  stdin: AsyncIterable<Uint8Array | string>;
  stdout: Output;
  stderr: Output;
  /** Receives the audit log, which is one line for each action. */
  audit: Output & { readonly isTTY?: boolean };
  clock?: Clock;
};

const done = 0;
const rejected = 1;
const wrongUsage = 2;
export type ExitCode = typeof done | typeof rejected | typeof wrongUsage;

/** `argv` contains neither program nor script. Returns 0 if done, 1 if rejected and 2 for wrong usage. */
export async function runAdmin(argv: readonly string[], surroundings: AdminSurroundings): Promise<ExitCode> {
  const { stdout, stderr } = surroundings;
  // An error message quotes the arguments. They may contain a key where its id was expected.
  const printError = (text: string) => {
    const message = withoutApiKeys(text.trim().replaceAll(/\s*\n\s*/g, " "));
    stderr.write(stderrLine("error", message, argv));
  };
  let verbs = "";
  const program = new AdminCommand(commandLine)
    .description(
      "Manages the tenants, API keys, users and webhooks in the database of DATABASE_URL; TOTP secrets are encrypted with TOTP_SECRET_KEYS.",
    )
    .exitOverride()
    .configureHelp({
      // Lists all commands with their verbs. The default, which suggestions use too, lists only the nouns.
      formatHelp: (command, help) => {
        help.visibleCommands = ({ commands }) =>
          commands.flatMap((each) => (each.commands.length > 0 ? [...each.commands] : [each]));
        return new Help().formatHelp(command, help);
      },
      subcommandTerm: (command) => termOf(command),
      optionDescription: (option) =>
        new Help().optionDescription(option) + (option.mandatory ? " (required)" : ""),
    })
    .configureOutput({
      writeOut: (text) => stdout.write(text),
      // Without a verb, commander writes the help.
      writeErr: (help) => {
        verbs += /(?<=\nCommands:\n).*?(?=\n\n|$)/s.exec(help)?.[0] ?? "";
      },
      outputError: (problem) => {
        // npm reads the options of `npm run admin` itself if no -- comes before them.
        const isBare = problem.includes("required option") && !argv.some((word) => word.startsWith("-"));
        printError(
          `${problem.trim()} (--help shows the usage${isBare ? "; `npm run` needs -- before options" : ""})`,
        );
      },
    });
  addExamples(program, ["tenant create --name Acme", "key create --help"]);
  const context = createContext(argv, surroundings);
  addTenantCommands(program, context);
  addKeyCommands(program, context);
  addUserCommands(program, context);
  addWebhookCommands(program, context);
  addTotpCommands(program, context);
  addBackupCommand(program, context);

  try {
    await program.parseAsync(argv, { from: "user" });
    return done;
  } catch (error) {
    if (!(error instanceof CommanderError)) {
      printError(messageOf(error));
      return rejected;
    }
    if (error.exitCode === 0) return done;
    if (error.code === "commander.help") {
      printError("a command is missing (--help lists the commands)");
      if (!argv.includes("--json")) stderr.write(`${verbs.trimEnd()}\n`);
    }
    return wrongUsage;
  }
}

/** Returns the command as help shows it, such as `key revoke [id]`. */
function termOf(command: Command): string {
  const { parent, registeredArguments } = command;
  const above = parent?.parent ? [parent.name()] : [];
  const operands = registeredArguments.map((each) =>
    each.required ? `<${each.name()}>` : `[${each.name()}]`,
  );
  return [...above, command.name(), ...operands].join(" ");
}

function createContext(argv: readonly string[], surroundings: AdminSurroundings): CommandContext {
  const { databaseUrl, databaseCreate, totpSecretKeys, commonPasswords, production } = surroundings;
  const { stdin, stdout, stderr, audit, clock = Date.now } = surroundings;
  const perform: CommandContext["perform"] = async ({ json, tenant: tenant_id, about }, command) => {
    const record = (given: Ids, result: "done" | "failed") => {
      const ids = { tenant_id, ...about, ...given };
      const database = databaseName(databaseUrl);
      audit.write(auditLine(argv, { time: clock(), ids, result, database }, audit.isTTY));
    };
    try {
      const result = await command();
      record(idsIn(result), "done");
      stdout.write(`${json ? JSON.stringify(result.json) : result.text}\n`);
    } catch (error) {
      record({}, "failed");
      throw error;
    }
  };
  return {
    clock,
    stdin,
    commonPasswords,
    totpKeys: createTotpKeys(totpSecretKeys),
    production,
    databaseUrl,
    perform,
    async run(options, command) {
      let store: Store | undefined;
      try {
        await perform(options, async () => {
          store = await openStore(databaseUrl, {
            create: options.mayCreate ? databaseCreate : "never",
            onNewFile: (path) =>
              stderr.write(
                stderrLine("note", `${path} was missing or empty; it is a new database now`, argv),
              ),
          });
          return command(store);
        });
      } finally {
        await store?.close();
      }
    },
  };
}

/** Shows the cause of an unexpected error, because an operator, unlike an API caller, may see it. */
function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const isSelfContained = [
    AdminError,
    BackupError,
    StoreNotOpenableError,
    NewerDatabaseError,
    TotpKeyError,
  ].some((type) => error instanceof type);
  return isSelfContained || !(error.cause instanceof Error)
    ? error.message
    : `${error.message} (${error.cause.message})`;
}
