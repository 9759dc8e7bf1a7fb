/** Runs every check that the project has, for example before a commit or on a build server. */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, join, resolve } from "node:path";
import type { Command } from "commander";
import { releasedFile } from "../diff/released.ts";
import { action, createCommand } from "./command-line.ts";
import { type Gate, printStage, runGates } from "./gates.ts";
import { nameOf, type Project } from "./project.ts";

/** @param given the options that choose the documents, which every check gets */
export function checkCommand(projects: readonly Project[], given: readonly string[]): Command {
  const [first] = projects;
  return createCommand(
    nameOf(first ?? { program: "npx specbind" }, "check"),
    `Checks that generated files match the document, that it follows the rules of Redocly, that the types are right, and that no
change since the release, or else since the last commit, breaks callers without a higher version. Types need tsconfig.json, and changes
need git or a release.`,
    "0 everything passed, 1 something failed, 2 wrong usage.",
  )
    .option("--spec <FILE>", "the document, YAML or JSON", first?.spec)
    .action(action(async () => ((await runGates(gatesOf(projects, given))) ? 0 : 1)));
}

function gatesOf(projects: readonly Project[], given: readonly string[]): Gate[] {
  const gate = (name: string, ...args: readonly string[]): Gate => ({
    name,
    command: [process.execPath, process.argv[1] ?? "", ...args, ...given],
    shown: ["npx specbind", ...args, ...given].join(" "),
  });
  const gates = [gate("generated files", "generate", "--check"), gate("rules", "lint")];
  const compiler = compilerOf("tsconfig.json");
  if (compiler === undefined) printStage("types", 0, "skipped: no tsconfig.json, or no package typescript");
  else
    gates.push({
      name: "types",
      command: [process.execPath, compiler, "--noEmit", "--pretty", "false", "--noErrorTruncation"],
      shown: "npx tsc --noEmit",
      shorten: (output) => shortened(output, projects[0]?.generated ?? ""),
    });
  for (const { spec } of projects) {
    const name = projects.length === 1 ? "breaking changes" : `changes of ${spec}`;
    const base = existsSync(releasedFile(spec)) ? [] : isCommitted(spec) ? ["HEAD"] : undefined;
    if (base !== undefined)
      gates.push(gate(name, "diff", ...base, ...(projects.length > 1 ? ["--spec", spec] : [])));
    else printStage(name, 0, "skipped: no release, and the last commit has no such document");
  }
  return gates;
}

async function shortened(output: string, generated: string): Promise<string> {
  const { shortText } = await import("../dev/compile-error.ts");
  return shortText(output, generated);
}

function isCommitted(spec: string): boolean {
  const args = ["cat-file", "-e", `HEAD:./${basename(spec)}`];
  return spawnSync("git", args, { cwd: dirname(spec), stdio: "ignore" }).status === 0;
}

function compilerOf(config: string): string | undefined {
  if (!existsSync(config)) return undefined;
  try {
    return join(dirname(createRequire(resolve(config)).resolve("typescript/package.json")), "bin/tsc");
  } catch {
    return undefined;
  }
}
