import { isJson } from "../../../server/runtime/shared/media-type.ts";

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
