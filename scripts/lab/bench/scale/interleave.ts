/**
 * Loads several subjects in turn, round after round, so that a busy moment of the machine falls on all of them, and sums up
 * each as ratios to the first of its series.
 */
import { RunError, summaryOf } from "../measure.ts";
import type { Child } from "../server/child.ts";
import type { Load, Loaded } from "../server/load.ts";
import type { Use } from "../server/report-use.ts";
import type { Measured } from "./figures.ts";

export interface Subject {
  /** For whoever watches, and in faults. */
  readonly name: string;
  readonly servers: readonly { readonly port: number; use(): Promise<Pick<Use, "cpuMs">> }[];
  readonly load: Omit<Load, "ports" | "ms">;
  /** The one status that all answers must have; 200 unless given. */
  readonly status?: number;
  /** Of the database's server so far, in milliseconds. */
  readonly databaseCpuMs?: () => Promise<number | null>;
}

/** What one load took of everybody. */
export interface Taken {
  readonly requests: number;
  readonly ms: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly serversCpuMs: number;
  readonly databaseCpuMs: number | null;
  readonly loadCpuMs: number;
}

export interface Course {
  readonly rounds: number;
  /** Of one load. */
  readonly ms: number;
  /** No further round is begun after so long. */
  readonly minutes: number;
  readonly progress: (text: string) => void;
}

/**
 * One round to warm up, which does not count, then one round at least.
 *
 * @param series of at least one subject each
 * @returns a summary for each subject, in the order given, and how many rounds there was time for
 * @throws RunError where an answer has another status than its subject's
 */
export async function interleave(
  asker: Child,
  series: readonly (readonly Subject[])[],
  { rounds, ms, minutes, progress }: Course,
): Promise<{ readonly measured: readonly (readonly Measured[])[]; readonly rounds: number }> {
  const taken: Taken[][][] = series.map((subjects) => subjects.map(() => []));
  const until = performance.now() + minutes * 60_000;
  let done = -1;
  while (done < rounds && (done < 1 || performance.now() < until)) {
    const round = done + 1;
    for (const [index, subjects] of series.entries()) {
      // Whoever comes first in one round comes last in another.
      for (const place of subjects.keys()) {
        const turn = (place + round) % subjects.length;
        const subject = subjects[turn];
        if (subject === undefined) continue;
        progress(`round ${round} of ${rounds}: ${subject.name}`);
        const one = await loadOnce(asker, subject, ms);
        if (round > 0) taken[index]?.[turn]?.push(one);
      }
    }
    done = round;
  }
  return { measured: taken.map(measuredOf), rounds: done };
}

/** @throws RunError where an answer has another status than the subject's */
export async function loadOnce(asker: Child, subject: Subject, ms: number): Promise<Taken> {
  const { name, servers, load, status = 200, databaseCpuMs = async () => null } = subject;
  const cpuMs = async (): Promise<number> => {
    const uses = await Promise.all(servers.map((server) => server.use()));
    return uses.reduce((sum, use) => sum + use.cpuMs, 0);
  };
  const [before, databaseBefore] = [await cpuMs(), await databaseCpuMs()];
  const ports = servers.map(({ port }) => port);
  const { loaded, fault } = await asker.ask<{ loaded: Loaded; fault?: string }>({ ports, ms, ...load });
  if (fault !== undefined) throw new RunError(`${name}: ${fault}`);
  const [after, databaseAfter] = [await cpuMs(), await databaseCpuMs()];
  const refusals = Object.entries(loaded.refused);
  const ofStatus = status === 200 ? loaded.requests - sum(refusals) : (loaded.refused[status] ?? 0);
  if (ofStatus !== loaded.requests) {
    const others = refusals.filter(([each]) => Number(each) !== status);
    const met = others.map(([each, count]) => `${count} × ${each}`).join(", ");
    throw new RunError(
      `${name}: ${loaded.requests - ofStatus} of ${loaded.requests} answers were not ${status} (${met || "200"})`,
    );
  }
  const { requests, p50Ms, p99Ms } = loaded;
  return {
    requests,
    ms: loaded.ms,
    p50Ms,
    p99Ms,
    serversCpuMs: after - before,
    databaseCpuMs: databaseBefore === null || databaseAfter === null ? null : databaseAfter - databaseBefore,
    loadCpuMs: loaded.cpuMs,
  };
}

const sum = (counts: readonly (readonly [string, number])[]): number =>
  counts.reduce((total, [, count]) => total + count, 0);

/** @param taken of each subject, one for each round; the first subject is what the others are compared with */
export function measuredOf(taken: readonly (readonly Taken[])[]): Measured[] {
  const [first = []] = taken;
  const rateOf = ({ requests, ms }: Taken): number => (requests / ms) * 1000;
  const microseconds = (cpuMs: number, { requests }: Taken): number => (cpuMs / requests) * 1000;
  const serversOf = (each: Taken): number => microseconds(each.serversCpuMs, each);
  return taken.map((rounds) => {
    const cpuMicroseconds = summaryOf(rounds.map(serversOf));
    const database = rounds.flatMap((each) =>
      each.databaseCpuMs === null ? [] : [{ ...each, databaseCpuMs: each.databaseCpuMs }],
    );
    const coresOf = (cpuMs: (each: Taken) => number): number =>
      summaryOf(rounds.map((each) => cpuMs(each) / each.ms)).median;
    return {
      requestsPerSecond: summaryOf(rounds.map(rateOf)),
      rateRatio: summaryOf(rounds.map((each, index) => rateOf(each) / rateOf(first[index] ?? each))),
      cpuMicroseconds,
      cpuRatio: cpuMicroseconds.min / summaryOf(first.map(serversOf)).min,
      databaseCpuMicroseconds:
        database.length === 0
          ? null
          : summaryOf(database.map((each) => microseconds(each.databaseCpuMs, each))),
      p50Ms: summaryOf(rounds.map(({ p50Ms }) => p50Ms)),
      p99Ms: summaryOf(rounds.map(({ p99Ms }) => p99Ms)),
      cores: {
        servers: coresOf(({ serversCpuMs }) => serversCpuMs),
        database: database.length === 0 ? null : coresOf(({ databaseCpuMs }) => databaseCpuMs ?? 0),
        load: coresOf(({ loadCpuMs }) => loadCpuMs),
      },
    };
  });
}
