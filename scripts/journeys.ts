/** Tries a deployment: runs the journeys of `spec/journeys.arazzo.yaml` against it, by the client. */

import { ConfigurationError } from "../client/index.ts";
import { hasColours, runProgram, UsageError } from "./command.ts";
import { SpecProblemsError } from "./generate/problems.ts";
import { readJourneys } from "./journeys/arazzo.ts";
import { callsThroughClient, operationIds } from "./journeys/client-calls.ts";
import { InputsError, readInputs } from "./journeys/inputs.ts";
import { isLeft, isPassed, terminalReport } from "./journeys/report.ts";
import { type CallOperation, type JourneyOutcome, runJourney } from "./journeys/run.ts";

const help = `Runs journeys, which are workflows of Arazzo, against a live server, by the client.

Usage: npm run journeys -- --server URL --inputs FILE [OPTIONS]

  --server URL   the deployment
  --inputs FILE  a JSON object of keys and accounts to try it with; - for standard input
  --spec FILE    the Arazzo document               (spec/journeys.arazzo.yaml)
  --help         this text

A journey whose inputs are not all given is not run, and named. Journeys write: use keys and accounts that are kept for trying. No
input is printed.

Exit status: 0 all that were run passed, 1 one failed, 2 wrong usage, no readable document or inputs, or nothing was run.
`;

interface Options {
  readonly call: CallOperation;
  readonly inputs: string;
  readonly spec: string;
}

/** @returns the exit status */
async function main(options: Options): Promise<number> {
  try {
    const journeys = await readJourneys(options.spec, operationIds);
    const inputs = await readInputs(options.inputs, journeys);
    const outcomes: JourneyOutcome[] = [];
    for (const journey of journeys) outcomes.push(await runJourney(journey, inputs, options.call));
    process.stdout.write(terminalReport(outcomes, hasColours(process.stdout.isTTY, process.env.NO_COLOR)));
    if (outcomes.every(isLeft)) return 2;
    return outcomes.every((outcome) => isLeft(outcome) || isPassed(outcome)) ? 0 : 1;
  } catch (error) {
    if (!(error instanceof SpecProblemsError || error instanceof InputsError)) throw error;
    process.stderr.write(`${error.message}\nNothing was run.\n`);
    return 2;
  }
}

if (import.meta.main)
  await runProgram({
    name: "npm run journeys --",
    help,
    options: {
      server: { type: "string" },
      inputs: { type: "string" },
      spec: { type: "string", default: "spec/journeys.arazzo.yaml" },
    },
    run: ({ server, inputs, spec }) => {
      if (server === undefined || inputs === undefined)
        throw new UsageError("name --server URL and --inputs FILE");
      return main({ call: calls(server), inputs, spec });
    },
  });

function calls(server: string): CallOperation {
  try {
    return callsThroughClient(server);
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    throw new UsageError(`--server ${error.problems.map(({ message }) => message).join("; ")}`);
  }
}
