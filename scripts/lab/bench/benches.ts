import { type BenchOptions, RunError } from "./measure.ts";

interface Bench {
  readonly about: string;
  /** `bench` resolves to the text to print. */
  readonly load: () => Promise<{ bench(options: BenchOptions): Promise<string> }>;
}

export const benches: Readonly<Record<string, Bench>> = {
  client: {
    about: "a call of the client, compared with the same request without the client",
    load: () => import("./client.ts"),
  },
  generate: { about: "the generator, compared with other generators", load: () => import("./generators.ts") },
  memory: { about: "memory of this server during a million requests", load: () => import("./memory.ts") },
  server: {
    about: "this server, compared with others that do the same work",
    load: () => import("./server.ts"),
  },
  start: {
    about: "the time from the start of this server to its first response",
    load: () => import("./start.ts"),
  },
  validators: {
    about: "the generated validators, compared with other libraries",
    load: () => import("./validators.ts"),
  },
};

export async function runBenches(name: string | undefined, options: BenchOptions): Promise<number> {
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
