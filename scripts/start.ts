import { generateStale } from "./generate-stale.ts";
import { allowOutsideOption, runCommand } from "./toolkit/command.ts";

const serve = (): Promise<unknown> => import("../server/main.ts");

if (process.argv.includes("--help")) await serve();
else
  process.exitCode = await runCommand(
    {
      name: "npm start --",
      help: "",
      options: allowOutsideOption,
      run: async ({ "allow-outside": allowOutside }) => {
        const status = generateStale(allowOutside);
        if (status !== 0) return status;
        // Removes the options, because server/main.ts accepts none.
        process.argv.length = 2;
        await serve();
        return undefined;
      },
    },
    process.argv.slice(2),
  );
