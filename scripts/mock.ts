/** Serves the interface from the spec's examples, for those who call it before, or without, the real service. */
import { parseArgs } from "node:util";
import { contract } from "../generated/contract.ts";
import document from "../generated/openapi.json" with { type: "json" };
import { type Listening, listen } from "../server/listen.ts";
import { messageOf } from "./generate/problems.ts";
import { createMock } from "./mock/app.ts";
import { curlLine } from "./mock/curl.ts";
import { examplesOf, MissingExamplesError, type OperationExamples } from "./mock/examples.ts";
import { rolesByPrefix } from "./mock/keys.ts";

const help = `Answers every operation from the spec's examples, with the same validation as the server.

Usage: npm run mock [-- OPTIONS]

  --port PORT   port to listen on; 0 lets the system choose one   (4010)
  --host HOST   address to listen on                              (127.0.0.1)
  --help        this text

A request is answered with the success response: the example that has the name of the request's example that was sent,
or else the first one. The header Prefer, as Prism reads it, chooses another:

  Prefer: code=404                      the first example of that status
  Prefer: example=NAME                  that example of the success response
  Prefer: code=401, example=NAME        that example of that status

A status or an example that the spec does not have is answered by a 404 that lists those there are, a Prefer that
cannot be read by a 422. Faults of the request come first: an invalid one is refused as the server refuses it.

Any key is accepted that begins with the prefix of its kind (${Object.entries(rolesByPrefix)
  .map(([prefix, role]) => `${prefix} ${role}`)
  .join(", ")}); a kind that an operation
is not open to gets the 403.

Exit status: 0 stopped as asked, 1 could not start, 2 wrong usage.
`;

/** How long open requests may take after a signal. */
const stopWithinMs = 1000;

interface Options {
  readonly host: string;
  readonly port: number;
  readonly help: boolean;
}

function readOptions(args: readonly string[]): Options {
  const { port, ...rest } = parseArgs({
    args: [...args],
    options: {
      port: { type: "string", default: "4010" },
      host: { type: "string", default: "127.0.0.1" },
      help: { type: "boolean", default: false },
    },
  }).values;
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535)
    throw new TypeError(`--port must be a whole number from 0 to 65535, not "${port}"`);
  return { ...rest, port: Number(port) };
}

/** @returns the exit status where there is nothing to wait for */
async function main(args: readonly string[]): Promise<number | undefined> {
  let options: Options;
  try {
    options = readOptions(args);
  } catch (error) {
    process.stderr.write(`${messageOf(error)}\nTry: npm run mock -- --help\n`);
    return 2;
  }
  if (options.help) {
    process.stdout.write(help);
    return 0;
  }
  let server: Listening;
  try {
    const examples = examplesOf(document, contract.operations);
    const log = (line: string): void => void process.stdout.write(`${line}\n`);
    server = await listen(createMock({ contract, examples, log }), {
      ...options,
      onMalformed: () => log("malformed HTTP → 400"),
    });
    process.stdout.write(startText(server.url, examples));
  } catch (error) {
    process.stderr.write(`could not start: ${startFault(error, options)}\n`);
    return 1;
  }
  let stopping = false;
  // From a terminal, npm hands on a signal that has come here already.
  const stop = async (): Promise<void> => {
    if (stopping) return;
    stopping = true;
    await server.stop(stopWithinMs);
    process.exit(0);
  };
  process.on("SIGINT", stop);
  process.on("SIGTERM", stop);
  return undefined;
}

function startText(url: string, examples: ReadonlyMap<string, OperationExamples>): string {
  const commands = Object.entries(contract.operations).map(([id, operation]) => {
    const found = examples.get(id);
    return found === undefined ? "" : `# ${id}\n${curlLine(url, operation, found)}\n`;
  });
  return `listening on ${url}\n\n${commands.join("")}\n`;
}

function startFault(error: unknown, { host, port }: Options): string {
  if (error instanceof MissingExamplesError) return error.message;
  switch (error instanceof Error && "code" in error ? error.code : undefined) {
    case "EADDRINUSE":
      return `${host}:${port} is in use; stop what listens there, or choose another with --port`;
    case "EACCES":
      return `${host}:${port} may not be listened on by this user; choose 1024 or higher with --port`;
    case "EADDRNOTAVAIL":
    case "ENOTFOUND":
      return `${host} is no address of this machine; choose one with --host, such as 127.0.0.1 or 0.0.0.0`;
    default:
      return messageOf(error);
  }
}

if (import.meta.main) {
  const status = await main(process.argv.slice(2));
  if (status !== undefined) process.exitCode = status;
}
