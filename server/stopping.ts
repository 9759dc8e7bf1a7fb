import { setTimeout } from "node:timers/promises";
import type { BaseLogger } from "pino";
import type { Listening } from "./listen.ts";
import type { LogDestination } from "./log.ts";
import { withoutMessage } from "./redaction.ts";

/** In a terminal, the process gets each signal a second time, from npm. */
const sameSignalMs = 250;
/** Covers a new connection and its statement: 3 s and 5 s in PostgreSQL's client-config.ts. */
const closeMs = 8000;
export const flushMs = 2000;

interface StopTimes {
  /** From the signal until connections are no longer accepted. */
  readonly shutdownDelaySeconds: number;
  /** Time for the requests that are open then. */
  readonly shutdownSeconds: number;
}

export function longestStopSeconds(config: StopTimes): number {
  return config.shutdownDelaySeconds + config.shutdownSeconds + (closeMs + flushMs) / 1000;
}

interface Running {
  readonly server: Pick<Listening, "drain" | "stop">;
  readonly onStopping?: () => void;
  readonly close?: () => Promise<unknown>;
  readonly log: BaseLogger;
  readonly output: Pick<LogDestination, "flush">;
}

const stopSignals = ["SIGTERM", "SIGINT"] as const;

/** Until `stopOnSignal`. By default, process 1 ignores these signals. */
export function endOnSignal(): void {
  for (const signal of stopSignals) process.on(signal, endStart);
}

function endStart(): void {
  process.exit(0);
}

/** The first SIGTERM or SIGINT lets open requests finish. A second one ends at once. */
export function stopOnSignal(running: Running, config: StopTimes): void {
  const { server, onStopping, close, log, output } = running;
  let stoppingSince: number | undefined;
  const onSignal = async (signal: string): Promise<void> => {
    if (stoppingSince !== undefined) {
      if (performance.now() - stoppingSince > sameSignalMs) process.exit(1);
      return;
    }
    stoppingSince = performance.now();
    log.info({ signal }, "stopping");
    onStopping?.();
    server.drain();
    await setTimeout(config.shutdownDelaySeconds * 1000);
    const inTime = await server.stop(config.shutdownSeconds * 1000);
    // A database or a collector that no longer responds never closes.
    await Promise.race([close?.(), setTimeout(closeMs)]);
    log.info({ requests_cut_off: !inTime }, "stopped");
    await output.flush(flushMs);
    process.exit(inTime ? 0 : 1);
  };
  for (const signal of stopSignals) process.off(signal, endStart).on(signal, onSignal);
}

/** After an uncaught error the state is unknown, so the process logs it and ends. */
export function endOnCrash(log: BaseLogger, output: Pick<LogDestination, "flush">): void {
  let isEnding = false;
  process.on("uncaughtException", async (error: unknown) => {
    if (isEnding) return;
    isEnding = true;
    const entry = { error: withoutMessage(error) };
    log.fatal(entry, "the server crashed");
    if (!(await output.flush(flushMs)))
      process.stderr.write(
        `the server crashed, and its log could not be written: ${JSON.stringify(entry)}\n`,
      );
    process.exit(1);
  });
}
