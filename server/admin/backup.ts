/** The command `backup FILE`. It does not migrate the database, so it can make a backup before an upgrade. */
import type { Command } from "commander";
import { backUp } from "../store/open.ts";
import { addVerb, type CommandContext } from "./command.ts";
import { parseText } from "./option-values.ts";

export function addBackupCommand(program: Command, { perform, databaseUrl }: CommandContext): void {
  addVerb(program, "backup", "copy a SQLite database that may be in use, and check the copy", [
    "backup commerce-backup.db",
  ])
    .argument("<file>", "the new file; an existing file is never overwritten", parseText)
    .action((file: string, options: { json?: boolean }) =>
      perform(options, async () => {
        const { bytes, schemaVersion } = await backUp(databaseUrl, file);
        return {
          json: { backup: { file, bytes, schema_version: schemaVersion } },
          text: `Wrote ${file}: ${bytes} bytes, schema version ${schemaVersion}. The copy was opened and is intact.`,
        };
      }),
    );
}
