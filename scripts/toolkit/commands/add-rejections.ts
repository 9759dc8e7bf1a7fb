import { existsSync, readFileSync } from "node:fs";
import type { Command } from "commander";
import { replaceFile } from "../openapi/replace-file.ts";
import { SpecProblemsError } from "../openapi/spec-problems.ts";
import { action, createCommand } from "./command-line.ts";
import { generateCommand } from "./generate.ts";
import { nameOf, type Project } from "./project.ts";

export function addRejectionsCommand(project: Project): Command {
  return createCommand(
    nameOf(project, "add-rejections"),
    `Adds the errors to the document that a server returns before a handler runs: 401, 403, 413, 415, and 400 or 422. They have
the form of the document's other errors if \`specbind init\` can make these, and otherwise are problem details. Responses that have such a body
are not changed. Then it generates. Run it again after you add operations.`,
    "0 done, 1 the document has errors, 2 wrong usage.",
  )
    .option("--spec <FILE>", "the document, YAML or JSON", project.spec)
    .action(
      action(async ({ spec }: { readonly spec: string }) => {
        // The generator reports a missing file, and errors of syntax.
        const added = existsSync(spec) ? await add(spec, project.allowOutside) : 0;
        await generateCommand(project).parseAsync(["--spec", spec, "--quiet"], { from: "user" });
        const status = Number(process.exitCode);
        if (added > 0 || status === 0)
          process.stdout.write(`${spec}: ${added} response${added === 1 ? "" : "s"} added\n`);
        return status;
      }),
    );
}

async function add(spec: string, allowOutside: Project["allowOutside"]): Promise<number> {
  // Loaded here because --help does not need them.
  const [{ withRejections }, { readInterface }, { errorEnvelopeOf }] = await Promise.all([
    import("../openapi/add-rejections.ts"),
    import("../mock/start-mock.ts"),
    import("../init/error-envelope.ts"),
  ]);
  const read = await readInterface(spec, allowOutside).catch((error: unknown) => {
    if (error instanceof SpecProblemsError) return undefined;
    throw error;
  });
  if (read === undefined) return 0;
  const own = errorEnvelopeOf(read.document, read.contract);
  const { text, added, mediaType, elsewhere } = withRejections(readFileSync(spec, "utf8"), own?.mediaType);
  if (added > 0) await replaceFile(spec, text);
  if (added > 0 && mediaType === own?.mediaType)
    process.stderr.write(
      `The responses have the form of the document's other errors, ${mediaType}. The server needs an \`errorEnvelope\` that makes it.\n`,
    );
  for (const operation of elsewhere)
    process.stderr.write(`${operation}: its responses are in another file; add them there\n`);
  return added;
}
