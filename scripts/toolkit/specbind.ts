#!/usr/bin/env node
/** The command `specbind`, for projects that install the packages. */
import { createProgram, runProgram } from "./commands/command-line.ts";
import { conformCommand } from "./commands/conform.ts";
import { diffCommand } from "./commands/diff.ts";
import { docsCommand } from "./commands/docs.ts";
import { generateCommand } from "./commands/generate.ts";
import { initCommand } from "./commands/init.ts";
import type { Project } from "./commands/project.ts";
import { releaseCommand } from "./commands/release.ts";

const project: Project = {
  program: "specbind",
  spec: "spec/openapi.yaml",
  generated: "generated",
  rules: "spec/redocly.yaml",
  runtime: "specbind-runtime",
  docsAssets: "node_modules/.cache/reference-page",
  watched: ["spec", "server", "client"],
};

const commands = [initCommand, generateCommand, diffCommand, releaseCommand, conformCommand, docsCommand];
await runProgram(
  createProgram(
    "specbind",
    "Keeps a server, a client and the documentation in agreement with one OpenAPI document.",
    commands.map((command) => command(project)),
  ),
);
