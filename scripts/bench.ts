import { runProgram, UsageError } from "./command.ts";
import { benches, runBenches } from "./lab/bench/benches.ts";

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
