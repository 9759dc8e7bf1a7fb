/** How the process ends: on a signal, or because something went wrong that nobody has caught. */
import { setTimeout } from "node:timers/promises";
import type { BaseLogger } from "pino";
import type { Listening } from "./listen.ts";
import type { LogDestination } from "./log.ts";
import { withoutMessage } from "./redaction.ts";

/** From a terminal, npm hands on a signal that has come here already. */
const sameSignalMs = 250;
/**
 * How long the database may take to let go, and the last traces to be sent. What has to wait for a new connection and then
 * for its statement is over by then: 3 s and 5 s in PostgreSQL's client-config.ts.
 */
const closeMs = 8000;
/** How long the log's reader may take for the last lines. */
export const flushMs = 2000;

interface StopTimes {
  /** From the signal until no further connection is taken. */
  readonly shutdownDelaySeconds: number;
  /** For the requests that are open then. */
  readonly shutdownSeconds: number;
}

/** How long the end may take, in seconds, from the first signal. */
export function longestStopSeconds(config: StopTimes): number {
  return config.shutdownDelaySeconds + config.shutdownSeconds + (closeMs + flushMs) / 1000;
}

interface Running {
  readonly server: Pick<Listening, "drain" | "stop">;
  /** Called with the signal, before anything is waited for. */
  readonly onStopping?: () => void;
  /** Lets go of all else, once no request is open. */
  readonly close?: () => Promise<unknown>;
  readonly log: BaseLogger;
  readonly output: Pick<LogDestination, "flush">;
}

const stopSignals = ["SIGTERM", "SIGINT"] as const;

/** Until `stopOnSignal`: a start that is told to stop has nothing to finish. Of process 1 the system would ignore the signal. */
export function endOnSignal(): void {
  for (const signal of stopSignals) process.on(signal, endStart);
}

function endStart(): void {
  process.exit(0);
}

/** The first SIGTERM or SIGINT lets open requests finish; a second one ends at once. */
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
    // A database or a collector that has fallen silent never lets go.
    await Promise.race([close?.(), setTimeout(closeMs)]);
    log.info({ requests_cut_off: !inTime }, "stopped");
    await output.flush(flushMs);
    process.exit(inTime ? 0 : 1);
  };
  for (const signal of stopSignals) process.off(signal, endStart).on(signal, onSignal);
}

/** What nobody has caught leaves the process in a state that nobody knows: it says so, and ends. */
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
