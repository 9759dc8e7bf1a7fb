import { project } from "./project.ts";
import { runProgram } from "./toolkit/commands/command-line.ts";
import { diffCommand } from "./toolkit/commands/diff.ts";

if (import.meta.main) await runProgram(diffCommand(project));
