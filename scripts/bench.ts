import { Argument, Option } from "commander";
import { type BenchOptions, RunError } from "./lab/bench/measure.ts";
import { action, createCommand, runProgram, wholeNumber } from "./toolkit/commands/command-line.ts";

interface Bench {
  readonly about: string;
  /** `bench` resolves to the text to print. */
  readonly load: () => Promise<{ bench(options: BenchOptions): Promise<string> }>;
}

const benches: Readonly<Record<string, Bench>> = {
  client: {
    about: "a call of the client, compared with the bare request",
    load: () => import("./lab/bench/client.ts"),
  },
  generate: {
    about: "the generator, compared with other generators",
    load: () => import("./lab/bench/generators.ts"),
  },
  latency: {
    about: "p99 of this server and plain Hono below their capacity",
    load: () => import("./lab/bench/latency.ts"),
  },
  memory: {
    about: "memory of this server during a million requests",
    load: () => import("./lab/bench/memory.ts"),
  },
  replicas: {
    about: "one and two replicas of this server on PostgreSQL",
    load: () => import("./lab/bench/replicas.ts"),
  },
  server: {
    about: "this server, compared with others that do the same work",
    load: () => import("./lab/bench/server.ts"),
  },
  start: {
    about: "the time from the start of this server to its first response",
    load: () => import("./lab/bench/start.ts"),
  },
  validators: {
    about: "the generated validators, compared with other libraries",
    load: () => import("./lab/bench/validators.ts"),
  },
};

async function runBenches(name: string | undefined, options: BenchOptions): Promise<number> {
  let status = 0;
  for (const [each, { load }] of Object.entries(benches)) {
    if (name !== undefined && name !== each) continue;
    try {
      const { bench } = await load();
      process.stdout.write(await bench(options));
    } catch (error) {
      if (!(error instanceof RunError)) throw error;
      process.stderr.write(`${error.message}\n`);
      status = 1;
    }
  }
  return status;
}

const list = Object.entries(benches).map(([name, { about }]) => `  ${name.padEnd(11)} ${about}\n`);

const command = createCommand(
  "npm run bench --",
  `Measures speed and memory. Compare only figures of one run: they differ between machines and days.

${list.join("")}
The first run installs the other packages with npm, in node_modules/.cache/bench.`,
  "0 measured, 1 a measured program failed or returned a wrong response, 2 wrong usage.",
)
  .addArgument(
    new Argument("[NAME]", "the benchmark to run; without it, all run").choices(Object.keys(benches)),
  )
  .option("--quick", "fewer and shorter rounds: about a minute for the server", false)
  .option("--rounds <N>", "number of rounds", wholeNumber(1, 999))
  .option("--only <TEXT>", "server: only the bare server, this server, and programs with TEXT in their name")
  .option("--out <DIR>", "server: also writes the tables and the chart to DIR")
  .option(
    "--against <DIR>",
    "server: another checkout, such as one before a change, instead of LOG_LEVEL=info",
  )
  .option(
    "--call <TEXT>",
    "latency, replicas, server: only calls with TEXT in their title, such as getWebhook",
  )
  .option(
    "--connections <N>",
    "latency, replicas, server: number of connections, instead of 32 and 4",
    wholeNumber(1, 1000),
  )
  .addOption(
    new Option(
      "--database <NAME>",
      "latency, memory, server, start: the database, which is created for the run",
    )
      .choices(["sqlite", "postgres"])
      .default("sqlite"),
  )
  .action(action(runBenches));

if (import.meta.main) await runProgram(command);
