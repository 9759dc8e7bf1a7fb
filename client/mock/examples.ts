import {
  entriesOf,
  follow,
  isObject,
  itemPointers,
  type Json,
  pointerTo,
  valueAt,
} from "../../scripts/openapi/document.ts";
import { examplesAt } from "../../scripts/openapi/document-examples.ts";

export interface ResponseExamples {
  readonly headers: Readonly<Record<string, string | number>>;
  /** Bodies by name, in the order of the document. Empty if the response has no body. */
  readonly bodies: ReadonlyMap<string, Json>;
}

export interface OperationExamples {
  readonly contents: ReadonlyMap<string, Json>;
  readonly parameters: readonly { readonly in: string; readonly name: string; readonly value: Json }[];
  readonly responses: ReadonlyMap<number, ResponseExamples>;
}

/** The document lacks examples that a mock needs. The message says in one line for each how to add it. */
export class MissingExamplesError extends Error {
  override readonly name = "MissingExamplesError";
}

/** Every response gets a new id, so the document needs no example. */
const setForEachResponse = "x-request-id";

/**
 * @param document OpenAPI 3.1, with local references only
 * @throws MissingExamplesError
 */
export function examplesOf<Id extends string>(
  document: unknown,
  operations: Readonly<Record<Id, { readonly method: string; readonly path: string }>>,
): ReadonlyMap<string, OperationExamples> {
  const missing: string[] = [];
  const found = new Map<string, OperationExamples>();
  for (const [id, { method, path }] of Object.entries<{ method: string; path: string }>(operations)) {
    const item = pointerTo("/paths", path);
    const operation = pointerTo(item, method.toLowerCase());
    const parameters = [item, operation]
      .flatMap((holder) => itemPointers(document, pointerTo(holder, "parameters")))
      .flatMap((each) => {
        const { pointer, value: parameter } = follow(document, each);
        const [example] = examplesAt(document, pointer);
        if (example === undefined || !isObject(parameter)) return [];
        return [{ in: String(parameter.in), name: String(parameter.name), value: example.value }];
      });
    const responses = responseExamples(document, pointerTo(operation, "responses"), (status, what, where) => {
      missing.push(`${id} ${status}: ${what} has no example. Add one ${where}`);
    });
    const contents = bodiesAt(document, follow(document, pointerTo(operation, "requestBody")).pointer);
    found.set(id, { contents, parameters, responses });
  }
  if (missing.length > 0) throw new MissingExamplesError(missing.join("\n"));
  return found;
}

/** @param responses a JSON pointer to a `responses` object */
export function responseExamples(
  document: unknown,
  responses: string,
  report: (status: string, what: string, where: string) => void = () => {},
): ReadonlyMap<number, ResponseExamples> {
  const found = new Map<number, ResponseExamples>();
  for (const [status] of entriesOf(valueAt(document, responses))) {
    if (!/^\d{3}$/.test(status)) continue;
    const { pointer, value: response } = follow(document, pointerTo(responses, status));
    if (!isObject(response)) continue;
    const headers: Record<string, string | number> = {};
    for (const [name] of entriesOf(response.headers)) {
      if (name.toLowerCase() === setForEachResponse) continue;
      const header = follow(document, pointerTo(pointer, "headers", name));
      const [example] = examplesAt(document, header.pointer);
      if (typeof example?.value === "string" || typeof example?.value === "number")
        headers[name] = example.value;
      else if (valueAt(header.value, "/required") === true)
        report(status, `header ${name}`, "to its schema, as `examples: [...]`");
    }
    const bodies = bodiesAt(document, pointer);
    if (bodies.size === 0 && entriesOf(response.content).length > 0)
      report(status, "the body", "under `examples`");
    found.set(Number(status), { headers, bodies });
  }
  return found;
}

/** The examples of the first media type of a request or a response. */
function bodiesAt(document: unknown, message: string): ReadonlyMap<string, Json> {
  const content = pointerTo(message, "content");
  const [[mediaType] = []] = entriesOf(valueAt(document, content));
  if (mediaType === undefined) return new Map();
  return new Map(examplesAt(document, pointerTo(content, mediaType)).map(({ name, value }) => [name, value]));
}
