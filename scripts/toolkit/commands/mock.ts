/** Serves a document's examples. */
import type { Command } from "commander";
import type { MockDependencies } from "#specbind/client/mock";
import { problemOfWebhookSecret } from "#specbind/standard-webhooks";
import type { Mocked } from "../mock/start-mock.ts";
import { listOfProblems, messageOf } from "../openapi/spec-problems.ts";
import { action, allowOutsideOption, createCommand, parseSeed, wholeNumber } from "./command-line.ts";
import { nameOf, type Project } from "./project.ts";
import { onSignal } from "./stop-signals.ts";

/** The mock of a project with credentials and errors of its own. Everything is loaded late, because --help does not need it. */
export interface ProjectMock {
  /** A sentence about the credentials that the mock of the project's own document accepts. */
  readonly acceptedKeys: string;
  /** The project's own document, which is served without --spec. @returns an exit status if the spec has errors */
  readonly load: (allowOutside: readonly string[]) => Promise<Mocked | number>;
  readonly loadReject: () => Promise<MockDependencies["reject"]>;
}

interface Options {
  readonly spec: string | undefined;
  readonly port: number;
  readonly host: string;
  readonly seed: number;
  readonly verbose: boolean;
  readonly send: string | undefined;
  readonly to: string | undefined;
  readonly secret: string | undefined;
  readonly allowOutside: readonly string[];
}

const prefer = `The response is an example of a success response. If the request equals an example, the response is the example with the same
name. Otherwise it is the first one. The header Prefer chooses another one, with the syntax of Prism:

  Prefer: code=404                      the first example of this status
  Prefer: example=NAME                  this example of the success response
  Prefer: code=401, example=NAME        this example of this status

If there is no valid example, the response is made from its schema, and has the header X-Mock-Generated: seed=N. The same
seed makes the same response. Pages of any origin may call the mock.

If the spec does not have the status or the example, the response is a 404 that lists the possible values. If Prefer is
malformed, it is a 422. Invalid requests are rejected first, as in the server. Their responses are the documented ones.

After a success response, the mock sends the operation's callbacks, if their URL is on this machine. With --send and --to, it
sends an example of one webhook or callback, prints the response, and ends.`;

/** The time between a signal and the end of open requests. */
const stopWithinMs = 1000;

/** @param own default: every credential is accepted, and errors are those of the document */
export function mockCommand(project: Project, own?: ProjectMock): Command {
  return createCommand(
    nameOf(project, "mock"),
    `Responds to every operation with the spec's examples. It validates requests like the server.

${prefer}

${own === undefined ? "Every" : `${own.acceptedKeys} With --spec, every`} credential is accepted.`,
    "0 stopped by a signal or accepted by the receiver, 1 could not start or was not accepted, 2 wrong usage.",
  )
    .option(
      "--spec <FILE>",
      `${own === undefined ? "the" : "another"} document, YAML or JSON; rules that cannot be enforced are listed; the operations are also served below the path of its first server`,
      own === undefined ? project.spec : undefined,
    )
    .option("--port <PORT>", "port to listen on; 0 lets the system choose one", wholeNumber(0, 65_535), 4010)
    .option("--host <HOST>", "address to listen on", "127.0.0.1")
    .option("--seed <N>", "make other values where the spec has no example", parseSeed, 1)
    .option("--send <WEBHOOK>", "send an example of this webhook to the URL of --to, and end")
    .option("--to <URL>", "the URL of the receiver")
    .option("--secret <SECRET>", "sign with this secret, whsec_…, as Standard Webhooks describes")
    .option("--verbose", "list every problem of the document, even if there are many", false)
    .option(...allowOutsideOption(project))
    .action(
      action(
        (options: Options, command: Command) => {
          checkDelivery(options, command);
          return main(options, own);
        },
        ["Nothing is served.", 1],
      ),
    );
}

function checkDelivery({ send, to, secret }: Options, command: Command): void {
  if ((send === undefined) !== (to === undefined)) command.error("give both --send WEBHOOK and --to URL");
  if (secret !== undefined && send === undefined)
    command.error("--secret signs the webhook that --send WEBHOOK names; give both");
  const url = URL.canParse(to ?? "") ? new URL(to ?? "") : undefined;
  // The output contains the URL.
  if (to !== undefined && (!/^https?:$/.test(url?.protocol ?? "") || url?.username || url?.password))
    command.error("--to must be a URL such as http://127.0.0.1:4000/hooks, without user and password");
  const problem = secret === undefined ? undefined : problemOfWebhookSecret(secret);
  if (problem !== undefined) command.error(`--secret ${problem}`);
}

/** @returns an exit status if the mock did not start */
async function main(options: Options, own: ProjectMock | undefined): Promise<number | undefined> {
  const { spec, host, port, seed, verbose, allowOutside } = options;
  const { readInterface, startMock } = await import("../mock/start-mock.ts");
  const { explainListenError } = await import("#specbind/server/node");
  const mocked = await (spec === undefined ? own?.load(allowOutside) : readInterface(spec, allowOutside));
  if (typeof mocked !== "object") return mocked;
  const reject = spec === undefined ? await own?.loadReject() : undefined;
  if (mocked.passed.length > 0) process.stderr.write(`${listOfProblems(mocked.passed, verbose)}\n`);
  const print = (text: string) => void process.stdout.write(text);
  if (options.send !== undefined && options.to !== undefined) {
    const { outgoingWebhooks } = await import("../mock/outgoing-webhooks.ts");
    const none = { contract: mocked.contract, document: {}, callbacks: [] };
    const { send } = outgoingWebhooks(mocked.webhooks ?? none, seed, (line) => print(`${line}\n`));
    return (await send(options.send, options.to, options.secret)) ? 0 : 1;
  }
  const starting = startMock({ ...mocked, ...(reject && { reject }) }, { host, port }, seed, print);
  onSignal(async () => {
    await (await starting.catch(() => undefined))?.stop(stopWithinMs);
  });
  try {
    await explainListenError(starting, { host: "--host", port: "--port" });
    return undefined;
  } catch (error) {
    process.stderr.write(`could not start: ${messageOf(error)}\n`);
    return 1;
  }
}
