import { project } from "./project.ts";
import { runProgram } from "./toolkit/commands/command-line.ts";
import { docsCommand } from "./toolkit/commands/docs.ts";

if (import.meta.main) await runProgram(docsCommand(project));
