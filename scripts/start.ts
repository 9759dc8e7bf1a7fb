import { nearestWord } from "#specbind/nearest-word";
import { settings } from "../server/config.ts";
import { generateStale } from "./generate-stale.ts";
import { action, allowOutsideOption, createCommand, runProgram } from "./toolkit/commands/command-line.ts";

const command = createCommand("npm start --", "", "")
  .option(...allowOutsideOption())
  .action(
    action(async ({ allowOutside }: { readonly allowOutside: readonly string[] }) => {
      const status = generateStale(allowOutside);
      if (status !== 0) return status;
      // Removes the options, because the server accepts none.
      process.argv.length = 2;
      await import("./serve.ts");
      return undefined;
    }),
  );

const [argument = ""] = process.argv.slice(2);
// The server's own help lists its settings. It also reports an option that resembles a setting.
if (process.argv.includes("--help") || nearestWord(argument, Object.keys(settings)) !== undefined)
  await import("./serve.ts");
else await runProgram(command);
