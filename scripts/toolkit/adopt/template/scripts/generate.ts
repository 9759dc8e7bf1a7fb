import { project } from "./project.ts";
import { runProgram } from "./toolkit/commands/command-line.ts";
import { generateCommand } from "./toolkit/commands/generate.ts";

if (import.meta.main) await runProgram(generateCommand(project));
