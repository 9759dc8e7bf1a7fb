/** The log: a line for each request, a limit for repeated reports, and the destination of the lines. */
import { write as writeToFile } from "node:fs";
import { Socket } from "node:net";
import { Writable } from "node:stream";
import type { SettledExchange } from "../contract/pipeline.ts";

/** What the runtime calls of the application's logger, such as pino. */
export interface Log {
  readonly isLevelEnabled: (level: string) => boolean;
  readonly info: LogMethod;
  readonly warn: LogMethod;
  readonly error: LogMethod;
  readonly fatal: LogMethod;
}

interface LogMethod {
  (fields: object, message: string): void;
  (message: string): void;
}

/** The paths that load balancers call every few seconds. */
const probes = ["/healthz", "/readyz"];
/** Pino's numbers for the levels. */
const levels = { debug: 20, info: 30 };

/** @param fields returns additional fields for all lines of the current request */
export function createRequestLog(
  log: Pick<Log, "isLevelEnabled">,
  write: (line: string) => void,
  fields?: () => Readonly<Record<string, string>>,
) {
  const isLogged = { debug: log.isLevelEnabled("debug"), info: log.isLevelEnabled("info") };
  return (exchange: SettledExchange, code: string | undefined): void => {
    const { requestId, operation, request, reply, address, seconds } = exchange;
    const level = probes.includes(operation) ? "debug" : "info";
    if (!isLogged[level]) return;
    const ms = Math.round(seconds * 1_000_000) / 1000;
    let line = `{"level":${levels[level]},"time":${Date.now()}`;
    if (fields !== undefined) line += written(fields());
    line += `,"request_id":${quoted(requestId)},"method":${quoted(request?.method)}`;
    line += `,"operation":${quoted(operation)},"status":${reply.status}`;
    if (code !== undefined) line += `,"code":${quoted(code)}`;
    if (address !== undefined) line += `,"address":${quoted(address)}`;
    write(`${line},"ms":${ms},"msg":"request completed"}\n`);
  };
}

function written(fields: Readonly<Record<string, string>>): string {
  return Object.entries(fields)
    .map(([name, value]) => `,${quoted(name)}:${quoted(value)}`)
    .join("");
}

/** Returns the text as JSON. Few texts need escapes, and checking that first halves the time. */
function quoted(text: string | undefined): string {
  return text === undefined || /[^ !#-[\]-~]/.test(text) ? JSON.stringify(text) : `"${text}"`;
}

const everyMs = 60_000;

/**
 * Calls `pass` for the first report, and then at most once per minute.
 * @param pass gets the number of reports since its last call
 * @param now a monotonic clock in milliseconds
 */
export function rarely<Report>(
  pass: (report: Report, count: number) => void,
  now: () => number = () => performance.now(),
): (report: Report) => void {
  let reportedAt = Number.NEGATIVE_INFINITY;
  let count = 0;
  return (report) => {
    count += 1;
    if (now() - reportedAt < everyMs) return;
    const passed = count;
    reportedAt = now();
    count = 0;
    pass(report, passed);
  };
}

/** Converts a line of JSON to the line that is written. */
export type LogFormat = (line: string) => string;

export interface LogDestination {
  write(line: string): void;
  /** Resolves to false if the deadline comes before every line is written. */
  flush(deadlineMs: number): Promise<boolean>;
}

export interface LogDestinationOptions {
  readonly stream: Writable;
  readonly format?: LogFormat | undefined;
  /** The most bytes that may wait to be written. */
  readonly maxWaitingBytes: number;
  /** Called for each lost line. It must not log. */
  readonly onLost: () => void;
  /** Called with the number of lost lines when lines can be written again. It may log. */
  readonly onRoom: (lost: number) => void;
}

/** How long a line waits for other lines. A write to the stream takes as long as the creation of a hundred lines. */
const gatherMs = 50;

export function createLogDestination({
  stream,
  format = (line) => line,
  maxWaitingBytes,
  onLost,
  onRoom,
}: LogDestinationOptions): LogDestination {
  let lost = 0;
  let lines = "";
  let linesBytes = 0;
  const reportLost = () => {
    const count = lost;
    lost = 0;
    if (count > 0) onRoom(count);
  };
  const handOver = () => {
    if (lines !== "") stream.write(lines);
    lines = "";
    linesBytes = 0;
    // If the reader is always a little late, the stream never emits `drain`.
    if (stream.writableLength < maxWaitingBytes / 2) reportLost();
  };
  // If the reader closes the stream, later lines are lost.
  stream.on("error", () => {});
  stream.on("drain", reportLost);
  return {
    write(text) {
      const line = format(text);
      const bytes = Buffer.byteLength(line);
      if (!stream.writable || stream.writableLength + linesBytes + bytes > maxWaitingBytes) {
        lost += 1;
        onLost();
        return;
      }
      if (lines === "") setTimeout(handOver, gatherMs);
      lines += line;
      linesBytes += bytes;
    },
    async flush(deadlineMs) {
      handOver();
      if (!stream.writable) return false;
      return new Promise((resolve) => {
        const deadline = setTimeout(resolve, deadlineMs, false);
        stream.write("", (error) => {
          clearTimeout(deadline);
          resolve(!error);
        });
      });
    },
  };
}

/** Standard output. If it is a file, Node's own stream would block the event loop and end when the disk is full. */
export function standardOutput(): Writable {
  const stream: Writable = process.stdout;
  return stream instanceof Socket ? stream : new Writable({ write: appendToOutput });
}

const retryMs = 1000;

function appendToOutput(bytes: Buffer, encoding: string, done: () => void): void {
  writeToFile(process.stdout.fd, bytes, (error, written) => {
    if (error) setTimeout(appendToOutput, retryMs, bytes, encoding, done).unref();
    else if (written < bytes.byteLength) appendToOutput(bytes.subarray(written), encoding, done);
    else done();
  });
}
