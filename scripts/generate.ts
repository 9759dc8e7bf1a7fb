import { project } from "./project.ts";
import { runProgram } from "./toolkit/commands/command-line.ts";
import { generateCommand } from "./toolkit/commands/generate.ts";

/** These files belong to this service, so another document or folder leaves them as they are. */
async function generateParts([option, ...others]: readonly string[]): Promise<void> {
  if (others.length > 0 || (option !== undefined && option !== "--check") || process.exitCode) return;
  // Other documents need no settings, and loading them takes time.
  const { generatedParts, writeGeneratedParts } = await import("./generated-parts/generated-parts.ts");
  if (option === undefined) {
    const written = writeGeneratedParts();
    if (written.length > 0) process.stdout.write(`also wrote ${written.join(", ")}\n`);
  } else {
    const stale = generatedParts().filter(({ text, updated }) => updated !== text);
    for (const { path } of stale) process.stderr.write(`${path} is stale\n`);
    if (stale.length === 0) return;
    process.stderr.write("Run `npm run generate` and commit the result.\n");
    process.exitCode = 1;
  }
}

if (import.meta.main) {
  await runProgram(generateCommand(project));
  await generateParts(process.argv.slice(2));
}
