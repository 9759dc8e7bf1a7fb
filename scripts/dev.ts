import { project } from "./project.ts";
import { runProgram } from "./toolkit/commands/command-line.ts";
import { devCommand } from "./toolkit/commands/dev.ts";

if (import.meta.main) await runProgram(devCommand(project));
