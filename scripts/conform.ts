import { project } from "./project.ts";
import { runProgram } from "./toolkit/commands/command-line.ts";
import { conformCommand } from "./toolkit/commands/conform.ts";

if (import.meta.main) await runProgram(conformCommand(project));
