import type { Problem, Writing } from "#specbind/contract";
import { bodyKindOf, isJson, matchType } from "../shared/media-type.ts";
import { type Decoded, type Fields, fieldOf, problemOf } from "./forms.ts";
import { readJson } from "./json.ts";
import { groupBy } from "./pairs.ts";
import { Rejection } from "./request.ts";
import { arrayIn, objectOf, readText } from "./shapes.ts";

interface Part {
  /** For a file, a string of the same length, because schemas describe files as strings. */
  readonly value: unknown;
  readonly file?: File;
}

/** @throws Rejection `malformed_content` if the body is not multipart */
export async function decodeMultipart(
  body: Uint8Array,
  contentType: string,
  fields: Fields = {},
): Promise<Decoded> {
  const form = await formDataOf(body, contentType);
  const entries: [string, unknown][] = [];
  const files = new Map<string, readonly (File | undefined)[]>();
  const problems: Problem[] = [];
  // `getAll` reads the whole form for each name.
  for (const [name, given] of groupBy(form, ([each]) => each)) {
    const field = fieldOf(fields, name);
    const isList = field === undefined ? given.length > 1 : arrayIn(field.type) !== undefined;
    const parts: Part[] = [];
    for (const [, each] of given) {
      const part = await readPart(each, field);
      if ("problem" in part) problems.push(problemOf(name, part.problem));
      else parts.push(part);
    }
    if (parts.length > 1 && !isList) problems.push(problemOf(name, "must be given once"));
    entries.push([name, isList ? parts.map(({ value }) => value) : parts[0]?.value]);
    files.set(
      name,
      (isList ? parts : parts.slice(0, 1)).map(({ file }) => file),
    );
  }
  const withBytes = (completed: unknown): unknown => {
    if (typeof completed !== "object" || completed === null) return completed;
    return objectOf(
      Object.entries(completed).map(([name, value]) => {
        const own = files.get(name) ?? [];
        if (Array.isArray(value)) return [name, value.map((item, index) => own[index] ?? item)];
        return [name, own[0] ?? value];
      }),
    );
  };
  return { value: objectOf(entries), withBytes, problems };
}

async function formDataOf(body: Uint8Array, contentType: string): Promise<FormData> {
  try {
    const bytes = new Uint8Array(body);
    return await new Response(bytes, { headers: { "Content-Type": contentType } }).formData();
  } catch {
    throw new Rejection({ reason: "malformed_content", problem: "multipart" });
  }
}

async function readPart(
  given: FormDataEntryValue,
  field: Writing | undefined,
): Promise<Part | { problem: string }> {
  const mediaTypes = field?.mediaType?.split(",").map((type) => type.trim()) ?? [];
  const [mediaType] = mediaTypes;
  const shape = field && (arrayIn(field.type)?.items ?? field.type);
  const text = async (): Promise<string> => (typeof given === "string" ? given : await given.text());
  if (mediaType !== undefined && isJson(mediaType)) return readJson(await text());
  const isFile =
    field === undefined ? typeof given !== "string" : mediaTypes.some((type) => bodyKindOf(type) === "bytes");
  if (!isFile) return { value: shape === undefined ? await text() : readText(await text(), shape) };
  const file = typeof given === "string" ? new File([given], "") : given;
  const isOpen = mediaTypes.length === 0 || mediaTypes.includes("application/octet-stream");
  if (!isOpen && matchType(file.type, mediaTypes) === undefined)
    return { problem: `must have the media type ${mediaTypes.join(" or ")}` };
  return { value: "\0".repeat(file.size), file };
}
