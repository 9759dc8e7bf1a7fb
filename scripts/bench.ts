/** Runs the benches, one or all of them. What each measures is its own affair. */
import { messageOf } from "./generate/problems.ts";

/** Takes arguments and returns the exit status. */
type Bench = (args: readonly string[]) => Promise<number>;

const benches: Readonly<Record<string, { readonly about: string; readonly load: () => Promise<Bench> }>> = {
  generate: {
    about: "the generator beside others, on a large document and on this service's",
    load: async () => (await import("./bench/generate.ts")).benchGenerate,
  },
  server: {
    about: "this server beside others that do the same work",
    load: async () => (await import("./bench/server.ts")).benchServer,
  },
  validators: {
    about: "the generated validators beside libraries that hold the same schemas",
    load: async () => (await import("./bench/validators.ts")).benchValidators,
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

async function main([name, ...args]: readonly string[]): Promise<number> {
  if (name === "--help") {
    process.stdout.write(help);
    return 0;
  }
  const chosen = name === undefined ? Object.values(benches) : [benches[name]];
  let status = 0;
  for (const bench of chosen) {
    if (bench === undefined) {
      process.stderr.write(`there is no bench ${name}\nTry: npm run bench -- --help\n`);
      return 2;
    }
    const run = await bench.load();
    status = Math.max(status, await run(args));
  }
  return status;
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  process.stderr.write(`${messageOf(error)}\n`);
  process.exitCode = 1;
}
