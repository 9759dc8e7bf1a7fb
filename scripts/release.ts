import { project } from "./project.ts";
import { runProgram } from "./toolkit/commands/command-line.ts";
import { releaseCommand } from "./toolkit/commands/release.ts";

if (import.meta.main) await runProgram(releaseCommand(project));
