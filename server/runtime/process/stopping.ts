import { setTimeout } from "node:timers/promises";
import type { Listening } from "../http/listen.ts";

import type { Log, LogDestination } from "../observability/log.ts";
import { withoutMessage } from "../observability/redaction.ts";

/** A signal that comes again within this time is ignored. In a terminal, npm sends each signal a second time. */
const sameSignalMs = 250;
/**
 * Enough for a new PostgreSQL connection and a statement. client-config.ts allows 3 s for the connection and 5 s for
 * the statement.
 */
const closeMs = 8000;
export const flushMs = 2000;

interface StopTimes {
  /** The time from the signal until the server accepts no more connections. */
  readonly SHUTDOWN_DELAY_SECONDS: number;
  /** The time that requests have to finish after that. */
  readonly SHUTDOWN_SECONDS: number;
}

export function longestStopSeconds(config: StopTimes): number {
  return config.SHUTDOWN_DELAY_SECONDS + config.SHUTDOWN_SECONDS + (closeMs + flushMs) / 1000;
}

interface Running {
  readonly server: Pick<Listening, "drain" | "stop">;
  readonly onStopping?: () => void;
  readonly close?: () => Promise<unknown>;
  readonly log: Log;
  readonly output: Pick<LogDestination, "flush">;
}

const stopSignals = ["SIGTERM", "SIGINT"] as const;

/** Ends the process on a signal until `stopOnSignal` is called. By default, process 1 ignores these signals. */
export function endOnSignal(): void {
  for (const signal of stopSignals) process.on(signal, endStart);
}

function endStart(): void {
  process.exit(0);
}

/** After the first SIGTERM or SIGINT, open requests can finish. A second one stops the process immediately. */
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
    await setTimeout(config.SHUTDOWN_DELAY_SECONDS * 1000);
    const cutOff = await server.stop(config.SHUTDOWN_SECONDS * 1000);
    // Waits for a limited time, because `close` never settles if the database or the collector does not respond.
    await Promise.race([close?.(), setTimeout(closeMs)]);
    log.info({ requests_cut_off: cutOff }, "stopped");
    await output.flush(flushMs);
    process.exit(cutOff === 0 ? 0 : 1);
  };
  for (const signal of stopSignals) process.off(signal, endStart).on(signal, onSignal);
}

/** Logs an uncaught error and ends the process, because its state is unknown then. */
export function endOnCrash(log: Log, output: Pick<LogDestination, "flush">): void {
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
