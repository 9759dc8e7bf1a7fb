/** Records real exchanges as a HAR: stands between a client and a server, and passes every byte on as it came. */
import { once } from "node:events";
import { createServer, type IncomingMessage, request } from "node:http";
import type { AddressInfo } from "node:net";

export interface HarEntry {
  readonly startedDateTime: string;
  readonly request: {
    readonly method: string;
    readonly url: string;
    readonly headers: readonly HarHeader[];
    readonly bodySize: number;
    readonly postData?: { readonly mimeType: string; readonly text: string };
  };
  readonly response: {
    readonly status: number;
    readonly headers: readonly HarHeader[];
    readonly bodySize: number;
    readonly content: {
      readonly size: number;
      readonly mimeType: string;
      readonly text: string;
      readonly encoding: "base64";
    };
  };
}

interface HarHeader {
  readonly name: string;
  readonly value: string;
}

export interface Recorder extends AsyncDisposable {
  /** What the client is to call. */
  readonly url: string;
  /** In the order of their answers, with the addresses of the server. */
  readonly entries: HarEntry[];
}

/** @param server its address, without a slash at the end */
export async function record(server: string): Promise<Recorder> {
  const entries: HarEntry[] = [];
  const proxy = createServer(async (incoming, outgoing) => {
    const startedDateTime = new Date().toISOString();
    const { method = "", url = "" } = incoming;
    const content = await contentOf(incoming);
    const onward = request(server + url, { method, headers: incoming.rawHeaders });
    onward.end(content);
    const [answer]: [IncomingMessage] = (await once(onward, "response")) as [IncomingMessage];
    const answered = await contentOf(answer);
    const status = answer.statusCode ?? 0;
    entries.push({
      startedDateTime,
      request: {
        method,
        url: server + url,
        headers: headersOf(incoming),
        bodySize: content.byteLength,
        ...(content.byteLength > 0 && {
          postData: { mimeType: incoming.headers["content-type"] ?? "", text: content.toString("utf8") },
        }),
      },
      response: {
        status,
        headers: headersOf(answer),
        bodySize: answered.byteLength,
        content: {
          size: answered.byteLength,
          mimeType: answer.headers["content-type"] ?? "",
          text: answered.toString("base64"),
          encoding: "base64",
        },
      },
    });
    outgoing.writeHead(status, answer.rawHeaders).end(answered);
  }).listen(0, "127.0.0.1");
  await once(proxy, "listening");
  return {
    url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    entries,
    async [Symbol.asyncDispose]() {
      proxy.close();
      proxy.closeAllConnections();
    },
  };
}

export function harOf(entries: readonly unknown[]): string {
  return JSON.stringify({ log: { version: "1.2", creator: { name: "recorder", version: "1" }, entries } });
}

async function contentOf(message: IncomingMessage): Promise<Buffer> {
  return Buffer.concat(await message.toArray());
}

function headersOf({ rawHeaders }: IncomingMessage): HarHeader[] {
  return rawHeaders.flatMap((name, index) =>
    index % 2 === 0 ? [{ name, value: rawHeaders[index + 1] ?? "" }] : [],
  );
}
