/** Serves the interface from the spec's examples. Generated code is imported only after it was generated. */
import { MissingExamplesError } from "../client/mock/examples.ts";
import { acceptedKeys } from "../client/mock/keys.ts";
import { onSignal, runProgram, UsageError } from "./command.ts";
import { generateStale } from "./generate-stale.ts";
import { codeOf, messageOf } from "./openapi/spec-problems.ts";

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
cannot be read by a 422. An invalid request is rejected first, as the server rejects it.

${acceptedKeys}

Exit status: 0 stopped as asked, 1 could not start, 2 wrong usage.
`;

/** Time that open requests get after a signal. */
const stopWithinMs = 1000;

interface Address {
  readonly host: string;
  readonly port: number;
}

/** @returns an exit status if the mock did not start */
async function main(address: Address): Promise<number | undefined> {
  const status = generateStale();
  if (status !== 0) return status;
  const { startMock } = await import("./mock/start-mock.ts");
  let server: Awaited<ReturnType<typeof startMock>>;
  try {
    server = await startMock(address, (text) => void process.stdout.write(text));
  } catch (error) {
    process.stderr.write(`could not start: ${startProblem(error, address)}\n`);
    return 1;
  }
  onSignal(async () => {
    await server.stop(stopWithinMs);
  });
  return undefined;
}

function startProblem(error: unknown, { host, port }: Address): string {
  switch (codeOf(error)) {
    case "EADDRINUSE":
      return `${host}:${port} is in use; stop what listens there, or choose another with --port`;
    case "EACCES":
      return `${host}:${port} may not be listened on by this user; choose 1024 or higher with --port`;
    case "EADDRNOTAVAIL":
    case "ENOTFOUND":
      return `${host} is no address of this machine; choose one with --host, such as 127.0.0.1 or 0.0.0.0`;
    default:
      return error instanceof MissingExamplesError ? error.message : messageOf(error);
  }
}

if (import.meta.main)
  await runProgram({
    name: "npm run mock --",
    help,
    options: {
      port: { type: "string", default: "4010" },
      host: { type: "string", default: "127.0.0.1" },
    },
    run: ({ host, port }) => {
      if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535)
        throw new UsageError(`--port must be a whole number from 0 to 65535, not "${port}"`);
      return main({ host, port: Number(port) });
    },
  });
