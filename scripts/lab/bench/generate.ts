/**
 * Measures the generator beside others. Each makes files of a document in a process of its own, from start to end; the
 * rounds are interleaved, so that a busy moment of the machine falls on all of them.
 */
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { runCommand } from "../../command.ts";
import { machine, RunError, type Sample, type Summary, summaryOf, timed } from "./measure.ts";
import { wholeNumber } from "./options.ts";
import { installPeers, peersFolder, versionIn } from "./peers.ts";

const help = `Measures the generator beside openapi-typescript alone, orval, Hey API and Kubb, on the document of GitHub's API
and on this service's; then a run in which nothing has changed.

Usage: npm run bench -- generate [OPTIONS]

  --rounds N   how often each is measured, after one run that is not    (3)
  --json       the figures as JSON instead of Markdown
  --help       this text

The first run installs the others by npm, once. A program that fails is named with its error. Whatever takes longer than
three minutes counts as failed.

Exit status: 0 measured, 1 this generator or the baseline failed, 2 wrong usage.
`;

const limitMs = 180_000;
const root = fileURLToPath(new URL("../../../", import.meta.url));

/** A document, and an operation that must be found by name in whatever is made of it. */
interface Subject {
  readonly name: string;
  readonly path: string;
  readonly operation: RegExp;
}

interface Program {
  readonly name: string;
  readonly makes: string;
  /** What Node runs to make files of a document in a folder that is not there yet. */
  readonly command: (spec: string, out: string, work: string) => Promise<readonly string[]>;
}

interface Row {
  readonly program: string;
  readonly makes: string;
  readonly fault?: string;
  readonly ms?: Summary;
  /** Of the medians. */
  readonly ratio?: number;
  readonly cpuMs?: number;
  readonly peakBytes?: number;
  readonly outputBytes?: number;
}

interface Figures {
  readonly machine: string;
  readonly rounds: number;
  readonly subjects: readonly { readonly name: string; readonly rows: readonly Row[] }[];
  /** Of `npm run generate` where nothing has changed. */
  readonly unchangedMs: Summary;
}

/** @returns the exit status */
export function benchGenerate(args: readonly string[]): Promise<number | undefined> {
  const command = {
    name: "npm run bench -- generate",
    help,
    options: {
      rounds: { type: "string", default: "3" },
      json: { type: "boolean", default: false },
    },
    run: ({ rounds, json }: { rounds: string; json: boolean }) =>
      bench(wholeNumber(rounds, "rounds", 99), json),
  } as const;
  return runCommand(command, args);
}

async function bench(rounds: number, json: boolean): Promise<number> {
  try {
    installPeers();
  } catch (error) {
    if (!(error instanceof RunError)) throw error;
    process.stderr.write(`${error.message}\n`);
    return 1;
  }
  const work = await mkdtemp(join(tmpdir(), "bench-"));
  try {
    const subjects = [];
    for (const subject of subjectsToMeasure()) {
      subjects.push({ name: subject.name, rows: await measure(subject, rounds, work) });
    }
    const unchangedMs = await measureUnchanged(Math.max(rounds, 5), work);
    const figures: Figures = { machine: machine(), rounds, subjects, unchangedMs };
    process.stdout.write(json ? `${JSON.stringify(figures, null, 2)}\n` : markdown(figures));
    const needed = [ours.name, baseline.name];
    const hasFailed = subjects.some(({ rows }) =>
      rows.some(({ program, fault }) => fault !== undefined && needed.includes(program)),
    );
    return hasFailed ? 1 : 0;
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

function subjectsToMeasure(): readonly Subject[] {
  return [
    {
      name: `GitHub's API (@octokit/openapi ${versionIn(peersFolder, "@octokit/openapi")}, 13 MB)`,
      path: join(peersFolder, "node_modules/@octokit/openapi/generated/api.github.com.json"),
      operation: /[Rr]epos[/_-]?[Gg]et(?![a-z])/,
    },
    {
      name: "this service (spec/openapi.yaml)",
      path: join(root, "spec/openapi.yaml"),
      operation: /get_?webhook/i,
    },
  ];
}

const ours: Program = {
  name: "this generator",
  makes: "types, validators, contract",
  command: async (spec, out) => [
    join(root, "scripts/generate.ts"),
    "--spec",
    spec,
    "--out",
    out,
    "--lenient",
    // The others make no page.
    "--no-docs",
  ],
};

const baseline: Program = {
  name: "openapi-typescript",
  makes: "types",
  command: async (spec, out) => {
    const program = join(root, "node_modules/openapi-typescript/bin/cli.js");
    return [program, spec, "--output", join(out, "types.ts")];
  },
};

const peer = (path: string): string => join(peersFolder, "node_modules", path);

function programs(): readonly Program[] {
  const named = (name: string, of = name): string => `${name} ${versionIn(peersFolder, of)}`;
  return [
    baseline,
    ours,
    {
      name: named("orval"),
      makes: "zod schemas",
      command: async (spec, out, work) => {
        const config = join(work, "orval.config.mjs");
        const api = { input: { target: spec }, output: { target: join(out, "zod.ts"), client: "zod" } };
        await writeFile(config, `export default ${JSON.stringify({ api })};\n`);
        return [peer("orval/dist/bin/orval.mjs"), "--config", config];
      },
    },
    {
      name: named("Hey API", "@hey-api/openapi-ts"),
      makes: "types, zod schemas",
      command: async (spec, out) => {
        const plugins = ["--plugins", "@hey-api/typescript", "zod"];
        return [peer("@hey-api/openapi-ts/dist/run.mjs"), "-i", spec, "-o", out, ...plugins, "--no-log-file"];
      },
    },
    {
      name: named("Kubb", "@kubb/plugin-zod"),
      makes: "types, zod schemas",
      command: async (spec, out, work) => {
        // It looks for its plugins from where its configuration is.
        const config = join(peersFolder, "kubb.config.js");
        await writeFile(config, kubbConfig(spec, out, work));
        return [peer("@kubb/cli/bin/kubb.cjs"), "generate", "--config", config];
      },
    },
  ];
}

function kubbConfig(spec: string, out: string, work: string): string {
  const output = JSON.stringify({ path: out, format: false, lint: false });
  return `import { defineConfig } from "@kubb/core";
import { pluginOas } from "@kubb/plugin-oas";
import { pluginTs } from "@kubb/plugin-ts";
import { pluginZod } from "@kubb/plugin-zod";
const plugins = [pluginOas({ generators: [] }), pluginTs(), pluginZod()];
export default defineConfig({ root: ${JSON.stringify(work)}, input: ${JSON.stringify({ path: spec })}, output: ${output}, plugins });
`;
}

async function measure(subject: Subject, rounds: number, work: string): Promise<Row[]> {
  const all = programs();
  const samples = new Map<Program, Sample[]>(all.map((program) => [program, []]));
  const sizes = new Map<Program, number>();
  const faults = new Map<Program, string>();
  // Round 0 warms the caches of the system, and is looked at more closely.
  for (let round = 0; round <= rounds; round += 1) {
    for (const program of all.filter((program) => !faults.has(program))) {
      process.stderr.write(`${subject.name}, round ${round} of ${rounds}: ${program.name}\n`);
      const out = join(work, "out");
      await mkdir(out);
      try {
        const sample = await timed(await program.command(subject.path, out, work), { cwd: work, limitMs });
        if (round === 0) sizes.set(program, await checkedSize(out, subject));
        else samples.get(program)?.push(sample);
      } catch (error) {
        if (!(error instanceof RunError)) throw error;
        faults.set(program, error.message);
      }
      await rm(out, { recursive: true, force: true });
    }
  }
  const ofBaseline = summaryOf((samples.get(baseline) ?? []).map(({ ms }) => ms)).median;
  return all.map((program) => {
    const { name, makes } = program;
    const fault = faults.get(program);
    if (fault !== undefined) return { program: name, makes, fault };
    const taken = samples.get(program) ?? [];
    const ms = summaryOf(taken.map((sample) => sample.ms));
    return {
      program: name,
      makes,
      ms,
      ratio: ms.median / ofBaseline,
      cpuMs: summaryOf(taken.map(({ cpuMs }) => cpuMs)).median,
      peakBytes: summaryOf(taken.map(({ peakBytes }) => peakBytes)).median,
      outputBytes: sizes.get(program) ?? 0,
    };
  });
}

/**
 * The bytes of all that was made.
 *
 * @throws RunError where the known operation is nowhere in it
 */
async function checkedSize(out: string, { operation }: Subject): Promise<number> {
  let bytes = 0;
  let isNamed = false;
  for (const name of await readdir(out, { recursive: true })) {
    const path = join(out, name);
    if ((await stat(path)).isDirectory()) continue;
    const text = await readFile(path, "utf8");
    bytes += Buffer.byteLength(text);
    isNamed ||= name.endsWith(".ts") && operation.test(text);
  }
  if (!isNamed) throw new RunError(`made ${bytes} bytes, in which nothing is named ${operation}`);
  return bytes;
}

async function measureUnchanged(rounds: number, work: string): Promise<Summary> {
  const npm = process.env.npm_execpath;
  if (npm === undefined)
    throw new Error("start the bench by npm run bench: npm's own time is part of what is measured");
  const args = [npm, "run", "generate", "--", "--out", join(work, "unchanged")];
  const times: number[] = [];
  for (let round = -1; round <= rounds; round += 1) {
    process.stderr.write(`nothing has changed, round ${Math.max(round, 0)} of ${rounds}\n`);
    const { ms, stdout } = await timed(args, { cwd: root, limitMs });
    if (round < 1) continue;
    if (!stdout.endsWith("is up to date\n")) throw new Error(`a run without a change said: ${stdout}`);
    times.push(ms);
  }
  return summaryOf(times);
}

function markdown({ machine, rounds, subjects, unchangedMs }: Figures): string {
  const seconds = (ms: number): string => (ms / 1000).toFixed(2);
  const megabytes = (bytes: number | undefined, digits = 0): string => ((bytes ?? 0) / 1e6).toFixed(digits);
  const row = ({ program, makes, fault, ms, ratio, cpuMs, peakBytes, outputBytes }: Row): string =>
    ms === undefined
      ? `| ${program} | ${makes} | failed: ${(fault ?? "").replaceAll("|", "\\|")} | | | | |`
      : `| ${program} | ${makes} | ${ratio?.toFixed(2)} | ${seconds(ms.median)} (${seconds(ms.min)}–${seconds(ms.max)}) | ${seconds(cpuMs ?? 0)} | ${megabytes(peakBytes)} | ${megabytes(outputBytes, 2)} |`;
  const table = ({ name, rows }: Figures["subjects"][number]): string =>
    [
      `**${name}**`,
      "",
      "| program | makes | ratio | seconds (min–max) | CPU seconds | peak MB | output MB |",
      "|---|---|---|---|---|---|---|",
      ...rows.map(row),
      "",
    ].join("\n");
  const unchanged = [unchangedMs.median, unchangedMs.min, unchangedMs.max].map(Math.round);
  return `${subjects.map(table).join("\n")}
\`npm run generate\` where nothing has changed: ${unchanged[0]} ms (${unchanged[1]}–${unchanged[2]}).

Median of ${rounds} interleaved runs after one to warm up, whole processes. ${machine}.
`;
}
