/** Holds recorded traffic to the spec: every exchange that the spec does not describe, with its place and the remedy. */
import { stat } from "node:fs/promises";
import { audit } from "./audit/audit.ts";
import { contractOfSpec, locatorOf } from "./audit/contract.ts";
import { readHar, UnreadableHarError } from "./audit/har.ts";
import { jsonReport, terminalReport } from "./audit/report.ts";
import { ServerUnknownError, type ServerUrl, serversOf, serverUrl } from "./audit/servers.ts";
import { hasColours, runProgram, UsageError } from "./command.ts";
import { lineOf, SpecProblemsError } from "./generate/problems.ts";
import { Progress } from "./generate/progress.ts";

const help = `Tells which exchanges of recorded traffic the spec does not describe.

Usage: npm run audit -- FILE.har [OPTIONS]

  FILE.har      a recording (HAR 1.2) of a browser, a proxy or a test tool
  --server URL  what counts as the API, also more than once (the servers of the spec)
  --spec FILE   the document, YAML or JSON                  (spec/openapi.yaml)
  --lenient     go on past what the document says amiss, and list it
  --json        the result as one JSON object
  --help        this text

A request that the spec does not permit counts as described where the server refused it as the spec says. Nothing that
the spec marks as sensitive is printed, no query, and no credential.

Exit status: 0 all described, 1 something is not, 2 wrong usage, no readable recording or spec, or nothing to judge.
`;

interface Options {
  readonly file: string;
  readonly spec: string;
  readonly servers: readonly ServerUrl[];
  readonly lenient: boolean;
  readonly json: boolean;
}

/** @returns the exit status */
async function main(options: Options): Promise<number> {
  const progress = new Progress(process.stderr);
  try {
    return await report(options, progress);
  } catch (error) {
    progress.end();
    const isTold = [UnreadableHarError, ServerUnknownError, SpecProblemsError].some(
      (kind) => error instanceof kind,
    );
    if (!isTold) throw error;
    process.stderr.write(`${(error as Error).message}\nNothing was judged.\n`);
    return 2;
  }
}

async function report({ file, spec, servers, lenient, json }: Options, progress: Progress): Promise<number> {
  const { size } = await stat(file).catch(() => ({ size: 0 }));
  // Nothing can be shown while the recording is parsed, which takes a second for about as much.
  if (size > 50_000_000) progress.expectLong();
  progress.stage(`reading ${file}`);
  const recording = await readHar(file);
  const { contract, document, passed } = await contractOfSpec(spec, lenient, (stage) =>
    progress.stage(stage),
  );
  const result = await audit(
    contract,
    servers.length > 0 ? servers : serversOf(document),
    recording,
    (judged) => {
      if (judged % 1000 === 0) progress.stage(`judging, ${judged} of ${recording.length}`);
    },
  );
  progress.end();
  for (const problem of passed) process.stderr.write(`${lineOf(problem)}\n`);
  const isColoured = hasColours(process.stdout.isTTY, process.env.NO_COLOR);
  const text = json
    ? jsonReport(file, result)
    : terminalReport(file, result, isColoured, await locatorOf(spec));
  process.stdout.write(text);
  return result.findings.length === 0 ? 0 : 1;
}

if (import.meta.main)
  await runProgram({
    name: "npm run audit --",
    help,
    options: {
      server: { type: "string", multiple: true, default: [] },
      spec: { type: "string", default: "spec/openapi.yaml" },
      lenient: { type: "boolean", default: false },
      json: { type: "boolean", default: false },
    },
    takesOperands: true,
    run: ({ server, ...choices }, [file, ...more]) => {
      if (file === undefined || more.length > 0) throw new UsageError("name one recording");
      const servers = server.map((text) => {
        const url = serverUrl(text);
        if (url === undefined)
          throw new UsageError(`--server must be a URL such as https://api.example, not "${text}"`);
        return url;
      });
      return main({ file, servers, ...choices });
    },
  });
