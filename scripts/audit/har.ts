/**
 * Reads recorded traffic from an HTTP archive (HAR 1.2), as browsers, proxies and test tools write it: each of them leaves
 * other things out, and what a recording does not hold is kept apart from what was not sent.
 */
import { readFile, stat } from "node:fs/promises";
import { brotliDecompressSync, gunzipSync, inflateSync, zstdDecompressSync } from "node:zlib";
import { headerOf } from "../conformance/exchange.ts";
import { isObject, type JsonObject } from "../generate/document.ts";
import { codeOf, messageOf } from "../generate/problems.ts";

export interface RecordedMessage {
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** Undefined where there was content, or may have been, that was not recorded. */
  readonly content: Uint8Array | undefined;
}

export interface RecordedExchange {
  /** Counts from 0, as the entry's JSON pointer does. */
  readonly index: number;
  /** When the request was sent, as it was recorded: ISO 8601. */
  readonly time: string;
  readonly method: string;
  readonly url: URL;
  readonly request: RecordedMessage;
  /** Undefined where no answer came. */
  readonly answer: RecordedAnswer | undefined;
}

export interface RecordedAnswer extends RecordedMessage {
  readonly status: number;
}

/** Why a file is no recording that can be judged, each fault with its place. */
export class UnreadableHarError extends Error {
  constructor(file: string, faults: readonly string[]) {
    super(faults.map((fault) => `${file}  ${fault}`).join("\n"));
    this.name = "UnreadableHarError";
  }
}

/** A text of Node holds 512 Mi characters, and what is parsed takes as much again. */
export const maxBytes = 400 * 1024 * 1024;
/** How a ZIP archive begins, as Playwright writes one for `content: "attach"`. */
const zipped = Buffer.from("PK\u0003\u0004");
/** Of content, when it is decompressed. */
const maxContentBytes = 64 * 1024 * 1024;
const maxFaults = 10;

/** @throws UnreadableHarError */
export async function readHar(file: string): Promise<RecordedExchange[]> {
  const entries = entriesOf(await parsed(file), file);
  const faults: string[] = [];
  const exchanges = entries.flatMap((entry, index) => {
    const fault = faultOf(entry);
    if (fault === undefined) return [exchangeOf(entry as HarEntry, index)];
    faults.push(`/log/entries/${index}${fault}`);
    return [];
  });
  if (faults.length > maxFaults) faults.splice(maxFaults, Infinity, `${faults.length - maxFaults} more`);
  if (faults.length > 0) throw new UnreadableHarError(file, faults);
  return exchanges;
}

async function parsed(file: string): Promise<unknown> {
  const refuse = (fault: string): never => {
    throw new UnreadableHarError(file, [fault]);
  };
  let bytes: Uint8Array;
  try {
    const { size } = await stat(file);
    if (size > maxBytes)
      refuse(
        `is ${megabytes(size)} MB, and ${megabytes(maxBytes)} MB is the most that is read; record less at once`,
      );
    bytes = await readFile(file);
  } catch (error) {
    if (error instanceof UnreadableHarError) throw error;
    const known: Readonly<Record<string, string>> = { ENOENT: "no such file", EISDIR: "is a folder" };
    return refuse(`${known[codeOf(error) ?? ""] ?? `cannot be read (${codeOf(error)})`}; name a HAR file`);
  }
  if (Buffer.from(bytes.subarray(0, zipped.length)).equals(zipped))
    refuse(
      'is a ZIP archive, and not HAR itself; record again into a .har file that holds content too (Playwright: content: "embed")',
    );
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch (error) {
    // The parser's own words quote the file, which holds secrets.
    const at = /at position (\d+)/.exec(messageOf(error))?.[1];
    return refuse(
      `is not JSON${at === undefined ? "" : ` from byte ${at} on`}; export the recording as HAR again`,
    );
  }
}

function megabytes(bytes: number): number {
  return Math.ceil(bytes / 1_000_000);
}

function entriesOf(har: unknown, file: string): unknown[] {
  const log = isObject(har) ? har.log : undefined;
  const entries = isObject(log) ? log.entries : undefined;
  if (!Array.isArray(entries))
    throw new UnreadableHarError(file, ["/log/entries  is no list; this is no HAR (1.2), export one"]);
  if (entries.length === 0)
    throw new UnreadableHarError(file, ["/log/entries  is empty: nothing was recorded"]);
  return entries;
}

interface HarContent {
  readonly mimeType?: string;
  readonly text?: string | null;
  readonly encoding?: string;
  readonly size?: number;
  readonly params?: readonly { readonly name: string; readonly value?: string; readonly fileName?: string }[];
}

interface HarMessage {
  readonly headers: readonly { readonly name: string; readonly value: string }[];
  readonly bodySize?: number;
}

interface HarEntry {
  readonly startedDateTime?: unknown;
  readonly request: HarMessage & {
    readonly method: string;
    readonly url: string;
    readonly postData?: HarContent | null;
  };
  readonly response: HarMessage & { readonly status: number; readonly content?: HarContent };
}

/** What keeps an entry from being read, with the place in it; undefined where nothing does. */
function faultOf(entry: unknown): string | undefined {
  if (!isObject(entry)) return "  must be an object";
  const { request, response } = entry;
  if (!isObject(request)) return "/request  must be an object";
  if (typeof request.method !== "string") return "/request/method  must be a text";
  if (typeof request.url !== "string" || !URL.canParse(request.url))
    return "/request/url  must be an absolute URL";
  if (!isObject(response)) return "/response  must be an object";
  if (!Number.isInteger(response.status)) return "/response/status  must be a whole number";
  for (const [place, message] of Object.entries({ request, response })) {
    const fault =
      headersFault(message) ?? contentFault(place === "request" ? message.postData : message.content);
    if (fault !== undefined) return `/${place}${fault}`;
  }
  return undefined;
}

function headersFault({ headers }: JsonObject): string | undefined {
  if (!Array.isArray(headers)) return "/headers  must be a list";
  const wrong = headers.findIndex(
    (header) => !isObject(header) || typeof header.name !== "string" || typeof header.value !== "string",
  );
  return wrong === -1 ? undefined : `/headers/${wrong}  must have a name and a value`;
}

function contentFault(content: unknown): string | undefined {
  if (content === undefined || content === null) return undefined;
  const isSound =
    isObject(content) &&
    (content.text === undefined || content.text === null || typeof content.text === "string") &&
    (content.params === undefined || Array.isArray(content.params));
  return isSound ? undefined : "  has content that is none of HAR";
}

function exchangeOf({ startedDateTime, request, response }: HarEntry, index: number): RecordedExchange {
  const answerHeaders = headersOf(response);
  return {
    index,
    time: typeof startedDateTime === "string" ? startedDateTime : "an unknown time",
    method: request.method.toUpperCase(),
    url: new URL(request.url),
    request: requestOf(request),
    // Browsers note 0 for what was aborted or blocked, Playwright -1.
    answer:
      response.status < 100
        ? undefined
        : {
            status: response.status,
            headers: answerHeaders,
            content: answerContent(request.method, response, answerHeaders),
          },
  };
}

function headersOf({ headers }: HarMessage): [string, string][] {
  return headers.map(({ name, value }) => [name, value]);
}

function requestOf(request: HarEntry["request"]): RecordedMessage {
  const { postData, bodySize = -1 } = request;
  const headers = headersOf(request);
  const written = postData ? (bytesOf(postData) ?? formOf(postData)) : undefined;
  if (written !== undefined && written.byteLength > 0) {
    const named = headerOf(headers, "content-type") ?? postData?.mimeType;
    const others = headers.filter(([name]) => name.toLowerCase() !== "content-type");
    return {
      headers: named === undefined || named === "" ? headers : [...others, ["content-type", named]],
      content: decompressed(written, headerOf(headers, "content-encoding")),
    };
  }
  // Many recorders keep no content of a GET, or of what they could not show.
  const wasSent =
    bodySize > 0 ||
    Number(headerOf(headers, "content-length") ?? 0) > 0 ||
    headerOf(headers, "transfer-encoding") !== undefined;
  return { headers, content: wasSent ? undefined : new Uint8Array() };
}

function answerContent(
  method: string,
  { status, content, bodySize = -1 }: HarEntry["response"],
  headers: readonly (readonly [string, string])[],
): Uint8Array | undefined {
  const bytes = content ? bytesOf(content) : undefined;
  if (bytes !== undefined && bytes.byteLength > 0)
    return decompressed(bytes, headerOf(headers, "content-encoding"));
  if (method.toUpperCase() === "HEAD" || status === 204 || status === 304) return new Uint8Array();
  const sizes = [content?.size ?? -1, bodySize, Number(headerOf(headers, "content-length") ?? -1)];
  if (sizes.some((size) => size > 0)) return undefined;
  return sizes.some((size) => size === 0) ? new Uint8Array() : undefined;
}

/** Undefined where no text was recorded. */
function bytesOf({ text, encoding }: HarContent): Uint8Array | undefined {
  if (text === undefined || text === null) return undefined;
  return Buffer.from(text, encoding === "base64" ? "base64" : "utf8");
}

/** A form's content from its fields; files of a form are not recorded. */
function formOf({ mimeType = "", params = [] }: HarContent): Uint8Array | undefined {
  if (params.length === 0 || !/^application\/x-www-form-urlencoded\b/i.test(mimeType)) return undefined;
  const pairs = params.map(({ name, value = "" }): [string, string] => [name, value]);
  return Buffer.from(new URLSearchParams(pairs).toString());
}

const decompressors: Readonly<Record<string, (bytes: Uint8Array, limit: object) => Uint8Array>> = {
  br: brotliDecompressSync,
  deflate: inflateSync,
  gzip: gunzipSync,
  "x-gzip": gunzipSync,
  zstd: zstdDecompressSync,
};

/** HAR wants content decoded, which not every tool obeys; what does not decompress has been. */
function decompressed(bytes: Uint8Array, coding: string | undefined): Uint8Array {
  const decompress = decompressors[coding?.trim().toLowerCase() ?? ""];
  if (decompress === undefined) return bytes;
  try {
    return decompress(bytes, { maxOutputLength: maxContentBytes });
  } catch {
    return bytes;
  }
}
