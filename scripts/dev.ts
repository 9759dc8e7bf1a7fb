import { styleText } from "node:util";
import { allowOutsideOption, onSignal, runProgram } from "./toolkit/command.ts";
import { ServerProcess } from "./toolkit/dev/server-process.ts";
import { watchFolders } from "./toolkit/dev/watch.ts";
import { messageOf } from "./toolkit/openapi/spec-problems.ts";

const help = `Watches spec/, server/, client/ and scripts/. After each save it generates, lints the spec and checks the types. One
screen shows which files were written, and each error of the spec, the handlers and the calls with its place. If there are
no errors, it restarts the server. Otherwise the last version without errors keeps running.
It checks the types of tests and scripts last. Their errors do not prevent a restart.

Usage: npm run dev [-- OPTIONS]

  --allow-outside DIR  references of the spec may also point to files in this folder; repeat it to allow more
  --help               this text

It reads the same settings as \`npm start\`, including those in the file .env. Colours are used only on a terminal, and not
if NO_COLOR is set.

Exit status: 0 stopped by a signal, 1 could not watch, 2 wrong usage.
`;

const folders = ["spec", "server", "client", "scripts"];

async function watch(allowOutside: readonly string[]): Promise<number | undefined> {
  // Loaded here because the compiler loads slowly and --help does not need it.
  const { Cycle } = await import("./toolkit/dev/cycle.ts");
  const print = (text: string): void => void process.stdout.write(text);
  const server = new ServerProcess(["server/main.ts"], {
    onOutput: print,
    onEnd: (how) =>
      print(`${styleText("red", "server")} ended ${how}; the next save without errors starts it again\n`),
  });
  const cycle = new Cycle(server, print, allowOutside);
  let stopWatching: () => void;
  try {
    stopWatching = watchFolders(folders, (batch) => cycle.saved(batch));
  } catch (error) {
    process.stderr.write(`could not watch ${folders.join(", ")}: ${messageOf(error)}\n`);
    return 1;
  }

  onSignal(async () => {
    stopWatching();
    await cycle.end();
  });

  print("generating and checking; press Ctrl-C to stop\n");
  cycle.saved({ files: [], since: performance.now() });
  return undefined;
}

if (import.meta.main)
  await runProgram({
    name: "npm run dev --",
    help,
    options: allowOutsideOption,
    run: ({ "allow-outside": allowOutside }) => watch(allowOutside),
  });
