/**
 * Measures the generated validators beside libraries that hold the same schemas: how many values a second, how long a
 * program takes until it has validated its first, and how much code it carries for that.
 */
import { join } from "node:path";
import { build } from "esbuild";
import { runCommand } from "../../command.ts";
import { machine, RunError, type Summary, summaryOf, timed } from "./measure.ts";
import { wholeNumber } from "./options.ts";
import { installPeers, peersFolder, versionIn } from "./peers.ts";

const help = `Measures the generated validators beside Ajv, zod, TypeBox and Valibot, with the same schemas and values.

Usage: npm run bench -- validators [OPTIONS]

  --rounds N   how often each is measured                                 (3)
  --ms N       for how long each value each time, in milliseconds         (300)
  --json       the figures as JSON instead of Markdown
  --help       this text

It takes about a minute. The first run installs the others by npm, once. Each must judge every value rightly.

Exit status: 0 measured, 1 one failed or judged wrongly, 2 wrong usage.
`;

const limitMs = 120_000;
const folder = join(peersFolder, "peers/validators");

interface Library {
  readonly module: string;
  readonly name: string;
}

interface Row {
  readonly name: string;
  /** Values a second of CPU time, by schema and whether the value is valid. */
  readonly perSecond: Readonly<Record<string, Summary>>;
  /** CPU time of a program from its start to its first validated values, less that of an empty one. */
  readonly firstCpuMs: number;
  /** Of all that such a program imports, minified, without what an empty one has. */
  readonly codeBytes: number;
}

interface Figures {
  readonly machine: string;
  readonly rounds: number;
  readonly rows: readonly Row[];
}

/** @returns the exit status */
export function benchValidators(args: readonly string[]): Promise<number | undefined> {
  const command = {
    name: "npm run bench -- validators",
    help,
    options: {
      rounds: { type: "string", default: "3" },
      ms: { type: "string", default: "300" },
      json: { type: "boolean", default: false },
    },
    run: ({ rounds, ms, json }: { rounds: string; ms: string; json: boolean }) =>
      bench({ rounds: wholeNumber(rounds, "rounds", 99), ms: wholeNumber(ms, "ms", 10_000) }, json),
  } as const;
  return runCommand(command, args);
}

async function bench(options: { rounds: number; ms: number }, json: boolean): Promise<number> {
  try {
    installPeers();
    const figures = await measure(options);
    process.stdout.write(json ? `${JSON.stringify(figures, null, 2)}\n` : markdown(figures));
    return 0;
  } catch (error) {
    if (!(error instanceof RunError)) throw error;
    process.stderr.write(`${error.message}\n`);
    return 1;
  }
}

function libraries(): readonly Library[] {
  const version = (name: string): string => versionIn(peersFolder, name);
  return [
    { module: "generated", name: "generated here" },
    { module: "ajv", name: `Ajv ${version("ajv")}` },
    { module: "typebox", name: `TypeBox ${version("typebox")}` },
    { module: "valibot", name: `Valibot ${version("valibot")}` },
    { module: "zod", name: `zod ${version("zod")}` },
  ];
}

async function measure({ rounds, ms }: { rounds: number; ms: number }): Promise<Figures> {
  const all = libraries();
  const run = (program: string, ...args: readonly string[]) =>
    timed([join(folder, program), ...args], { cwd: folder, limitMs });
  const rates = new Map<Library, Record<string, number>[]>(all.map((library) => [library, []]));
  const firsts = new Map<Library | undefined, number[]>([undefined, ...all].map((library) => [library, []]));
  for (let round = 1; round <= rounds; round += 1) {
    for (const library of all) {
      process.stderr.write(`round ${round} of ${rounds}: ${library.name}\n`);
      rates.get(library)?.push(JSON.parse((await run("many.mjs", library.module, String(ms))).stdout));
    }
    for (const [library, taken] of firsts)
      taken.push((await run("first.mjs", ...(library === undefined ? [] : [library.module]))).cpuMs);
  }
  const empty = summaryOf(firsts.get(undefined) ?? []).median;
  const rows: Row[] = [];
  for (const library of all) {
    const taken = rates.get(library) ?? [];
    const kinds = Object.keys(taken[0] ?? {});
    rows.push({
      name: library.name,
      perSecond: Object.fromEntries(
        kinds.map((kind) => [kind, summaryOf(taken.map((each) => each[kind] ?? Number.NaN))]),
      ),
      firstCpuMs: summaryOf(firsts.get(library) ?? []).median - empty,
      codeBytes: await codeBytes(library),
    });
  }
  return { machine: machine(), rounds, rows };
}

async function codeBytes({ module }: Library): Promise<number> {
  const { outputFiles } = await build({
    entryPoints: [join(folder, `${module}.mjs`)],
    bundle: true,
    minify: true,
    write: false,
    format: "esm",
    platform: "node",
    logLevel: "silent",
  });
  return outputFiles[0]?.contents.byteLength ?? Number.NaN;
}

function markdown({ machine, rounds, rows }: Figures): string {
  const kinds = Object.keys(rows[0]?.perSecond ?? {});
  const ofOurs = (kind: string): number => rows[0]?.perSecond[kind]?.median ?? Number.NaN;
  const cell = ({ perSecond }: Row, kind: string): string => {
    const { median } = perSecond[kind] ?? summaryOf([]);
    return `${(median / ofOurs(kind)).toFixed(2)} (${Math.round(median / 1000)})`;
  };
  const head = ["validators", ...kinds, "first values, CPU ms", "code, kB"];
  const lines = rows.map((row) => [
    row.name,
    ...kinds.map((kind) => cell(row, kind)),
    row.firstCpuMs.toFixed(0),
    (row.codeBytes / 1000).toFixed(1),
  ]);
  const table = [head, head.map(() => "---"), ...lines].map((cells) => `| ${cells.join(" | ")} |`);
  return `${table.join("\n")}

Ratios to the generated ones by values a second of CPU time (in thousands); medians of ${rounds} interleaved rounds. First values: what a program needs beyond an empty one until it has validated one value of each schema. ${machine}.
`;
}
