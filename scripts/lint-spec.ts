import { project } from "./project.ts";
import { runProgram } from "./toolkit/commands/command-line.ts";
import { lintCommand } from "./toolkit/commands/lint.ts";

if (import.meta.main) await runProgram(lintCommand(project));
