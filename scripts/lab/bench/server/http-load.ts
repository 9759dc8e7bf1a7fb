/** Sends prepared bytes and reads only the status and the end of responses, because this takes little CPU time. */
import { connect } from "node:net";

export interface Load {
  readonly port: number;
  readonly connections: number;
  readonly ms: number;
  readonly request: string;
  /** The rate of all connections together. If it is missing, each response is followed by the next request. */
  readonly perSecond?: number;
  /** Offset of ten digits that are replaced by a new number for each request. */
  readonly counterAt?: number;
}

export interface Loaded {
  readonly requests: number;
  readonly ms: number;
  readonly cpuMs: number;
  readonly p99Ms: number;
  /** Responses without status 200, counted by status. */
  readonly rejected: { readonly [status: string]: number };
}

const headEnd = Buffer.from("\r\n\r\n");
const lastChunk = Buffer.from("0\r\n\r\n");
let counter = 0;

async function run({ port, connections, ms, request, perSecond, counterAt }: Load): Promise<Loaded> {
  const latencies: number[] = [];
  const rejected: Record<string, number> = {};
  const before = process.cpuUsage();
  const started = performance.now();
  const intervalMs = perSecond === undefined ? 0 : (connections / perSecond) * 1000;
  const converse = (resolve: () => void, reject: (error: Error) => void, index: number): void => {
    const bytes = Buffer.from(request);
    let due = 0;
    const socket = connect({ host: "127.0.0.1", port, noDelay: true });
    let sent = 0;
    let unread: Buffer | undefined;
    const send = (since: number): void => {
      if (counterAt !== undefined) {
        counter += 1;
        bytes.write(String(counter).padStart(10, "0"), counterAt, "latin1");
      }
      sent = since;
      socket.write(bytes);
    };
    /** A request that is late, because the response before it was late, counts from the time when it was due. */
    const sendWhenDue = (): void => {
      const now = performance.now();
      if (now < due) setTimeout(() => send(performance.now()), due - now);
      else send(intervalMs === 0 ? now : due);
      due += intervalMs;
    };
    socket.on("connect", () => {
      due = performance.now() + (intervalMs * index) / connections;
      sendWhenDue();
    });
    socket.on("error", reject);
    socket.on("close", () => reject(new Error("the server closed a connection")));
    socket.on("data", (chunk: Buffer) => {
      const received: Buffer = unread === undefined ? chunk : Buffer.concat([unread, chunk]);
      unread = isComplete(received) ? undefined : received;
      if (unread !== undefined) return;
      const now = performance.now();
      latencies.push(now - sent);
      const status = received.toString("latin1", 9, 12);
      if (status !== "200") rejected[status] = (rejected[status] ?? 0) + 1;
      if (Math.max(now, due) < started + ms) return sendWhenDue();
      socket.removeAllListeners("close").destroy();
      resolve();
    });
  };
  await Promise.all(
    Array.from(
      { length: connections },
      (_, index) => new Promise<void>((...ends) => converse(...ends, index)),
    ),
  );
  const { user, system } = process.cpuUsage(before);
  const requests = latencies.length;
  const p99Ms = Float64Array.from(latencies).sort()[Math.floor(requests * 0.99)] ?? Number.NaN;
  return { requests, ms: performance.now() - started, cpuMs: (user + system) / 1000, p99Ms, rejected };
}

function isComplete(received: Buffer): boolean {
  const end = received.indexOf(headEnd);
  if (end === -1) return false;
  const length = /\r\ncontent-length: *(\d+)/i.exec(received.toString("latin1", 0, end))?.[1];
  if (length !== undefined) return received.byteLength >= end + headEnd.byteLength + Number(length);
  return received.subarray(-lastChunk.byteLength).equals(lastChunk);
}

process.on("message", async (load: Load) => {
  process.send?.(
    await run(load).then(
      (loaded) => ({ loaded }),
      (error) => ({ error: String(error) }),
    ),
  );
});
process.on("disconnect", () => process.exit());
