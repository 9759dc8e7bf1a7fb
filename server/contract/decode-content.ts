/** Turns the bytes of a request's content into the value that its media type stands for. */
import type { MediaContract, Writing } from "../../generated/contract.ts";
import type { Awaitable } from "./awaitable.ts";
import { decodeUtf8, parseJson } from "./json.ts";
import { kindOf, matchType } from "./media-type.ts";
import { Refusal } from "./refusal.ts";
import { arrayIn, readText } from "./shape.ts";
import {
  formDecoded,
  isJson,
  objectOf,
  type RawPair,
  type Read,
  rawPairs,
  readDeepObject,
  readJson,
  readStyled,
  textsByName,
} from "./styles.ts";

export interface Decoded {
  /** What a validator judges: files are texts of their size, for schemas call them strings. */
  readonly judged: unknown;
  /** What a handler gets, given what has been judged and completed. */
  readonly received: (completed: unknown) => unknown;
  /** Faults of writing, by the field. */
  readonly faults: readonly { readonly field: string; readonly message: string }[];
}

/**
 * @param contentType the value of Content-Type, for the boundary in it
 * @throws Refusal `content_malformed`
 */
export function decodeContent(
  content: Uint8Array,
  essence: string,
  contentType: string | undefined,
  media: MediaContract,
): Awaitable<Decoded> {
  switch (kindOf(essence)) {
    case "json":
      return plain(parseJson(content));
    case "text":
      return plain(decodeUtf8(content));
    case "form":
      return decodeForm(rawPairs(decodeUtf8(content)), media.fields ?? {});
    case "multipart":
      return partsOf(content, contentType ?? essence).then((form) =>
        decodeMultipart(form, media.fields ?? {}),
      );
    case "bytes":
      return { judged: "\0".repeat(content.byteLength), received: () => content, faults: [] };
  }
}

function plain(value: unknown): Decoded {
  return { judged: value, received: (completed) => completed, faults: [] };
}

type Fields = NonNullable<MediaContract["fields"]>;

function fieldOf(fields: Fields, name: string): Writing | undefined {
  return Object.hasOwn(fields, name) ? fields[name] : undefined;
}

function decodeForm(pairs: readonly RawPair[], fields: Fields): Decoded {
  const entries: [string, unknown][] = [];
  const faults: { field: string; message: string }[] = [];
  const deep = Object.keys(fields).filter((name) => fields[name]?.style === "deepObject");
  const take = (name: string, read: Read): void => {
    if (read === undefined) return;
    if ("fault" in read) faults.push({ field: name, message: read.fault });
    else entries.push([name, read.value]);
  };
  for (const name of deep)
    take(name, readDeepObject(name, fields[name]?.type ?? "string", pairs, formDecoded));
  for (const [name, texts] of textsByName(pairs)) {
    if (deep.some((each) => name.startsWith(`${each}[`))) continue;
    const field = fieldOf(fields, name) ?? { type: ["string", { items: "string" }] };
    take(name, readStyled(name, field, field.style ?? "form", { texts, decode: formDecoded }));
  }
  const value = objectOf(entries);
  return { judged: value, received: (completed) => completed, faults };
}

/** @throws Refusal `content_malformed` where it is not multipart (RFC 7578) */
async function partsOf(content: Uint8Array, contentType: string): Promise<FormData> {
  try {
    const bytes = new Uint8Array(content);
    return await new Response(bytes, { headers: { "Content-Type": contentType } }).formData();
  } catch {
    throw new Refusal({ reason: "content_malformed", fault: "syntax" });
  }
}

interface Part {
  /** What stands for the part while it is judged. */
  readonly judged: unknown;
  readonly file: File | undefined;
}

async function decodeMultipart(form: FormData, fields: Fields): Promise<Decoded> {
  const entries: [string, unknown][] = [];
  const files = new Map<string, readonly (File | undefined)[]>();
  const faults: { field: string; message: string }[] = [];
  for (const name of new Set(form.keys())) {
    const field = fieldOf(fields, name);
    const isList = field === undefined ? form.getAll(name).length > 1 : arrayIn(field.type) !== undefined;
    const parts: Part[] = [];
    for (const given of form.getAll(name)) {
      const part = await readPart(given, field);
      if ("fault" in part) faults.push({ field: name, message: part.fault });
      else parts.push(part);
    }
    if (parts.length > 1 && !isList) faults.push({ field: name, message: "must be given once" });
    entries.push([name, isList ? parts.map(({ judged }) => judged) : parts[0]?.judged]);
    files.set(name, isList ? parts.map(({ file }) => file) : parts.slice(0, 1).map(({ file }) => file));
  }
  const received = (completed: unknown): unknown => {
    if (typeof completed !== "object" || completed === null) return completed;
    return objectOf(
      Object.entries(completed).map(([name, value]) => {
        const own = files.get(name) ?? [];
        if (Array.isArray(value)) return [name, value.map((item, index) => own[index] ?? item)];
        return [name, own[0] ?? value];
      }),
    );
  };
  return { judged: objectOf(entries), received, faults };
}

async function readPart(
  given: FormDataEntryValue,
  field: Writing | undefined,
): Promise<Part | { fault: string }> {
  const mediaTypes = field?.mediaType?.split(",").map((type) => type.trim()) ?? [];
  const [mediaType] = mediaTypes;
  const shape = field && (arrayIn(field.type)?.items ?? field.type);
  if (mediaType !== undefined && isJson(mediaType)) {
    const read = readJson(typeof given === "string" ? given : await given.text());
    if (read === undefined || "fault" in read) return read ?? { fault: "must be JSON" };
    return { judged: read.value, file: undefined };
  }
  const isFile =
    field === undefined ? typeof given !== "string" : mediaTypes.some((type) => kindOf(type) === "bytes");
  if (!isFile) {
    const text = typeof given === "string" ? given : await given.text();
    return { judged: shape === undefined ? text : readText(text, shape), file: undefined };
  }
  const file = typeof given === "string" ? new File([given], "") : given;
  const isOpen = mediaTypes.length === 0 || mediaTypes.includes("application/octet-stream");
  if (!isOpen && matchType(file.type, mediaTypes) === undefined)
    return { fault: `must be of media type ${mediaTypes.join(" or ")}` };
  return { judged: "\0".repeat(file.size), file };
}
