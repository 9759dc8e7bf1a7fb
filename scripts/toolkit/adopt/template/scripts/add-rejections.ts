import { project } from "./project.ts";
import { addRejectionsCommand } from "./toolkit/commands/add-rejections.ts";
import { runProgram } from "./toolkit/commands/command-line.ts";

if (import.meta.main) await runProgram(addRejectionsCommand(project));
