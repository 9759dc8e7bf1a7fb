/** Reports parts that no generated code enforces. */
import { essence } from "#specbind/media-type";
import {
  entriesOf,
  follow,
  followed,
  isObject,
  type Json,
  type JsonObject,
  localPointer,
  pointerTo,
  tokensOf,
  valueAt,
} from "../../openapi/document.ts";
import { visitKinds } from "../../openapi/grammar.ts";
import type { LoadedSpec } from "../../openapi/load.ts";
import { keywordOf, viewOf } from "../../openapi/schema/schema-view.ts";
import type { ModelRule } from "../model.ts";
import { fieldsOf, shapeOf } from "../shapes.ts";
import { isOfText, kindOf } from "./read-media-types.ts";

/** A media type of RFC 9110, section 8.3.1, or a range of section 12.5.1. */
const mediaTypeForm = /^[\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+\s*(?:;.*)?$/s;
const charsetForm = /^(?!.*;\s*charset=(?!"?utf-?8"?\s*(?:;|$)))/is;
const statusForm = /^(?:[2-5](?:\d\d|XX)|default)$/;
const interimForm = /^1(?:\d\d|XX)$/;
const withoutBody = ["204", "205", "304"];

interface Reporter extends Pick<LoadedSpec, "document"> {
  report(rule: ModelRule, pointer: string, message: string): void;
  note(rule: ModelRule, pointer: string, message: string): void;
}

/** @returns the pointers of the responses and media types that must be removed before the model is made */
export function reportUnenforced(spec: Reporter): string[] {
  const { document } = spec;
  const operations = new Map<string, JsonObject>();
  const links: [pointer: string, link: JsonObject][] = [];
  const removed = new Set<string>();
  visitKinds("document", document, (kind, object, pointer) => {
    if (kind === "link") links.push([pointer, object]);
    if (kind === "operation") {
      operations.set(pointer, object);
      reportCallbacks(spec, pointer, object);
    }
    if (/^\/webhooks\/|\/callbacks\//.test(pointer)) return;
    const responses = { operation: "responses", document: "x-unmatched-responses" }[String(kind)];
    if (responses !== undefined)
      for (const part of unusableResponses(spec, pointerTo(pointer, responses), object[responses]))
        removed.add(part);
    const content = pointerTo(pointer, "content");
    if ((kind === "requestBody" || kind === "response") && !removed.has(content) && !removed.has(pointer))
      for (const part of unusableMediaTypes(spec, content, object.content, kind)) removed.add(part);
  });
  for (const [pointer, link] of links) reportDanglingLink(spec, operations, pointer, link);
  return [...removed];
}

/** Only the callbacks of an operation that callers call are generated. */
function reportCallbacks({ report }: Reporter, pointer: string, { callbacks }: JsonObject): void {
  const [root, ...inside] = tokensOf(pointer);
  if (root === "paths" && !inside.includes("callbacks", 2)) return;
  for (const [name] of entriesOf(callbacks))
    report(
      "callbacks",
      pointerTo(pointer, "callbacks", name),
      "a callback inside a webhook or another callback is not generated; move it to `webhooks`",
    );
}

function unusableResponses({ document, report, note }: Reporter, pointer: string, value: Json | undefined) {
  return entriesOf(value).flatMap(([status]): string[] => {
    if (status.startsWith("x-")) return [];
    const own = pointerTo(pointer, status);
    if (interimForm.test(status)) {
      note(
        "response-status",
        own,
        "a status from 100 to 199 comes before the response that a handler returns, so it is left out; remove it, or waive this note in waivers.yaml",
      );
      return [own];
    }
    if (!statusForm.test(status)) {
      report(
        "response-status",
        own,
        `a response cannot have the status \`${status}\`; use a status from 200 to 599, a range such as 4XX, or default`,
      );
      return [own];
    }
    const { value: response } = follow(document, own);
    if (!withoutBody.includes(status) || entriesOf(valueAt(response, "/content")).length === 0) return [];
    const content = pointerTo(own, "content");
    report(
      "media-type",
      content,
      `a response with the status ${status} has no body (RFC 9110); remove \`content\`, or use another status`,
    );
    return [content];
  });
}

/**
 * The media types that cannot be read or validated. Those that are not parsed become text or bytes, except XML. A response is
 * sent in one of its media types (OpenAPI 3.1, Response Object), so a removal is only a note if another media type is left.
 */
function unusableMediaTypes(
  { document, report, note }: Reporter,
  pointer: string,
  value: Json | undefined,
  kind: "requestBody" | "response",
): string[] {
  const mediaTypes = entriesOf(value);
  if (kind === "requestBody" && isObject(value) && mediaTypes.length === 0)
    report(
      "content-without-media-type",
      pointer,
      "a body needs a media type; add one, such as `application/json: { schema: { type: object } }`",
    );
  const problems = mediaTypes.map(([mediaType, media]) => ({
    mediaType,
    problem: mediaTypeProblem(document, mediaType, isObject(media) ? media.schema : undefined),
  }));
  const mayLack = kind === "response" && problems.some(({ problem }) => problem === undefined);
  return problems.flatMap(({ mediaType, problem }) => {
    if (problem === undefined) return [];
    const place = pointerTo(pointer, mediaType);
    const media = valueAt(document, place);
    if (
      problem.isUnparsed &&
      isObject(media) &&
      !(isXml(mediaType) && hasXmlObject(document, media.schema))
    ) {
      const isText = kindOf(mediaType) === "text";
      note(
        "media-type",
        place,
        `${mediaType} is not parsed, so handlers and callers get ${isText ? "text" : "bytes"}, and the schema has no effect; write \`schema: { type: string${isText ? "" : ", format: binary"} }\``,
      );
      media.schema = isText ? { type: "string" } : { type: "string", format: "binary" };
      return [];
    }
    if (problem.isUnparsed && mayLack)
      note(
        "media-type",
        place,
        `${mediaType} is not parsed, so the response is generated without it; to include it, write \`schema: { type: string }\``,
      );
    else report("media-type", place, problem.message);
    return [place];
  });
}

function mediaTypeProblem(
  document: JsonObject,
  mediaType: string,
  schema: Json | undefined,
): { message: string; isUnparsed?: true } | undefined {
  if (!mediaTypeForm.test(mediaType))
    return { message: "this is not a media type; write one such as application/json" };
  if (!charsetForm.test(mediaType))
    return { message: "bodies are only read and written as UTF-8; remove `charset`" };
  if (schema === undefined) return undefined;
  const kind = kindOf(mediaType);
  if ((kind === "text" || kind === "bytes") && !isOfText(shapeOf(document, schema)))
    return {
      message: `${mediaType} is not parsed, so its schema cannot be enforced; use application/json, write \`schema: { type: string }\`, or leave it out with --lenient`,
      isUnparsed: true,
    };
  const fields = kind === "multipart" ? [...fieldsOf(document, schema)] : [];
  const [raw] = fields.find(([, part]) => isRaw(document, part)) ?? [];
  return raw === undefined
    ? undefined
    : {
        message: `the field \`${raw}\` would be read as text; write \`format: binary\` instead of \`contentMediaType\`, and its media type under \`encoding\`, such as \`${raw}: { contentType: image/png }\``,
      };
}

function isXml(mediaType: string): boolean {
  return /[/+]xml$/.test(essence(mediaType));
}

/** True if the schema says how XML is written (OpenAPI 3.1, XML Object). A text or bytes would ignore this. */
function hasXmlObject(document: JsonObject, schema: Json | undefined, seen = new Set<Json>()): boolean {
  let isFound = false;
  visitKinds("schema", schema, (kind, object) => {
    if (isFound || kind !== "schema" || seen.has(object)) return;
    seen.add(object);
    const target = followed(document, object);
    isFound = isObject(object.xml) || (target !== object && hasXmlObject(document, target, seen));
  });
  return isFound;
}

/** True for bytes whose generated type would be a string. */
function isRaw(document: JsonObject, schema: Json): boolean {
  const part = keywordOf(viewOf(document, schema), "items") ?? schema;
  const view = viewOf(document, part);
  const [mediaType, encoding, format] = ["contentMediaType", "contentEncoding", "format"].map((keyword) =>
    keywordOf(view, keyword),
  );
  const isBytes = typeof mediaType === "string" && kindOf(mediaType) === "bytes";
  return isBytes && encoding === undefined && format !== "binary";
}

/** Of a link, only the target can be checked. */
function reportDanglingLink(
  { report }: Reporter,
  operations: ReadonlyMap<string, JsonObject>,
  pointer: string,
  { operationId, operationRef }: JsonObject,
): void {
  if (operationId !== undefined && ![...operations.values()].some((each) => each.operationId === operationId))
    report(
      "links",
      pointerTo(pointer, "operationId"),
      `no operation has the \`operationId\` \`${operationId}\`; correct the name`,
    );
  const target = typeof operationRef === "string" ? localPointer(operationRef) : undefined;
  if (operationRef !== undefined && (target === undefined || !operations.has(target)))
    report(
      "links",
      pointerTo(pointer, "operationRef"),
      "this document has no such operation; write its path, such as `#/paths/~1books/get`, or use `operationId`",
    );
}
