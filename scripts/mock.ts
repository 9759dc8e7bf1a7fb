/** Serves the interface with the spec's examples and schemas. Generated code is updated before it is imported. */
import { acceptedKeys, authenticate, credentialFor } from "../client/mock/keys.ts";
import { generateStale } from "./generate-stale.ts";
import {
  allowOutsideOption,
  onSignal,
  runProgram,
  seedIn,
  UsageError,
  type ValuesOf,
} from "./toolkit/command.ts";
import type { Mocked } from "./toolkit/mock/start-mock.ts";
import { codeOf, listOfProblems, messageOf } from "./toolkit/openapi/spec-problems.ts";

const help = `Responds to every operation with the spec's examples. It validates requests like the server.

Usage: npm run mock [-- OPTIONS]

  --spec FILE   another document, YAML or JSON; rules that cannot be enforced are listed
                the operations are also served below the path of its first server
  --port PORT   port to listen on; 0 lets the system choose one   (4010)
  --host HOST   address to listen on                              (127.0.0.1)
  --seed N      make other values where the spec has no example   (1)
  --verbose     list every problem of the document, even if there are many
  --allow-outside DIR  references of the spec may also point to files in this folder; repeat it to allow more
  --help        this text

The response is an example of a success response. If the request equals an example, the response is the example with the same
name. Otherwise it is the first one. The header Prefer chooses another one, with the syntax of Prism:

  Prefer: code=404                      the first example of this status
  Prefer: example=NAME                  this example of the success response
  Prefer: code=401, example=NAME        this example of this status

If there is no valid example, the response is made from its schema, and has the header X-Mock-Generated: seed=N. The same
seed makes the same response. Pages of any origin may call the mock.

If the spec does not have the status or the example, the response is a 404 that lists the possible values. If Prefer is
malformed, it is a 422. Invalid requests are rejected first, as in the server.

${acceptedKeys} With --spec, every credential is accepted.

Exit status: 0 stopped by a signal, 1 could not start, 2 wrong usage.
`;

/** The time between a signal and the end of open requests. */
const stopWithinMs = 1000;

const options = {
  spec: { type: "string" },
  port: { type: "string", default: "4010" },
  host: { type: "string", default: "127.0.0.1" },
  seed: { type: "string", default: "1" },
  verbose: { type: "boolean", default: false },
  ...allowOutsideOption,
} as const;
type Options = ValuesOf<typeof options>;

/** @returns an exit status if the mock did not start */
async function main(values: Options): Promise<number | undefined> {
  const { spec, host, port, verbose, "allow-outside": allowOutside } = values;
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535)
    throw new UsageError(`--port must be a whole number from 0 to 65535, not "${port}"`);
  const address = { host, port: Number(port) };
  const seed = seedIn(values.seed);
  const status = spec === undefined ? generateStale(allowOutside) : 0;
  if (status !== 0) return status;
  const { readInterface, startMock } = await import("./toolkit/mock/start-mock.ts");
  const mocked = spec === undefined ? await ownInterface() : await readInterface(spec, allowOutside);
  const { rejectionResponse: reject } = await import("../server/rejections.ts");
  if (mocked.passed.length > 0) process.stderr.write(`${listOfProblems(mocked.passed, verbose)}\n`);
  const starting = startMock({ ...mocked, reject }, address, seed, (text) => void process.stdout.write(text));
  onSignal(async () => {
    await (await starting.catch(() => undefined))?.stop(stopWithinMs);
  });
  try {
    await starting;
    return undefined;
  } catch (error) {
    process.stderr.write(`could not start: ${startProblem(error, address)}\n`);
    return 1;
  }
}

async function ownInterface(): Promise<Mocked> {
  const { contract } = await import("../generated/contract.ts");
  const { default: document } = await import("../generated/openapi.json", { with: { type: "json" } });
  return { contract, document, authenticate, credentialFor, passed: [] };
}

function startProblem(
  error: unknown,
  { host, port }: { readonly host: string; readonly port: number },
): string {
  switch (codeOf(error)) {
    case "EADDRINUSE":
      return `${host}:${port} is in use; stop the program that listens there, or give another port with --port`;
    case "EACCES":
      return `this user may not listen on ${host}:${port}; give a port of 1024 or higher with --port`;
    case "EADDRNOTAVAIL":
    case "ENOTFOUND":
      return `${host} is not an address of this machine; give one with --host, such as 127.0.0.1 or 0.0.0.0`;
    default:
      return messageOf(error);
  }
}

if (import.meta.main)
  await runProgram({
    name: "npm run mock --",
    help,
    options,
    onSpecProblems: ["Nothing is served.", 1],
    run: main,
  });
