/** Runs the compiler of TypeScript 7, which is faster, and prints its errors in a few lines. */
import { spawnSync } from "node:child_process";
import { project } from "./project.ts";
import { action, createCommand, runProgram } from "./toolkit/commands/command-line.ts";

async function main({ full }: { readonly full: boolean }): Promise<number> {
  const tsc = "node_modules/typescript-7/bin/tsc";
  const started = performance.now();
  const options = ["--checkers", "1", "--pretty", "false", ...(full ? [] : ["--noErrorTruncation"])];
  const { status, stdout } = spawnSync(process.execPath, [tsc, ...options], {
    encoding: "utf8",
    // The process is short, so collecting garbage would cost more than memory.
    env: { ...process.env, GOGC: "off", GOMEMLIMIT: "1GiB" },
    stdio: ["ignore", "pipe", "inherit"],
    maxBuffer: Number.POSITIVE_INFINITY,
  });
  if (status === 0) {
    const seconds = (performance.now() - started) / 1000;
    process.stdout.write(`no type errors (${seconds.toFixed(1)} s)\n`);
    return 0;
  }
  process.stdout.write(full ? stdout : await shortened(stdout));
  return 1;
}

async function shortened(output: string): Promise<string> {
  const { shortText } = await import("./toolkit/dev/compile-error.ts");
  return shortText(output, project.generated);
}

if (import.meta.main)
  await runProgram(
    createCommand(
      "npm run check:types --",
      "Checks the types of all files with the TypeScript compiler.",
      "0 no errors, 1 errors, 2 wrong usage.",
    )
      .option("--full", "print the compiler's own text", false)
      .action(action(main)),
  );
