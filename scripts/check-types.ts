/** Runs the compiler of TypeScript 7, which is faster, and prints its errors in a few lines. */
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { action, createCommand, runProgram } from "./toolkit/commands/command-line.ts";

async function main({ full }: { readonly full: boolean }): Promise<number> {
  const tsc = "node_modules/typescript-7/bin/tsc";
  const { status, stdout } = spawnSync(process.execPath, [tsc, "--checkers", "1", "--pretty", "false"], {
    encoding: "utf8",
    // The process is short, so collecting garbage would cost more than memory.
    env: { ...process.env, GOGC: "off", GOMEMLIMIT: "1GiB" },
    stdio: ["ignore", "pipe", "inherit"],
    maxBuffer: Number.POSITIVE_INFINITY,
  });
  process.stdout.write(full || status === 0 ? stdout : await shortened(stdout));
  return status === 0 ? 0 : 1;
}

async function shortened(output: string): Promise<string> {
  const { parseErrors, shortError } = await import("./toolkit/dev/compile-error.ts");
  const blocks = parseErrors(output).map((error) => {
    const { file, line, column, code, message } = shortError(error, (path) => readFileSync(path, "utf8"));
    const place = line === undefined ? file : `${file}(${line},${column})`;
    return `${place}: error ${code}: ${message.join("\n  ")}\n`;
  });
  return blocks.length === 0 ? output : blocks.join("");
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
