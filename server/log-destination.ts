/**
 * Where log lines go: a stream whose reader may be slow, stand still or leave. No request waits for it: lines that do not
 * fit between the two are lost, and counted.
 */
import { AsyncResource } from "node:async_hooks";
import { write as writeToFile } from "node:fs";
import { Socket } from "node:net";
import { Writable } from "node:stream";

export interface LogDestination {
  write(line: string): void;
  /** Settles once every line has been taken, or at the deadline; false where some are left. */
  flush(deadlineMs: number): Promise<boolean>;
}

export interface LogDestinationOptions {
  readonly stream: Writable;
  /** Most that wait for the reader. */
  readonly maxWaitingBytes: number;
  /** Called for each line that is lost. It may not log. */
  readonly onLost: () => void;
  /** Called once there is room again, with how many were lost. It may log. */
  readonly onRoom: (lost: number) => void;
}

/** How long a line waits for others. */
const gatherMs = 10;

export function createLogDestination(options: LogDestinationOptions): LogDestination {
  const { stream, maxWaitingBytes, onLost } = options;
  // Room may come while some request is answered, which has nothing to do with what was lost.
  const onRoom = AsyncResource.bind(options.onRoom);
  let lost = 0;
  const tellLost = () => {
    if (lost === 0) return;
    const told = lost;
    lost = 0;
    onRoom(told);
  };
  /** To be handed over together: each write to the stream costs more than a line does. */
  let lines = "";
  let linesBytes = 0;
  const handOver = () => {
    if (lines === "") return;
    stream.write(lines);
    lines = "";
    linesBytes = 0;
    // A reader that is back, but never done, lets no "drain" happen.
    if (stream.writableLength < maxWaitingBytes / 2) tellLost();
  };
  // A reader that has gone ends the stream: what is written from then on is lost.
  stream.on("error", () => {});
  stream.on("drain", tellLost);
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
        // Called after everything before it has been taken, or at the end of the stream.
        stream.write("", (error) => {
          clearTimeout(deadline);
          resolve(!error);
        });
      });
    },
  };
}

/** Standard output. Unless it is a terminal, it never holds up the event loop for its reader's sake. */
export function standardOutput(): Writable {
  // Node's own stream for a file holds the event loop up, and ends for good where the disk is full.
  const stream: Writable = process.stdout;
  return stream instanceof Socket ? stream : new FileStream(process.stdout.fd);
}

/** How long a file is left alone that took nothing. */
const retryMs = 1000;

/** Appends to an open file. While that cannot be written, as when its disk is full, it is a reader that stands still. */
class FileStream extends Writable {
  readonly #fd: number;

  constructor(fd: number) {
    super();
    this.#fd = fd;
  }

  override _write(bytes: Buffer, _: string, done: () => void): void {
    writeToFile(this.#fd, bytes, (error, written) => {
      if (error) setTimeout(() => this._write(bytes, _, done), retryMs).unref();
      else if (written < bytes.byteLength) this._write(bytes.subarray(written), _, done);
      else done();
    });
  }

  override _writev(chunks: { chunk: Buffer }[], done: () => void): void {
    this._write(Buffer.concat(chunks.map(({ chunk }) => chunk)), "", done);
  }
}
