import { existsSync } from "node:fs";
import { styleText } from "node:util";
import type { Command } from "commander";
import type { Cycle } from "../dev/cycle.ts";
import { ServerProcess } from "../dev/server-process.ts";
import { watchFolders } from "../dev/watch.ts";
import { messageOf } from "../openapi/spec-problems.ts";
import { action, allowOutsideOption, createCommand } from "./command-line.ts";
import { nameOf, type Project } from "./project.ts";
import { onSignal } from "./stop-signals.ts";

const description = `After each save it generates, lints the spec and checks the types. One
screen shows which files were written, and each error of the spec, the handlers and the calls with its place. If there are
no errors, it restarts the server. Otherwise the last version without errors keeps running.
It checks the types of tests and scripts last. Their errors do not prevent a restart.

It reads the same settings as the server, including those in the file .env. Colours are used only on a terminal, and not
if NO_COLOR is set.`;

interface Options {
  readonly allowOutside: readonly string[];
}

export function devCommand(project: Project): Command {
  return createCommand(
    nameOf(project, "dev"),
    `Watches ${project.watched.map((folder) => `${folder}/`).join(", ")}. ${description}`,
    "0 stopped by a signal, 1 could not watch, 2 wrong usage or no server.",
  )
    .argument("[COMMAND...]", `after --: runs the server instead of ${project.main}, and restarts it itself`)
    .option(...allowOutsideOption(project))
    .action(
      action((command: readonly string[], { allowOutside }: Options) =>
        watch({ ...project, allowOutside }, command),
      ),
    );
}

async function watch(project: Project, command: readonly string[]): Promise<number | undefined> {
  const { watched, main } = project;
  const print = (text: string): void => void process.stdout.write(text);
  const isOwn = command.length > 0;
  if (!isOwn && !existsSync(main)) {
    process.stderr.write(
      `${main} does not exist; give your own command, such as \`${project.program} dev -- node --watch src/main.ts\`\n`,
    );
    return 2;
  }
  let cycle: Cycle | undefined;
  let stopWatching: () => void;
  try {
    // The first check reads the files that are saved before it.
    stopWatching = watchFolders(watched, (batch) => cycle?.saved(batch));
  } catch (error) {
    process.stderr.write(`could not watch ${watched.join(", ")}: ${messageOf(error)}\n`);
    return 1;
  }
  print("generating and checking; press Ctrl-C to stop\n");
  // Loaded here because the compiler loads slowly.
  const { Cycle } = await import("../dev/cycle.ts");
  const server = new ServerProcess(isOwn ? command : [process.execPath, main], isOwn, {
    onOutput: print,
    onEnd: (how) =>
      print(`${styleText("red", "server")} ended ${how}; the next save without errors starts it again\n`),
  });
  cycle = new Cycle(project, server, print);
  onSignal(async () => {
    stopWatching();
    await cycle.end();
  });
  cycle.saved({ files: [], since: performance.now() });
  return undefined;
}
