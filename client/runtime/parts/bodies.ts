/** Bodies of all media types. */
import { bodyKindOf, isJson, matchType } from "../../../server/runtime/shared/media-type.ts";
import { type CheckBody, checkValue, isObject } from "../check-call.ts";
import type { BodyPart, ResponsePart } from "../parts.ts";
import { parsedJson, type ReadBody } from "../result.ts";
import { type RequestBody, receiveWhole } from "../transport/transport.ts";

export const anyBodies: BodyPart = ({ requestBody }, headers) => {
  const mediaType = headers["content-type"]?.toString() ?? mediaTypeFor(requestBody?.mediaTypes ?? []);
  return [
    bodyCheckOf(mediaType),
    (value) => {
      const body = value === undefined ? undefined : serialise(value, mediaType);
      // A Request sets this header for a FormData body, with the boundary that it has chosen.
      return [body, body instanceof FormData ? undefined : (mediaType ?? null)];
    },
  ];
};

export const anyResponses: ResponsePart = () => [receiveWhole, readBody];

export const readBody: ReadBody = ([, bytes], mediaTypes, contentType) => {
  if (mediaTypes.length === 0) return bytes.byteLength === 0 ? null : undefined;
  if (contentType === undefined || matchType(contentType, mediaTypes) === undefined) return undefined;
  const kind = bodyKindOf(contentType);
  if (kind === "json") return parsedJson(bytes);
  return kind === "text" ? new TextDecoder().decode(bytes) : new Blob([bytes]);
};

/** Also checks forms, and accepts bodies that are already serialised, such as a Blob. */
export function bodyCheckOf(mediaType = ""): CheckBody {
  return (body, report) => {
    const isWritten = isBodyInit(body);
    const isForm = /^(?:form|multipart)$/.test(bodyKindOf(mediaType));
    if (isForm && !isWritten && !isObject(body)) report("", "must be an object with the form's fields");
    if (!isWritten || typeof body === "string")
      checkValue(bodyKindOf(mediaType) === "multipart" ? withoutFiles(body) : body, "", report);
  };
}

/** Replaces files by empty strings. A form's field, or an item of a field that is a list, may be a file. */
function withoutFiles(body: unknown): unknown {
  if (!isObject(body) || Object.keys(body).length === 0) return body;
  const withoutFile = (value: unknown) => (value instanceof Blob ? "" : value);
  return Object.fromEntries(
    Object.entries(body).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.map(withoutFile) : withoutFile(value),
    ]),
  );
}

/** Returns the first JSON media type, else the first media type. Undefined if it is a range such as `image/*`. */
export function mediaTypeFor(mediaTypes: readonly string[]): string | undefined {
  const json = mediaTypes.filter(isJson);
  const mediaType = json.find((each) => !each.includes("*")) ?? json[0] ?? mediaTypes[0];
  return mediaType?.includes("*") ? undefined : mediaType;
}

/** @param mediaType if it is undefined, a plain value is written as JSON */
export function serialise(body: unknown, mediaType: string | undefined): RequestBody {
  if (isBodyInit(body) && !(typeof body === "string" && isJson(mediaType ?? "application/json"))) return body;
  const kind = bodyKindOf(mediaType ?? "application/json");
  if (kind === "multipart") return toFormData(body);
  if (kind === "form") return toSearchParams(body);
  return JSON.stringify(body);
}

const bodyTypes = [Blob, FormData, URLSearchParams, ReadableStream, ArrayBuffer];

export function isBodyInit(body: unknown): body is RequestBody {
  return (
    typeof body === "string" || ArrayBuffer.isView(body) || bodyTypes.some((each) => body instanceof each)
  );
}

function fieldsOf(body: unknown): [string, unknown][] {
  return Object.entries(Object(body)).flatMap(([name, value]) =>
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

function toFormData(body: unknown): FormData {
  const form = new FormData();
  for (const [name, value] of fieldsOf(body)) {
    if (value instanceof Blob) form.append(name, value);
    else form.append(name, textOf(value));
  }
  return form;
}

function toSearchParams(body: unknown): URLSearchParams {
  return new URLSearchParams(fieldsOf(body).map(([name, value]) => [name, textOf(value)]));
}
