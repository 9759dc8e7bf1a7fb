import { project } from "./project.ts";
import { runProgram } from "./toolkit/commands/command-line.ts";
import { generateCommand } from "./toolkit/commands/generate.ts";

/** The lists of settings belong to this service, so another document or folder leaves them as they are. */
async function generateLists([option, ...others]: readonly string[]): Promise<void> {
  if (others.length > 0 || (option !== undefined && option !== "--check") || process.exitCode) return;
  // Other documents need no settings, and loading them takes time.
  const { settingsLists, writeSettingsLists } = await import("./settings/lists.ts");
  if (option === undefined) {
    for (const path of writeSettingsLists()) process.stdout.write(`settings: wrote ${path}\n`);
  } else {
    const stale = settingsLists().filter(({ text, updated }) => updated !== text);
    for (const { path } of stale) process.stderr.write(`${path}: the list of settings is stale\n`);
    if (stale.length === 0) return;
    process.stderr.write("Run `npm run generate` and commit the result.\n");
    process.exitCode = 1;
  }
}

if (import.meta.main) {
  await runProgram(generateCommand(project));
  await generateLists(process.argv.slice(2));
}
