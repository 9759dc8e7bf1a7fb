/**
 * Loads servers, as a process of its own: connections that each send their next request when the last is answered.
 * Requests are bytes made before, and of an answer only its status and its end are read, so that little of the machine
 * goes into asking.
 */
import { connect, type Socket } from "node:net";

export interface Load {
  /** Each connection goes to one of them, in turn. */
  readonly ports: readonly number[];
  readonly connections: number;
  readonly ms: number;
  /** The whole request. Where `counterAt` is given, ten digits there are replaced by a number never sent before. */
  readonly request: string;
  readonly counterAt?: number;
  /** Then by one of these numbers instead, drawn anew for each request. */
  readonly drawnFrom?: { readonly first: number; readonly count: number };
}

export interface Loaded {
  readonly requests: number;
  readonly ms: number;
  /** Of this process. */
  readonly cpuMs: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Answers with another status than 200, by status. */
  readonly refused: { readonly [status: string]: number };
}

const counterLength = 10;
const headEnd = Buffer.from("\r\n\r\n");
const lastChunk = Buffer.from("0\r\n\r\n");
let counter = 0;

async function run(load: Load): Promise<Loaded> {
  const latencies: number[] = [];
  const refused: Record<string, number> = {};
  const before = process.cpuUsage();
  const started = performance.now();
  const until = started + load.ms;
  await Promise.all(
    Array.from({ length: load.connections }, (_, index) =>
      converse(load, load.ports[index % load.ports.length] ?? 0, until, latencies, refused),
    ),
  );
  const ms = performance.now() - started;
  const { user, system } = process.cpuUsage(before);
  const sorted = Float64Array.from(latencies).sort();
  const at = (share: number): number =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
  const requests = latencies.length;
  return { requests, ms, cpuMs: (user + system) / 1000, p50Ms: at(0.5), p99Ms: at(0.99), refused };
}

function converse(
  { request, counterAt, drawnFrom }: Load,
  port: number,
  until: number,
  latencies: number[],
  refused: Record<string, number>,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const bytes = Buffer.from(request);
    const socket: Socket = connect({ host: "127.0.0.1", port, noDelay: true });
    let sent = 0;
    let unread: Buffer | undefined;
    const send = (): void => {
      if (counterAt !== undefined)
        bytes.write(String(nextNumber(drawnFrom)).padStart(counterLength, "0"), counterAt, "latin1");
      sent = performance.now();
      socket.write(bytes);
    };
    socket.on("connect", send);
    socket.on("error", reject);
    socket.on("close", () => reject(new Error(`the server at ${port} closed a connection`)));
    socket.on("data", (chunk: Buffer) => {
      const received = unread === undefined ? chunk : Buffer.concat([unread, chunk]);
      if (!isComplete(received)) {
        unread = received;
        return;
      }
      unread = undefined;
      const now = performance.now();
      latencies.push(now - sent);
      const status = received.toString("latin1", 9, 12);
      if (status !== "200") refused[status] = (refused[status] ?? 0) + 1;
      if (now < until) send();
      else {
        socket.removeAllListeners("close").destroy();
        resolve();
      }
    });
  });
}

function nextNumber(drawnFrom: Load["drawnFrom"]): number {
  if (drawnFrom !== undefined) return drawnFrom.first + Math.floor(Math.random() * drawnFrom.count);
  counter += 1;
  return counter;
}

function isComplete(received: Buffer): boolean {
  const end = received.indexOf(headEnd);
  if (end === -1) return false;
  const length = /\r\ncontent-length: *(\d+)/i.exec(received.toString("latin1", 0, end))?.[1];
  if (length !== undefined) return received.byteLength >= end + headEnd.byteLength + Number(length);
  return received.subarray(-lastChunk.byteLength).equals(lastChunk);
}

process.on("message", async (load: Load) => {
  try {
    process.send?.({ loaded: await run(load) });
  } catch (error) {
    process.send?.({ fault: String(error) });
  }
});
process.on("disconnect", () => process.exit());
