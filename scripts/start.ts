import { join, relative } from "node:path";
import { keepCompiled } from "#specbind/server/compile-cache";
import { generateStale } from "./generate-stale.ts";
import { project } from "./project.ts";
import { action, allowOutsideOption, createCommand, runProgram } from "./toolkit/commands/command-line.ts";

async function serve(): Promise<void> {
  keepCompiled(new URL("../", import.meta.url));
  const { serveCommerce } = await import("../server/serve.ts");
  await serveCommerce({
    commandLine: "npm start --",
    docsAssets: {
      folder: relative(".", join(import.meta.dirname, "..", project.docsAssets)),
      // Loaded only when it is needed, so that the server starts faster.
      fetch: async (folder) =>
        (await import("./toolkit/docs/reference-script.ts")).fetchReferenceScript(folder),
    },
  });
}

const command = createCommand("npm start --", "", "")
  .option(...allowOutsideOption())
  .action(
    action(async ({ allowOutside }: { readonly allowOutside: readonly string[] }) => {
      const status = generateStale(allowOutside);
      if (status !== 0) return status;
      // Removes the options, because server/main.ts accepts none.
      process.argv.length = 2;
      await serve();
      return undefined;
    }),
  );

// The server's own help lists its settings.
if (process.argv.includes("--help")) await serve();
else await runProgram(command);
