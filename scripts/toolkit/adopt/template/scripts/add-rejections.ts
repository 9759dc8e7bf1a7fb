/** Adds to spec/openapi.yaml the errors that the server returns before a handler runs. */
import { readFileSync } from "node:fs";
import { generateStale } from "./generate-stale.ts";
import { withRejections } from "./toolkit/adopt/rejections.ts";
import { action, createCommand, runProgram } from "./toolkit/commands/command-line.ts";
import { replaceFile } from "./toolkit/openapi/replace-file.ts";

const description = `Adds the errors to spec/openapi.yaml that server/rejections.ts returns before a handler runs: 401, 403, 413, 415, and 400 or
422. Responses that have a body of problem details are not changed. Then it generates. Run it again after you add operations.`;

const spec = "spec/openapi.yaml";

const command = createCommand(
  "npm run add-rejections --",
  description,
  "0 done, 1 the document cannot be read, 2 wrong usage.",
).action(
  action(async () => {
    const { text, added, elsewhere } = withRejections(readFileSync(spec, "utf8"));
    if (added > 0) await replaceFile(spec, text);
    for (const operation of elsewhere)
      process.stderr.write(`${operation}: its responses are in another file; add them there\n`);
    const status = generateStale();
    if (added > 0 || status === 0)
      process.stdout.write(`${spec}: ${added} response${added === 1 ? "" : "s"} added\n`);
    return status;
  }),
);

if (import.meta.main) await runProgram(command);
