/** Writes log lines without making a request wait. Lines that a slow reader or a full disk leaves no room for are lost. */
import { write as writeToFile } from "node:fs";
import { Socket } from "node:net";
import { Writable } from "node:stream";

export interface LogDestination {
  write(line: string): void;
  /** Resolves to false if the deadline comes before every line is written. */
  flush(deadlineMs: number): Promise<boolean>;
}

export interface LogDestinationOptions {
  readonly stream: Writable;
  /** The most that may wait to be written. */
  readonly maxWaitingBytes: number;
  /** Called for each lost line. It may not log. */
  readonly onLost: () => void;
  /** Called with the number of lost lines when there is room again. It may log. */
  readonly onRoom: (lost: number) => void;
}

/** Each write to the stream costs more than a line does, so lines wait this long for others. */
const gatherMs = 10;

export function createLogDestination({
  stream,
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
    // A reader that is always a little late never lets the stream drain.
    if (stream.writableLength < maxWaitingBytes / 2) reportLost();
  };
  // If the reader ends, the lines after that are lost.
  stream.on("error", () => {});
  stream.on("drain", reportLost);
  return {
    write(line) {
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

/** Standard output. Node's own stream for a file blocks the event loop, and ends when the disk is full. */
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
