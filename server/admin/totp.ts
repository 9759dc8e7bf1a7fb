/** The command `totp rotate`. The keys come from the settings and are never printed. */
import type { Command } from "commander";
import { rotateTotpKeys } from "../domain/totp-keys.ts";
import { addNoun, addVerb, type CommandContext } from "./command.ts";

export function addTotpCommands(program: Command, { run, totpKeys }: CommandContext): void {
  const totp = addNoun(program, "totp", "the encryption of TOTP secrets in the database", ["totp rotate"]);

  addVerb(totp, "rotate", "encrypt every TOTP secret with the first key of TOTP_SECRET_KEYS", [
    "totp rotate",
  ]).action((options: { json?: boolean }) =>
    run(options, async (store) => {
      const { totp_key_id, users } = await rotateTotpKeys(store, totpKeys);
      return {
        json: { totp: { key_id: totp_key_id, users } },
        text: `Re-encrypted ${users} TOTP ${users === 1 ? "secret" : "secrets"}. All are now encrypted with the key ${totp_key_id}.`,
      };
    }),
  );
}
