/** Rewrites OpenAPI 3.2 as 3.1. */
import { METHODS } from "node:http";
import { essence } from "#specbind/media-type";
import {
  entriesOf,
  followed,
  isObject,
  type Json,
  type JsonObject,
  listOf,
  localPointer,
  mapEntries,
  placesAt,
  pointerTo,
  tokensOf,
  valueAt,
} from "./document.ts";
import { isMethod, type Kind, mapKinds, visitKinds } from "./grammar.ts";

export type DowngradeRule = "openapi-3-2" | "openapi-3-2-annotation";
type Report = (rule: string, pointer: string, message: string) => void;

/** These fields affect requests or responses. */
const features: { readonly [K in Kind]?: readonly string[] } = {
  mediaType: ["prefixEncoding", "itemEncoding"],
  encoding: ["encoding", "prefixEncoding", "itemEncoding"],
};

/** These fields do not affect requests or responses. `*` means each item. */
const annotations: { readonly [K in Kind]?: readonly string[] } = {
  document: ["servers/*/name"],
  pathItem: ["servers/*/name"],
  operation: ["servers/*/name"],
  link: ["server/name"],
  mediaType: ["description"],
  response: ["summary"],
  example: ["serializedValue"],
  schema: ["xml/nodeType"],
  securityScheme: ["deprecated", "oauth2MetadataUrl", "flows/deviceAuthorization"],
};

/** These fields are read, and a document that has them stays 3.2. */
export const readFields: { readonly [K in Kind]?: readonly string[] } = {
  pathItem: ["query", "additionalOperations"],
  mediaType: ["itemSchema"],
};
const tagFields = ["summary", "parent", "kind"];

/** The name of `defaultMapping` in OpenAPI 3.1. */
export const defaultMapping31 = "x-defaultMapping";

const dialect = "https://spec.openapis.org/oas/3.1/dialect/base";

/** A copy without the parts that `downgrade` keeps, for tools that cannot read OpenAPI 3.2. */
export function asOpenApi31(document: JsonObject): JsonObject {
  const isKept = (parameter: Json): boolean =>
    valueAt(followed(document, parameter), "/in") !== "querystring";
  const withoutNewFields = (tag: Json): Json =>
    isObject(tag) ? mapEntries(tag, (key, value) => (tagFields.includes(key) ? undefined : value)) : tag;
  const image = mapKinds("document", document, (kind, _object, inside) =>
    mapEntries(inside(), (key, value) => {
      if (readFields[kind]?.includes(key)) return undefined;
      if (kind === "document" && key === "openapi") return "3.1.1";
      if (kind === "document" && key === "tags") return listOf(value).map(withoutNewFields);
      if (key !== "parameters" || !["components", "pathItem", "operation"].includes(kind)) return value;
      if (Array.isArray(value)) return value.filter(isKept);
      return isObject(value) ? mapEntries(value, (_, each) => (isKept(each) ? each : undefined)) : value;
    }),
  );
  return image as JsonObject;
}

/**
 * Changes the document in place. Parts that 3.1 cannot express are reported or noted, and removed, except for the operations,
 * parameters, streams and tag fields that the generator reads. References that use `$self`, and references to media
 * types, must be resolved before.
 * @param report is called before a part that affects requests or responses is removed
 * @param note is called before another part is removed
 */
export function downgrade(document: JsonObject, report: Report, note: Report): void {
  const hasNewTags = listOf(document.tags).some(
    (tag) => isObject(tag) && tagFields.some((field) => tag[field] !== undefined),
  );
  document.openapi = hasNewTags ? "3.2.0" : "3.1.1";
  const { $self: self } = document;
  delete document.$self;
  visitKinds("document", document, (kind, object, pointer) => {
    if (kind === "document" || kind === "operation") nameSchemes(object, document, self);
    if (kind === "response" && object.$ref === undefined && object.description === undefined) {
      object.description = object.summary ?? "";
      delete object.summary;
    }
    for (const key of ["jsonSchemaDialect", "$schema"])
      if (String(object[key]).startsWith("https://spec.openapis.org/oas/3.2/")) object[key] = dialect;
    if (kind === "schema" && isObject(object.discriminator)) {
      const { defaultMapping, ...others } = object.discriminator;
      if (defaultMapping !== undefined)
        object.discriminator = { ...others, [defaultMapping31]: defaultMapping };
    }
    if (kind === "example") useDataValue(object, pointer, note);
    if (kind === "parameter" && object.in === "querystring") document.openapi = "3.2.0";
    if (kind === "parameter" && object.style === "cookie") {
      const message = "`style: cookie` of OpenAPI 3.2 is not read; write `style: form`";
      report("openapi-3-2", pointerTo(pointer, "style"), message);
      delete object.style;
    }
    const remove = (tell: Report, rule: DowngradeRule, path: string, effect: string): void => {
      for (const place of placesAt(object, path)) {
        const key = tokensOf(place).at(-1) ?? "";
        tell(rule, pointer + place, `\`${key}\` of OpenAPI 3.2 is ${effect}`);
        delete (valueAt(object, place.slice(0, place.lastIndexOf("/"))) as JsonObject)[key];
      }
    };
    const reject = (path: string, effect: string): void => remove(report, "openapi-3-2", path, effect);
    if (
      kind === "mediaType" &&
      object.itemSchema !== undefined &&
      object.schema === undefined &&
      isSequentialResponse(pointer)
    )
      document.openapi = "3.2.0";
    else if (kind === "mediaType")
      reject(
        "itemSchema",
        "read only in responses that are streams, such as `text/event-stream`; use `schema`",
      );
    for (const key of kind === "pathItem" ? (readFields.pathItem ?? []) : []) {
      if (!/^\/paths\/[^/]+$/.test(pointer)) reject(key, "read only in `paths`; use a method such as `post`");
      if (key === "additionalOperations") removeUnknownMethods(object, pointer, report);
      if (object[key] !== undefined) document.openapi = "3.2.0";
    }
    for (const path of features[kind] ?? []) reject(path, "not read; remove it");
    for (const path of annotations[kind] ?? [])
      remove(
        note,
        "openapi-3-2-annotation",
        path,
        "left out of `openapi.json`; remove it, or waive this note in waivers.yaml",
      );
  });
}

/** Names the security schemes that a requirement states as URLs of this document (OpenAPI 3.2, Security Requirement Object). */
function nameSchemes({ security }: JsonObject, document: JsonObject, self: Json | undefined): void {
  const schemes = "/components/securitySchemes/";
  for (const alternative of listOf(security))
    for (const [url, roles] of entriesOf(alternative)) {
      const pointer = localPointer(url.startsWith(`${self}#`) ? url.slice(`${self}`.length) : url) ?? "";
      const isUrl = pointer.startsWith(schemes) && valueAt(document, pointer) !== undefined;
      if (!isUrl || valueAt(document, pointerTo("/components/securitySchemes", url)) !== undefined) continue;
      delete (alternative as JsonObject)[url];
      (alternative as JsonObject)[tokensOf(pointer).at(-1) ?? ""] = roles;
    }
}

/** True for a sequential media type of a response (OpenAPI 3.2, Sequential Media Types). */
function isSequentialResponse(pointer: string): boolean {
  const [content, mediaType = ""] = tokensOf(pointer).slice(-2);
  return (
    content === "content" &&
    /\/(?:responses|x-unmatched-responses)\/[^/]+\/content\/[^/]+$/.test(pointer) &&
    /^(?:text\/event-stream|application\/(?:jsonl|x-ndjson|(?:.+\+)?json-seq)|multipart\/(?!form-data).+)$/.test(
      essence(mediaType),
    )
  );
}

/** Node delivers CONNECT as an upgrade, not as a request. */
const additionalMethods = METHODS.filter((each) => !isMethod(each.toLowerCase()) && each !== "CONNECT");

function removeUnknownMethods(pathItem: JsonObject, pointer: string, report: Report): void {
  const { additionalOperations: operations } = pathItem;
  if (!isObject(operations)) return;
  for (const method of Object.keys(operations)) {
    if (additionalMethods.includes(method)) continue;
    const key = method.toLowerCase();
    const message =
      method !== key && isMethod(key)
        ? `this method has its own field; move the operation to \`${key}\``
        : additionalMethods.includes(method.toUpperCase())
          ? `methods are written in capital letters; write \`${method.toUpperCase()}\``
          : `a server cannot receive the method \`${method}\`, because Node's HTTP parser rejects it; use one of ${additionalMethods.join(", ")}`;
    report("openapi-3-2", pointerTo(pointer, "additionalOperations", method), message);
    delete operations[method];
  }
  if (Object.keys(operations).length === 0) delete pathItem.additionalOperations;
}

/** In 3.1, an example has only `value`, without other forms of the same example. */
function useDataValue(example: JsonObject, pointer: string, note: Report): void {
  const { value, externalValue, dataValue } = example;
  if (dataValue === undefined) return;
  if (externalValue !== undefined)
    note(
      "openapi-3-2-annotation",
      pointerTo(pointer, "externalValue"),
      "`externalValue` next to `dataValue` is left out of `openapi.json`; remove it, or waive this note",
    );
  if (value === undefined) example.value = dataValue;
  delete example.dataValue;
  delete example.externalValue;
}
