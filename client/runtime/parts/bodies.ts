/** Bodies of all media types. */
import { bodyKindOf, isJson, matchType } from "../../../server/runtime/shared/media-type.ts";
import { type CheckBody, checkValue, isObject } from "../check-call.ts";
import type { BodyPart, ReplyPart } from "../parts.ts";
import { parsedJson, type ReadContent } from "../result.ts";
import { receiveWhole } from "../transport/transport.ts";

export const anyBodies: BodyPart = ({ content }, headers) => {
  const mediaType = headers["content-type"]?.toString() ?? mediaTypeFor(content?.mediaTypes ?? []);
  return [
    bodyCheckOf(mediaType),
    (value) => {
      const body = value === undefined ? undefined : serialise(value, mediaType);
      // A Request sets this header for a FormData body, with the boundary that it has chosen.
      return [body, body instanceof FormData ? undefined : (mediaType ?? null)];
    },
  ];
};

export const anyReplies: ReplyPart = () => [receiveWhole, readContent];

export const readContent: ReadContent = ([, bytes], mediaTypes, contentType) => {
  if (mediaTypes.length === 0) return bytes.byteLength === 0 ? null : undefined;
  if (contentType === undefined || matchType(contentType, mediaTypes) === undefined) return undefined;
  const kind = bodyKindOf(contentType);
  if (kind === "json") return parsedJson(bytes);
  return kind === "text" ? new TextDecoder().decode(bytes) : new Blob([bytes]);
};

/** Also checks forms, and accepts bodies that are already serialised, such as a Blob. */
export function bodyCheckOf(mediaType = ""): CheckBody {
  return (content, report) => {
    const isWritten = isBodyInit(content);
    const isForm = /\/(?:x-www-)?form-/.test(mediaType);
    if (isForm && !isWritten && !isObject(content)) report("", "must be an object with the form's fields");
    if (!isWritten || typeof content === "string")
      checkValue(mediaType.startsWith("multipart/") ? withoutFiles(content) : content, "", report);
  };
}

/** Replaces files by empty strings. A form's field, or an item of a field that is a list, may be a file. */
function withoutFiles(content: unknown): unknown {
  if (!isObject(content) || Object.keys(content).length === 0) return content;
  const withoutFile = (value: unknown) => (value instanceof Blob ? "" : value);
  return Object.fromEntries(
    Object.entries(content).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.map(withoutFile) : withoutFile(value),
    ]),
  );
}

/** Returns the first JSON media type, else the first media type, or undefined if that is a range such as `image/*`. */
export function mediaTypeFor(mediaTypes: readonly string[]): string | undefined {
  const mediaType = mediaTypes.find(isJson) ?? mediaTypes[0];
  return mediaType?.includes("*") ? undefined : mediaType;
}

/** @param mediaType if it is undefined, a plain value is written as JSON */
export function serialise(content: unknown, mediaType: string | undefined): BodyInit {
  if (isBodyInit(content) && !(typeof content === "string" && isJson(mediaType ?? "application/json")))
    return content;
  if (mediaType?.startsWith("multipart/form-data")) return toFormData(content);
  if (mediaType?.startsWith("application/x-www-form-urlencoded")) return toSearchParams(content);
  return JSON.stringify(content);
}

const bodyTypes = [Blob, FormData, URLSearchParams, ReadableStream, ArrayBuffer];

export function isBodyInit(content: unknown): content is BodyInit {
  return (
    typeof content === "string" ||
    ArrayBuffer.isView(content) ||
    bodyTypes.some((each) => content instanceof each)
  );
}

function fieldsOf(content: unknown): [string, unknown][] {
  return Object.entries(Object(content)).flatMap(([name, value]) =>
    [value]
      .flat()
      .filter((item) => item !== undefined)
      .map((item): [string, unknown] => [name, item]),
  );
}

/** Writes objects in a form as JSON (OpenAPI 3.1, Encoding Object). */
function textOf(value: unknown): string {
  return typeof value === "object" && value !== null ? JSON.stringify(value) : String(value);
}

function toFormData(content: unknown): FormData {
  const form = new FormData();
  for (const [name, value] of fieldsOf(content)) {
    if (value instanceof Blob) form.append(name, value);
    else form.append(name, textOf(value));
  }
  return form;
}

function toSearchParams(content: unknown): URLSearchParams {
  return new URLSearchParams(fieldsOf(content).map(([name, value]) => [name, textOf(value)]));
}
