/** Runs `redocly lint`. Hides its hint about ignore files, because a problem of the spec must be fixed, not ignored. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { createInterface } from "node:readline";
import { runProgram } from "./toolkit/command.ts";

const help = `Checks spec/openapi.yaml against the rules of spec/redocly.yaml, Redocly's and this project's. Skips rules that
spec/waivers.yaml waives everywhere.

Usage: npm run lint:spec

  --help   this text

Exit status: 0 no problems; 1 problems, each printed with its place and fix; 2 wrong usage.
`;

const spec = "spec/openapi.yaml";

async function main(): Promise<number> {
  const skipped = (await waivedRules()).map((rule) => `--skip-rule=${rule}`);
  const lint = spawn("redocly", ["lint", "--config", "spec/redocly.yaml", ...skipped, spec], {
    env: { ...process.env, REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" },
    stdio: ["ignore", "inherit", "pipe"],
  });
  createInterface(lint.stderr).on("line", (line) => {
    if (!line.includes("--generate-ignore-file")) process.stderr.write(`${line}\n`);
  });
  const [status] = await once(lint, "close");
  if (status !== 0)
    process.stderr.write("`npm run generate` checks the spec too, and often names the fix.\n");
  return status ?? 1;
}

/** The rules whose waiver covers the whole document. Redocly can skip a rule only everywhere. */
async function waivedRules(): Promise<string[]> {
  if (!existsSync("spec/waivers.yaml")) return [];
  const [{ readWaivers }, { SpecFiles }] = await Promise.all([
    import("./toolkit/openapi/waivers.ts"),
    import("./toolkit/openapi/files.ts"),
  ]);
  const waivers = await readWaivers(spec, undefined, new SpecFiles());
  return waivers.filter(({ path }) => path === undefined).map(({ rule }) => rule);
}

if (import.meta.main) await runProgram({ name: "npm run lint:spec --", help, options: {}, run: main });
