import {
  entriesOf,
  follow,
  isObject,
  type Json,
  pointerTo,
  valueAt,
} from "../../scripts/openapi/document.ts";
import { examplesAt } from "../../scripts/openapi/document-examples.ts";
import { isJson } from "../../server/contract/media-type.ts";

export interface ResponseExamples {
  readonly headers: Readonly<Record<string, string | number>>;
  /** Example bodies, keyed by name, in the order of the document. Empty if the response has no body. */
  readonly bodies: ReadonlyMap<string, Json>;
}

export interface OperationExamples {
  readonly contents: ReadonlyMap<string, Json>;
  /** Keyed by status, by class such as `4XX`, or by `default`. */
  readonly responses: ReadonlyMap<string, ResponseExamples>;
}

/** @param document OpenAPI 3.1, with local references only */
export function examplesOf<Id extends string>(
  document: unknown,
  operations: Readonly<Record<Id, { readonly method: string; readonly path: string }>>,
): ReadonlyMap<string, OperationExamples> {
  return new Map(
    Object.entries<{ method: string; path: string }>(operations).map(([id, { method, path }]) => {
      const operation = pointerTo("/paths", path, method.toLowerCase());
      const { pointer } = follow(document, pointerTo(operation, "requestBody"));
      const responses = responseExamples(document, pointerTo(operation, "responses"));
      return [id, { contents: bodiesAt(document, pointer), responses }];
    }),
  );
}

/** @param responses a JSON pointer to a `responses` object */
export function responseExamples(
  document: unknown,
  responses: string,
): ReadonlyMap<string, ResponseExamples> {
  const found = new Map<string, ResponseExamples>();
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
    found.set(status, { headers, bodies: bodiesAt(document, pointer) });
  }
  return found;
}

/** Returns the examples of a request or response: those of its JSON media type, else those of its first media type. */
function bodiesAt(document: unknown, message: string): ReadonlyMap<string, Json> {
  const content = pointerTo(message, "content");
  const mediaTypes = entriesOf(valueAt(document, content)).map(([mediaType]) => mediaType);
  const mediaType = mediaTypes.find(isJson) ?? mediaTypes[0];
  if (mediaType === undefined) return new Map();
  return new Map(examplesAt(document, pointerTo(content, mediaType)).map(({ name, value }) => [name, value]));
}
