/** An HTTP client for tests. It can send a body with any method, missing or wrong headers, and raw bytes. */
import { request } from "node:http";
import { connect, type Socket } from "node:net";

export interface Call {
  readonly method: string;
  readonly path: string;
  readonly key?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON, except that a string or bytes are sent unchanged. */
  readonly body?: unknown;
}

export interface ReceivedResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: unknown;
}

/** Adds `Content-Type: application/json` if `headers` do not set it. Headers that are "" are not sent. */
export function send(url: string, { method, path, key, headers, body }: Call): Promise<ReceivedResponse> {
  const bytes = bytesOf(body);
  const all: Record<string, string> = {
    "content-type": "application/json",
    ...(key !== undefined && { authorization: `Bearer ${key}` }),
    ...(bytes !== undefined && { "content-length": String(bytes.byteLength) }),
    ...headers,
  };
  for (const [name, value] of Object.entries(all)) if (value === "") delete all[name];
  return new Promise((resolve, reject) => {
    const outgoing = request(`${url}${path}`, { method, headers: all }, (incoming) => {
      const chunks: Buffer[] = [];
      incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
      incoming.on("end", () => {
        const text = Buffer.concat(chunks).toString("utf8");
        resolve({
          status: incoming.statusCode ?? 0,
          headers: incoming.headers,
          body: text === "" ? undefined : JSON.parse(text),
        });
      });
      incoming.on("error", reject);
    });
    outgoing.on("error", reject);
    outgoing.end(bytes);
  });
}

function bytesOf(body: unknown): Uint8Array | undefined {
  if (body === undefined || body instanceof Uint8Array) return body;
  return Buffer.from(typeof body === "string" ? body : JSON.stringify(body), "utf8");
}

/** A connection on which the test itself writes the bytes. */
export class RawConnection implements Disposable {
  readonly #socket: Socket;
  #received = "";
  #ended = false;
  #changed: () => void = () => {};

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.setEncoding("utf8");
    socket.on("data", (text: string) => {
      this.#received += text;
      this.#changed();
    });
    const end = () => {
      this.#ended = true;
      this.#changed();
    };
    socket.on("close", end);
    socket.on("error", end);
  }

  /** @param allowHalfOpen true keeps this side of the connection open if the server ends its side */
  static open(url: string, { allowHalfOpen = false } = {}): Promise<RawConnection> {
    const { hostname, port } = new URL(url);
    return new Promise((resolve, reject) => {
      const socket = connect({ port: Number(port), host: hostname, allowHalfOpen });
      socket.once("error", reject);
      socket.once("connect", () => {
        socket.off("error", reject);
        resolve(new RawConnection(socket));
      });
    });
  }

  write(text: string): void {
    this.#socket.write(text);
  }

  /** Reads no more data, as if the caller had been paused. */
  stopReading(): void {
    this.#socket.pause();
  }

  /** True if the connection is known to have ended. A caller that does not read learns this only when it writes. */
  get ended(): boolean {
    return this.#ended;
  }

  /** The received bytes that no call has returned yet. */
  get unread(): string {
    return this.#received;
  }

  /** Reads to the end. Returns whether the connection was reset. */
  async restIsReset(): Promise<boolean> {
    this.#socket.resume();
    while (!this.#socket.closed) await this.#change();
    return (this.#socket.errored as NodeJS.ErrnoException | null)?.code === "ECONNRESET";
  }

  end(): void {
    this.#socket.end();
  }

  /** Closes the connection with RST instead of FIN. */
  reset(): void {
    const socket = this.#socket;
    // While libuv sends FIN, a reset fails. Then the socket is never closed, and no thread that has it can end.
    if (socket.writableEnded && !socket.writableFinished && socket.writableLength === 0) socket.destroy();
    else socket.resetAndDestroy();
  }

  /** Returns the next complete response, or undefined if the connection ends before that. */
  async response(): Promise<{ status: number; head: string; body: string } | undefined> {
    for (;;) {
      const whole = /^HTTP\/1\.1 (\d{3})[^\r]*\r\n((?:[^\r]+\r\n)*)\r\n/.exec(this.#received);
      const length = Number(/^content-length: (\d+)/im.exec(whole?.[2] ?? "")?.[1] ?? Number.NaN);
      if (whole && this.#received.length >= whole[0].length + length) {
        const body = this.#received.slice(whole[0].length, whole[0].length + length);
        this.#received = this.#received.slice(whole[0].length + length);
        return { status: Number(whole[1]), head: whole[0], body };
      }
      if (this.#ended) return undefined;
      await this.#change();
    }
  }

  /** Returns the status of the next interim response, or undefined if the connection ends before that. */
  async interim(): Promise<number | undefined> {
    for (;;) {
      const whole = /^HTTP\/1\.1 (1\d{2})[^\r]*\r\n\r\n/.exec(this.#received);
      if (whole) {
        this.#received = this.#received.slice(whole[0].length);
        return Number(whole[1]);
      }
      if (this.#ended) return undefined;
      await this.#change();
    }
  }

  #change(): Promise<void> {
    return new Promise((resolve) => {
      this.#changed = resolve;
    });
  }

  [Symbol.dispose](): void {
    this.#socket.destroy();
  }
}
