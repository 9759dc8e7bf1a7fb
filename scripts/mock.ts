/** Serves the interface from the spec's examples. Generated code is imported only after it was generated. */
import { MissingExamplesError } from "../client/mock/examples.ts";
import { acceptedKeys } from "../client/mock/keys.ts";
import { allowOutsideOption, onSignal, runProgram, UsageError } from "./command.ts";
import { generateStale } from "./generate-stale.ts";
import { codeOf, messageOf } from "./openapi/spec-problems.ts";

const help = `Responds to every operation with the spec's examples. It validates requests like the server.

Usage: npm run mock [-- OPTIONS]

  --port PORT   port to listen on; 0 lets the system choose one   (4010)
  --host HOST   address to listen on                              (127.0.0.1)
  --allow-outside DIR  references of the spec may lead to files in this folder too; may be given more than once
  --help        this text

The response is an example of success. If the request equals an example, the response has the example with the same
name, and otherwise the first one. The header Prefer chooses another, with the syntax of Prism:

  Prefer: code=404                      the first example of this status
  Prefer: example=NAME                  this example of the success response
  Prefer: code=401, example=NAME        this example of this status

If the spec does not have the status or the example, the response is a 404 that lists the possible ones. If Prefer is
malformed, it is a 422. An invalid request is rejected first, as the server does.

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
async function main(address: Address, allowOutside: readonly string[]): Promise<number | undefined> {
  const status = generateStale(allowOutside);
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
      return `${host}:${port} is in use; stop the program that listens there, or choose another port with --port`;
    case "EACCES":
      return `this user may not listen on ${host}:${port}; choose 1024 or higher with --port`;
    case "EADDRNOTAVAIL":
    case "ENOTFOUND":
      return `${host} is not an address of this machine; choose one with --host, such as 127.0.0.1 or 0.0.0.0`;
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
      ...allowOutsideOption,
    },
    run: ({ host, port, "allow-outside": allowOutside }) => {
      if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535)
        throw new UsageError(`--port must be a whole number from 0 to 65535, not "${port}"`);
      return main({ host, port: Number(port) }, allowOutside);
    },
  });
