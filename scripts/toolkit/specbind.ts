/** The command `specbind`, for projects that install the packages. */
import { parseArgs } from "node:util";
import type { Command } from "commander";
import { addRejectionsCommand } from "./commands/add-rejections.ts";
import { buildClientCommand } from "./commands/build-client.ts";
import { checkCommand } from "./commands/check.ts";
import { asksForHelp, createProgram, runProgram } from "./commands/command-line.ts";
import { ConfigError, configuredProjects, defaults } from "./commands/config.ts";
import { conformCommand } from "./commands/conform.ts";
import { devCommand } from "./commands/dev.ts";
import { diffCommand } from "./commands/diff.ts";
import { docsCommand } from "./commands/docs.ts";
import { generateCommand } from "./commands/generate.ts";
import { initCommand } from "./commands/init.ts";
import { lintCommand } from "./commands/lint.ts";
import { mockCommand } from "./commands/mock.ts";
import type { Project } from "./commands/project.ts";
import { releaseCommand } from "./commands/release.ts";
import { ownVersion } from "./commands/runtime-version.ts";

/** These run for each document of the configuration, unless --spec chooses one. */
const repeated = ["generate", "lint", "add-rejections"];
/** These need --spec if the configuration has several documents. */
const single = ["dev", "mock", "conform", "docs", "release", "build-client"];

function programOf(project: Project, projects: readonly Project[], given: readonly string[]): Command {
  const commands = [
    initCommand(),
    generateCommand(project),
    checkCommand(projects, given),
    lintCommand(project),
    diffCommand(project, projects),
    releaseCommand(project),
    mockCommand(project),
    conformCommand(project),
    devCommand(project),
    docsCommand(project),
    addRejectionsCommand(project),
    buildClientCommand(project),
  ];
  for (const command of commands.slice(1))
    command.option("--config <FILE>", "the configuration, instead of specbind.config.ts, .js or .json");
  return createProgram(
    "specbind",
    "Keeps a server, a client and the documentation in agreement with one OpenAPI document.",
    commands,
  ).version(ownVersion() ?? "not built", "--version", "print the version");
}

async function main(args: readonly string[]): Promise<void> {
  const text = { type: "string" } as const;
  const { values } = parseArgs({ args: [...args], options: { config: text, spec: text }, strict: false });
  // The commands report an option without a value.
  const [config, spec] = [values.config, values.spec].map((value) =>
    typeof value === "string" ? value : undefined,
  );
  const [verb = ""] = args;
  const needsNone = ["init", "--version"].includes(verb) || asksForHelp(args);
  const projects = needsNone ? [defaults] : await configuredProjects(config, spec);
  if (projects.length > 1 && single.includes(verb))
    throw new ConfigError(`the configuration has ${projects.length} documents; choose one with --spec FILE`);
  const given = Object.entries({ config, spec }).flatMap(([name, value]) =>
    value ? [`--${name}=${value}`] : [],
  );
  let worst = 0;
  for (const project of repeated.includes(verb) ? projects : projects.slice(0, 1)) {
    await runProgram(programOf(project, projects, given), args);
    worst = Math.max(worst, Number(process.exitCode ?? 0));
  }
  process.exitCode = worst;
}

try {
  await main(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof ConfigError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 2;
}
