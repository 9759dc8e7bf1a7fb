/** Runs the benches, one or all of them. What each measures is its own affair. */
import { runProgram, UsageError } from "./command.ts";

/** Takes arguments and returns the exit status. */
type Bench = (args: readonly string[]) => Promise<number | undefined>;

const benches: Readonly<Record<string, { readonly about: string; readonly load: () => Promise<Bench> }>> = {
  client: {
    about: "what a call of the client costs above the bare request",
    load: async () => (await import("./lab/bench/client.ts")).benchClient,
  },
  generate: {
    about: "the generator beside others, on a large document and on this service's",
    load: async () => (await import("./lab/bench/generate.ts")).benchGenerate,
  },
  scale: {
    about: "this server as rows, definitions, replicas and requests grow",
    load: async () => (await import("./lab/bench/scale.ts")).benchScale,
  },
  server: {
    about: "this server beside others that do the same work",
    load: async () => (await import("./lab/bench/server.ts")).benchServer,
  },
  validators: {
    about: "the generated validators beside libraries that hold the same schemas",
    load: async () => (await import("./lab/bench/validators.ts")).benchValidators,
  },
};

const help = `Measures, as ratios within one run. Nothing is compared with figures of another machine or another day.

Usage: npm run bench [-- NAME [OPTIONS]]

${Object.entries(benches)
  .map(([name, { about }]) => `  ${name.padEnd(12)} ${about}`)
  .join("\n")}

Without a name, all of them run. \`npm run bench -- NAME --help\` says what a bench takes.

Exit status: 0 measured, 1 something to be measured failed, 2 wrong usage.
`;

/** @returns the exit status, the worst of those that ran */
async function main(name: string | undefined, args: readonly string[]): Promise<number> {
  const chosen = Object.entries(benches).filter(([each]) => name === undefined || each === name);
  if (chosen.length === 0) throw new UsageError(`there is no bench ${name}`);
  let status = 0;
  for (const [, bench] of chosen) {
    const run = await bench.load();
    status = Math.max(status, (await run(args)) ?? 0);
  }
  return status;
}

// What stands after its name is the bench's own.
const args = process.argv.slice(2);
const ownArgs = args[0]?.startsWith("-") ? args : args.slice(0, 1);
if (import.meta.main)
  await runProgram(
    {
      name: "npm run bench --",
      help,
      options: {},
      takesOperands: true,
      run: (_, [name]) => main(name, args.slice(1)),
    },
    ownArgs,
  );
