/**
 * Reads recorded traffic from an HTTP archive (HAR 1.2), as browsers, proxies and test tools write it. Each of them omits
 * something: a body that was not recorded is kept apart from a body that was not sent.
 */
import { readFile } from "node:fs/promises";
import { brotliDecompressSync, gunzipSync, inflateSync, zstdDecompressSync } from "node:zlib";
import { isObject } from "../openapi/document.ts";
import { codeOf } from "../openapi/spec-problems.ts";
import { NothingCheckedError } from "./conform-report.ts";
import { headerOf } from "./exchange.ts";

export interface RecordedMessage {
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** Undefined if there was a body, or may have been one, that was not recorded. */
  readonly content: Uint8Array | undefined;
}

export interface RecordedExchange {
  /** Counts from 0, as in the entry's JSON pointer. */
  readonly index: number;
  readonly method: string;
  readonly url: URL;
  readonly request: RecordedMessage;
  /** Undefined if no response came. */
  readonly response: (RecordedMessage & { readonly status: number }) | undefined;
}

/** Limits what a small compressed body may become. */
const maxBodyBytes = 64 * 1024 * 1024;

/** @throws NothingCheckedError, which quotes nothing of the file, because it may hold secrets */
export async function readHar(file: string): Promise<RecordedExchange[]> {
  const fail = (problem: string): never => {
    throw new NothingCheckedError(`${file}  ${problem}`);
  };
  const bytes = await readFile(file).catch((error) =>
    fail(`cannot be read (${codeOf(error)}); name a HAR file`),
  );
  // Playwright writes a ZIP archive for `content: "attach"`.
  if (bytes.subarray(0, 4).equals(Buffer.from("PK\u0003\u0004")))
    fail('is a ZIP archive; record a .har file (Playwright: content: "embed")');
  let har: unknown;
  try {
    har = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    fail("is not JSON of at most 512 MB; export the recording as HAR again");
  }
  const log = isObject(har) ? har.log : undefined;
  const entries = isObject(log) ? log.entries : undefined;
  if (!Array.isArray(entries)) return fail("has no list /log/entries, so it is not HAR 1.2; export it again");
  if (entries.length === 0) fail("has no entries: nothing was recorded");
  return entries.map((entry, index) => {
    try {
      return exchangeOf(entry as unknown as HarEntry, index);
    } catch {
      return fail(`/log/entries/${index} is not a HAR entry with a request and a response; export it again`);
    }
  });
}

interface HarBody {
  readonly mimeType?: string;
  readonly text?: string | null;
  readonly encoding?: string;
  readonly size?: number;
}

interface HarMessage {
  readonly headers: readonly { readonly name: string; readonly value: string }[];
  readonly bodySize?: number;
}

/** As HAR defines it; a file may break it anywhere. */
interface HarEntry {
  readonly request: HarMessage & {
    readonly method: string;
    readonly url: string;
    readonly postData?: HarBody | null;
  };
  readonly response: HarMessage & { readonly status: number; readonly content?: HarBody | null };
}

/** @throws TypeError if the entry is not as HAR defines it */
function exchangeOf({ request, response }: HarEntry, index: number): RecordedExchange {
  const { status } = response;
  if (!Number.isInteger(status)) throw new TypeError("the status is not an integer");
  const method = request.method.toUpperCase();
  const received = responseOf(method, response);
  return {
    index,
    method,
    url: new URL(request.url),
    request: requestOf(request),
    // Browsers write 0 for a request that was aborted or blocked, Playwright -1.
    response: status < 100 ? undefined : { ...received, status },
  };
}

function headersOf({ headers }: HarMessage): [string, string][] {
  return headers.map(({ name, value }) => [String(name), String(value)]);
}

function requestOf(request: HarEntry["request"]): RecordedMessage {
  const { postData, bodySize = -1 } = request;
  const headers = headersOf(request);
  const content = bytesOf(postData, headers);
  if (content !== undefined) {
    if (headerOf(headers, "content-type") === undefined && postData?.mimeType)
      headers.push(["content-type", postData.mimeType]);
    return { headers, content };
  }
  // Many recorders omit the body of a GET.
  const wasSent =
    bodySize > 0 ||
    Number(headerOf(headers, "content-length") ?? 0) > 0 ||
    headerOf(headers, "transfer-encoding") !== undefined;
  return { headers, content: wasSent ? undefined : new Uint8Array() };
}

function responseOf(method: string, response: HarEntry["response"]): RecordedMessage {
  const { status, content, bodySize = -1 } = response;
  const headers = headersOf(response);
  const bytes = bytesOf(content, headers);
  if (bytes !== undefined) return { headers, content: bytes };
  const sizes = [content?.size ?? -1, bodySize, Number(headerOf(headers, "content-length") ?? -1)];
  const isEmpty = !sizes.some((size) => size > 0) && sizes.includes(0);
  const mustBeEmpty = method === "HEAD" || status === 204 || status === 304;
  return { headers, content: mustBeEmpty || isEmpty ? new Uint8Array() : undefined };
}

const decompressors: Readonly<Record<string, (bytes: Uint8Array, limit: object) => Uint8Array>> = {
  br: brotliDecompressSync,
  deflate: inflateSync,
  gzip: gunzipSync,
  zstd: zstdDecompressSync,
};

/** Undefined if no body was recorded. HAR asks for decompressed bodies, but not every tool obeys. */
function bytesOf(
  body: HarBody | null | undefined,
  headers: RecordedMessage["headers"],
): Uint8Array | undefined {
  if (!body?.text) return undefined;
  const bytes = Buffer.from(body.text, body.encoding === "base64" ? "base64" : "utf8");
  const decompress = decompressors[headerOf(headers, "content-encoding")?.trim().toLowerCase() ?? ""];
  try {
    return decompress?.(bytes, { maxOutputLength: maxBodyBytes }) ?? bytes;
  } catch {
    return bytes;
  }
}
