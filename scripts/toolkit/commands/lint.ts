/** Runs `redocly lint`. Hides its hint about ignore files, because a problem of the spec must be fixed, not ignored. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { createInterface } from "node:readline";
import type { Command } from "commander";
import { action, createCommand } from "./command-line.ts";
import { nameOf, type Project } from "./project.ts";

export function lintCommand(project: Project): Command {
  return createCommand(
    nameOf(project, "lint:spec"),
    `Checks ${project.spec} against the rules of ${project.rules}, Redocly's and this project's. Skips rules that
spec/waivers.yaml waives everywhere.`,
    "0 no problems; 1 problems, each printed with its place and fix; 2 wrong usage.",
  ).action(action(() => lint(project)));
}

async function lint({ program, spec, rules }: Project): Promise<number> {
  const skipped = (await waivedRules(spec)).map((rule) => `--skip-rule=${rule}`);
  const linter = spawn("redocly", ["lint", "--config", rules, ...skipped, spec], {
    env: { ...process.env, REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" },
    stdio: ["ignore", "inherit", "pipe"],
  });
  createInterface(linter.stderr).on("line", (line) => {
    if (!line.includes("--generate-ignore-file")) process.stderr.write(`${line}\n`);
  });
  const [status] = await once(linter, "close");
  if (status !== 0)
    process.stderr.write(`\`${program} generate\` checks the spec too, and often names the fix.\n`);
  return status ?? 1;
}

/** The rules whose waiver covers the whole document. Redocly can skip a rule only everywhere. */
async function waivedRules(spec: string): Promise<string[]> {
  if (!existsSync("spec/waivers.yaml")) return [];
  const [{ readWaivers }, { SpecFiles }] = await Promise.all([
    import("../openapi/waivers.ts"),
    import("../openapi/files.ts"),
  ]);
  const waivers = await readWaivers(spec, undefined, new SpecFiles());
  return waivers.filter(({ path }) => path === undefined).map(({ rule }) => rule);
}
