/**
 * Measures this server beside others that do the same work, and beside Node's own server that does none. All of them run
 * at once; in each round every one is loaded in turn, so that a busy moment of the machine falls on all of them, and what
 * counts are ratios within a round.
 */
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { runCommand } from "../../command.ts";
import { machine, RunError, summaryOf } from "./measure.ts";
import { wholeNumber } from "./options.ts";
import { installPeers } from "./peers.ts";
import { assertCorrect, type Calls, callsOf } from "./server/calls.ts";
import { chart } from "./server/chart.ts";
import { Child } from "./server/child.ts";
import type { Figures, FloodFigures, ProgramFigures, ScenarioFigures } from "./server/figures.ts";
import type { Load, Loaded } from "./server/load.ts";
import { type Program, programs } from "./server/programs.ts";
import { markdown } from "./server/report.ts";
import { Running } from "./server/running.ts";
import { makeShop, type Shop } from "./server/shop.ts";

const help = `Measures this server beside others on the same three operations, with the same database and the same checks.

Usage: npm run bench -- server [OPTIONS]

  --rounds N   how often each is measured, after one round that is not   (5)
  --ms N       for how long each time, in milliseconds                   (1000)
  --only TEXT  only this server, Node's own, and those with TEXT in their name
  --json       the figures as JSON instead of Markdown
  --out DIR    writes figures.json, figures.md and chart.svg there too
  --help       this text

With five rounds of a second it takes about five minutes. Only the loopback interface is used. The first run installs the
others by npm, once. Each must answer correctly before it is measured.

Exit status: 0 measured, 1 a server failed or answered wrongly, 2 wrong usage.
`;

const loadProgram = fileURLToPath(new URL("server/load.ts", import.meta.url));

interface Scenario {
  readonly name: string;
  readonly title: string;
  readonly charted: ScenarioFigures["charted"];
  readonly connections: number;
  readonly request: (calls: Calls) => Pick<Load, "request" | "counterAt">;
}

const scenarios: readonly Scenario[] = [
  {
    name: "webhook",
    title: "getWebhook",
    charted: "cpu",
    connections: 32,
    request: ({ webhook }) => ({ request: webhook }),
  },
  {
    name: "repeated",
    title: "submitCommission, a known definition",
    charted: "cpu",
    connections: 32,
    request: ({ repeated }) => ({ request: repeated }),
  },
  {
    name: "new",
    title: "submitCommission, new definitions",
    charted: "rate",
    connections: 32,
    request: ({ fresh, counterAt }) => ({ request: fresh, counterAt }),
  },
  {
    name: "login",
    title: "loginUser",
    charted: null,
    connections: 4,
    request: ({ login }) => ({ request: login }),
  },
];

/** Of callers who want a webhook while others log in. */
const floodConnections = { webhook: 2, login: 8 };

interface Options {
  readonly rounds: number;
  readonly ms: number;
  readonly only?: string;
  readonly json: boolean;
  readonly out?: string;
}

/** Numbers as they are typed. */
type Texts = { readonly [Name in "rounds" | "ms"]: string };

/** @returns the exit status */
export function benchServer(args: readonly string[]): Promise<number | undefined> {
  const command = {
    name: "npm run bench -- server",
    help,
    options: {
      rounds: { type: "string", default: "5" },
      ms: { type: "string", default: "1000" },
      only: { type: "string" },
      json: { type: "boolean", default: false },
      out: { type: "string" },
    },
    run: ({ rounds, ms, ...others }: Texts & Omit<Options, keyof Texts>) =>
      bench({ ...others, rounds: wholeNumber(rounds, "rounds", 99), ms: wholeNumber(ms, "ms", 60_000) }),
  } as const;
  return runCommand(command, args);
}

async function bench(options: Options): Promise<number> {
  let work: string | undefined;
  try {
    installPeers();
    work = await mkdtemp(join(tmpdir(), "bench-"));
    const figures = await measure(options, work);
    const files = {
      "figures.json": `${JSON.stringify(figures, null, 2)}\n`,
      "figures.md": markdown(figures),
      "chart.svg": chart(figures),
    };
    process.stdout.write(files[options.json ? "figures.json" : "figures.md"]);
    if (options.out !== undefined) {
      await mkdir(options.out, { recursive: true });
      for (const [name, text] of Object.entries(files)) await writeFile(join(options.out, name), text);
    }
    return 0;
  } catch (error) {
    if (!(error instanceof RunError)) throw error;
    process.stderr.write(`${error.message}\n`);
    return 1;
  } finally {
    if (work !== undefined) await rm(work, { recursive: true, force: true });
  }
}

const progress = (text: string): void => void process.stderr.write(`${text}\n`);

async function measure({ rounds, ms, only }: Options, work: string): Promise<Figures> {
  const [loadBefore = Number.NaN] = loadavg();
  const shop = makeShop(work);
  const calls = callsOf(shop);
  await using stack = new AsyncDisposableStack();
  const all: Running[] = [];
  const chosen = programs().filter(
    ({ name, isLimit }) => only === undefined || isLimit || name === "this server" || name.includes(only),
  );
  for (const program of chosen) all.push(stack.use(await started(program, shop, work, calls)));
  const starts = await measureStarts(chosen, shop, work, calls, rounds);
  const idle = await Promise.all(all.map((running) => running.use()));

  const asker = stack.use(new Child("the load", [loadProgram]));
  const taken = new Map<string, Taken[]>();
  // Round 0 lets every server compile what it runs often.
  for (let round = 0; round <= rounds; round += 1) {
    for (const scenario of scenarios) {
      progress(`round ${round} of ${rounds}: ${scenario.title}`);
      // Whoever comes first in one round comes last in another.
      const order = all.map((_, index) => (index + round) % all.length);
      for (const index of order) {
        const running = all[index];
        if (running === undefined) continue;
        const { connections } = scenario;
        const load = { ports: [running.port], connections, ms, ...scenario.request(calls) };
        const one = await loaded(asker, running, load);
        const key = keyOf(scenario, running.program);
        if (round > 0) taken.set(key, [...(taken.get(key) ?? []), one]);
      }
    }
  }
  const flood = await measureFlood(all, calls, Math.max(ms, 2000), asker);
  const last = await Promise.all(all.map((running) => running.use()));
  return {
    machine: machine(),
    loadBefore,
    rounds,
    ms,
    scenarios: scenarios.map((scenario) => scenarioFigures(scenario, all, taken)),
    flood,
    programs: all.map(
      ({ program }, index): ProgramFigures => ({
        program: program.name,
        does: program.does,
        startMs: program.isVariant ? null : summaryOf(starts.get(program.name) ?? []),
        idleBytes: idle[index]?.residentBytes ?? Number.NaN,
        loadedBytes: last[index]?.residentBytes ?? Number.NaN,
      }),
    ),
  };
}

async function started(program: Program, shop: Shop, work: string, calls: Calls): Promise<Running> {
  const running = await Running.start(program, shop, work, calls.webhook);
  await assertCorrect(program, running.port, calls, shop);
  progress(`${program.name} answers correctly`);
  return running;
}

async function measureStarts(
  chosen: readonly Program[],
  shop: Shop,
  work: string,
  calls: Calls,
  rounds: number,
): Promise<Map<string, number[]>> {
  const measured = chosen.filter(({ isVariant }) => !isVariant);
  const starts = new Map<string, number[]>(measured.map(({ name }) => [name, []]));
  for (const program of measured) {
    await using running = await Running.start(program, shop, work, calls.webhook);
    await running.keepCompiled();
  }
  for (let round = 1; round <= rounds; round += 1) {
    progress(`starts, round ${round} of ${rounds}`);
    for (const program of measured) {
      await using running = await Running.start(program, shop, work, calls.webhook);
      starts.get(program.name)?.push(running.startMs);
    }
  }
  return starts;
}

interface Taken extends Loaded {
  readonly serverCpuMs: number;
}

/** @throws RunError where anything but 200 is answered */
async function ask(asker: Child, { program }: Running, load: Load): Promise<Loaded> {
  const { loaded, fault } = await asker.ask<{ loaded: Loaded; fault?: string }>(load);
  if (fault !== undefined) throw new RunError(`${program.name}: ${fault}`);
  const refused = Object.entries(loaded.refused).map(([status, count]) => `${count} × ${status}`);
  if (refused.length > 0) throw new RunError(`${program.name} answered ${refused.join(", ")}`);
  return loaded;
}

/** @throws RunError where anything but 200 is answered */
async function loaded(asker: Child, running: Running, load: Load): Promise<Taken> {
  const before = await running.use();
  const answers = await ask(asker, running, load);
  const after = await running.use();
  return { ...answers, serverCpuMs: after.cpuMs - before.cpuMs };
}

const keyOf = (scenario: Scenario, program: Program): string => `${scenario.name} ${program.name}`;

function scenarioFigures(
  scenario: Scenario,
  all: readonly Running[],
  taken: ReadonlyMap<string, readonly Taken[]>,
): ScenarioFigures {
  const of = ({ program }: Running): readonly Taken[] => taken.get(keyOf(scenario, program)) ?? [];
  const rateOf = ({ requests, ms }: Taken): number => (requests / ms) * 1000;
  const cpuOf = ({ requests, serverCpuMs }: Taken): number => (serverCpuMs / requests) * 1000;
  const limit = all.find(({ program }) => program.isLimit);
  const ofLimit = limit === undefined ? [] : of(limit);
  return {
    name: scenario.name,
    title: scenario.title,
    charted: scenario.charted,
    rows: all.map((running) => {
      const rounds = of(running);
      const cpuMicroseconds = summaryOf(rounds.map(cpuOf));
      const limits = (index: number): Taken => ofLimit[index] ?? (rounds[index] as Taken);
      return {
        program: running.program.name,
        requestsPerSecond: summaryOf(rounds.map(rateOf)),
        ratio: summaryOf(rounds.map((each, index) => rateOf(each) / rateOf(limits(index)))),
        cpuMicroseconds,
        cpuRatio: summaryOf(ofLimit.map(cpuOf)).min / cpuMicroseconds.min,
        p50Ms: summaryOf(rounds.map(({ p50Ms }) => p50Ms)),
        p99Ms: summaryOf(rounds.map(({ p99Ms }) => p99Ms)),
        askerShare: summaryOf(rounds.map(({ cpuMs, ms }) => cpuMs / ms)).median,
      };
    }),
  };
}

async function measureFlood(
  all: readonly Running[],
  calls: Calls,
  ms: number,
  asker: Child,
): Promise<FloodFigures[]> {
  await using flooder = new Child("the flood", [loadProgram]);
  const figures: FloodFigures[] = [];
  for (const running of all.filter(({ program }) => !program.isVariant)) {
    progress(`a flood of logins: ${running.program.name}`);
    const ports = [running.port];
    const webhook = { ports, ms, connections: floodConnections.webhook, request: calls.webhook };
    const login = { ports, ms, connections: floodConnections.login, request: calls.login };
    const idle = await ask(asker, running, webhook);
    const [during] = await Promise.all([ask(asker, running, webhook), ask(flooder, running, login)]);
    figures.push({ program: running.program.name, idleP99Ms: idle.p99Ms, floodP99Ms: during.p99Ms });
  }
  return figures;
}
