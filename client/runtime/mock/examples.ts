import {
  entriesOf,
  follow,
  isObject,
  type Json,
  pointerTo,
  valueAt,
} from "../../../server/runtime/shared/document.ts";
import { examplesAt } from "../../../server/runtime/shared/document-examples.ts";
import { essence, isJson } from "../../../server/runtime/shared/media-type.ts";

export interface ResponseExamples {
  /** The response's key in the document: its status, its class such as `4XX`, or `default`. */
  readonly key: string;
  readonly headers: Readonly<Record<string, string | number>>;
  /** Example bodies, keyed by name, in the order of the document. Empty if the response has no body. */
  readonly bodies: ReadonlyMap<string, Json>;
}

export interface OperationExamples {
  readonly requestBodies: ReadonlyMap<string, Json>;
  /** Keyed as in the document. */
  readonly responses: { readonly [key: string]: ResponseExamples };
}

/** @param document OpenAPI 3.1, with local references only */
export function examplesOf<Id extends string>(
  document: unknown,
  operations: Readonly<Record<Id, { readonly method: string; readonly path: string }>>,
): ReadonlyMap<string, OperationExamples> {
  return new Map(
    Object.entries<{ method: string; path: string }>(operations).map(([id, { method, path }]) => {
      const item = pointerTo("/paths", path);
      const own = pointerTo(item, method.toLowerCase());
      const isOwn = valueAt(document, own) !== undefined;
      const operation = isOwn ? own : pointerTo(item, "additionalOperations", method);
      const { pointer } = follow(document, pointerTo(operation, "requestBody"));
      const responses = responseExamples(document, pointerTo(operation, "responses"));
      return [id, { requestBodies: bodiesAt(document, pointer), responses }];
    }),
  );
}

/** @param responses a JSON pointer to a `responses` object */
function responseExamples(document: unknown, responses: string): OperationExamples["responses"] {
  const found: Record<string, ResponseExamples> = {};
  for (const [status] of entriesOf(valueAt(document, responses))) {
    if (!/^(\d{3}|\dXX|default)$/.test(status)) continue;
    const { pointer, value: response } = follow(document, pointerTo(responses, status));
    if (!isObject(response)) continue;
    const headers: Record<string, string | number> = {};
    for (const [name] of entriesOf(response.headers)) {
      // Each response has a new id instead of the example.
      if (name.toLowerCase() === "x-request-id") continue;
      const header = follow(document, pointerTo(pointer, "headers", name));
      const [example] = examplesAt(document, header.pointer);
      const value = example?.value;
      // A header cannot contain other characters (RFC 9110, section 5.5).
      if (typeof value === "number" || (typeof value === "string" && /^[\t\x20-\x7e]*$/.test(value)))
        headers[name] = value;
    }
    found[status] = { key: status, headers, bodies: bodiesAt(document, pointer) };
  }
  return found;
}

/** Returns the examples of a request or response: those of its JSON media type, else those of its first media type. */
function bodiesAt(document: unknown, message: string): ReadonlyMap<string, Json> {
  const content = pointerTo(message, "content");
  const mediaTypes = entriesOf(valueAt(document, content)).map(([mediaType]) => mediaType);
  const mediaType = mediaTypes.find(isJson) ?? mediaTypes[0];
  if (mediaType === undefined) return new Map();
  const place = pointerTo(content, mediaType);
  const hasItems = valueAt(document, pointerTo(place, "itemSchema")) !== undefined;
  return new Map(
    examplesAt(document, place).map(({ name, value }) => [
      name,
      hasItems && typeof value !== "string" ? streamOf(mediaType, value) : value,
    ]),
  );
}

/** Writes a list of items as the body of a stream. */
export function streamOf(mediaType: string, items: Json): string {
  const texts = [items].flat().map((item) => {
    if (essence(mediaType) !== "text/event-stream")
      return `${/json-seq/.test(mediaType) ? "\x1e" : ""}${JSON.stringify(item)}\n`;
    const fields = entriesOf(item).flatMap(([name, value]) =>
      String(value)
        .split("\n")
        .map((line) => `${name}: ${line}\n`),
    );
    return `${fields.join("")}\n`;
  });
  return texts.join("");
}
