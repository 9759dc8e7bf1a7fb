/**
 * What every command is given to work with: the database for as long as it runs, and one way to answer. The commands
 * themselves are in the file of their noun.
 */
import type { Command } from "commander";
import type { Clock } from "../domain/clock.ts";
import { checkTotpKeys, type TotpKeys } from "../domain/totp-keys.ts";
import type { Store, Tenant } from "../store/store.ts";

export type AdminSession = {
  clock: Clock;
  stdin: AsyncIterable<Uint8Array | string>;
  totpKeys: TotpKeys;
  production: boolean;
  /** Opens the database for `work` and closes it afterwards, whatever came of it. */
  withStore<T>(work: (store: Store) => Promise<T>): Promise<T>;
  /** Prints the answer: `json` as one line for programs, or `text` for people. */
  print(asJson: boolean | undefined, answer: { json: object; text: string }): void;
};

/** An action that the state of the database does not allow. The message is one line and says what to do about it. */
export class RefusedError extends Error {
  override name = "RefusedError";
}

/** @throws RefusedError */
export async function requireTenant(store: Store, id: string): Promise<Tenant> {
  const tenant = await store.tenants.find(id);
  if (tenant === undefined) {
    throw new RefusedError(`no tenant has the id ${id}; "tenant list" shows those there are`);
  }
  return tenant;
}

/**
 * Before a TOTP secret is made: in production it has to be encrypted, and with keys that can be the servers'.
 * @throws RefusedError, TotpKeyError
 */
export async function requireTotpKeys(store: Store, { totpKeys, production }: AdminSession): Promise<void> {
  if (production && totpKeys.current === undefined) {
    throw new RefusedError(
      "the TOTP secret would not be encrypted; set TOTP_SECRET_KEYS, here and for the server, to a key such as `openssl rand -base64 32` makes",
    );
  }
  await checkTotpKeys(store, totpKeys);
}

/** Adds a noun, whose verbs are to be added to what is answered. */
export function addNoun(program: Command, name: string, description: string, examples: string[]): Command {
  return addExamples(program.command(name).description(description), examples);
}

/** Adds a verb, which can also answer in JSON. */
export function addVerb(noun: Command, name: string, description: string, examples: string[]): Command {
  const verb = noun.command(name).description(description).option("--json", "answer with one JSON object");
  return addExamples(verb, examples);
}

/** Shows the examples below the command's help. */
export function addExamples(command: Command, examples: string[]): Command {
  const lines = examples.map((example) => `\n  $ npm run -s admin -- ${example}`);
  return command.addHelpText("after", `\nExamples:${lines.join("")}`);
}

/** Rows under their headings, each column as wide as its widest value. */
export function formatTable(headings: string[], rows: string[][]): string {
  const widths = headings.map((heading, column) =>
    Math.max(heading.length, ...rows.map((row) => (row[column] ?? "").length)),
  );
  return [headings, ...rows]
    .map((row) =>
      row
        .map((value, column) => value.padEnd(widths[column] ?? 0))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}
