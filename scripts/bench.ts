import { type BenchOptions, RunError } from "./lab/bench/measure.ts";
import { runProgram, UsageError } from "./toolkit/command.ts";

interface Bench {
  readonly about: string;
  /** `bench` resolves to the text to print. */
  readonly load: () => Promise<{ bench(options: BenchOptions): Promise<string> }>;
}

const benches: Readonly<Record<string, Bench>> = {
  client: {
    about: "a call of the client, compared with the same request without the client",
    load: () => import("./lab/bench/client.ts"),
  },
  generate: {
    about: "the generator, compared with other generators",
    load: () => import("./lab/bench/generators.ts"),
  },
  memory: {
    about: "memory of this server during a million requests",
    load: () => import("./lab/bench/memory.ts"),
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

const list = Object.entries(benches).map(([name, { about }]) => `  ${name.padEnd(11)} ${about}\n`);

const help = `Measures speed and memory. Compare only figures of one run: they differ between machines and days.

Usage: npm run bench [NAME] [-- OPTIONS]

${list.join("")}
Without a name, all benchmarks run.

  --quick         fewer and shorter rounds: about a minute for the server
  --rounds N      number of rounds
  --only TEXT     server: only the bare server, this server, and programs with TEXT in their name
  --out DIR       server: also writes figures.md and chart.svg to DIR
  --database URL  memory: PostgreSQL, or a SQLite file, instead of a temporary SQLite database
  --help          this text

The first run installs the other packages with npm, in node_modules/.cache/bench.

Exit status: 0 measured, 1 a measured program failed or returned a wrong response, 2 wrong usage.
`;

function roundsOf(text: string): number {
  if (/^[1-9]\d{0,2}$/.test(text)) return Number(text);
  throw new UsageError("--rounds must be a whole number from 1 to 999");
}

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

if (import.meta.main)
  await runProgram({
    name: "npm run bench --",
    help,
    options: {
      quick: { type: "boolean", default: false },
      rounds: { type: "string" },
      only: { type: "string" },
      out: { type: "string" },
      database: { type: "string" },
    },
    takesOperands: true,
    run: ({ rounds, ...others }, [name, ...rest]) => {
      if (rest.length > 0) throw new UsageError("give only one benchmark");
      if (name !== undefined && !Object.hasOwn(benches, name))
        throw new UsageError(`there is no benchmark ${name}`);
      return runBenches(name, { ...others, rounds: rounds === undefined ? undefined : roundsOf(rounds) });
    },
  });
