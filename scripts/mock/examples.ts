/** The examples of a document, by operation: what a mock answers, and what a caller may send. */
import { entriesOf, follow, isObject, type Json, pointerTo, valueAt } from "../generate/document.ts";
import { examplesAt } from "../generate/examples.ts";

export interface ResponseExamples {
  readonly headers: Readonly<Record<string, string | number>>;
  /** Bodies by name, in the order of the spec. Empty where the response has no content. */
  readonly bodies: ReadonlyMap<string, Json>;
}

export interface OperationExamples {
  /** Contents by name. */
  readonly contents: ReadonlyMap<string, Json>;
  readonly parameters: readonly { readonly in: string; readonly name: string; readonly value: Json }[];
  /** By status. */
  readonly responses: ReadonlyMap<number, ResponseExamples>;
}

/** The spec lacks examples that a mock needs. The message has a line for each, with the remedy. */
export class MissingExamplesError extends Error {
  override readonly name = "MissingExamplesError";
}

/** Every answer has its own; an example would be the same for all. */
const setForEachAnswer = "x-request-id";

/**
 * @param document OpenAPI 3.1, with local references only
 * @param operations method and path of each
 * @throws MissingExamplesError
 */
export function examplesOf<Id extends string>(
  document: unknown,
  operations: Readonly<Record<Id, { readonly method: string; readonly path: string }>>,
): ReadonlyMap<string, OperationExamples> {
  const missing: string[] = [];
  const found = new Map<string, OperationExamples>();
  for (const [id, { method, path }] of Object.entries<{ method: string; path: string }>(operations)) {
    const item = follow(document, pointerTo("/paths", path)).pointer;
    const operation = pointerTo(item, method.toLowerCase());
    const responses = new Map<number, ResponseExamples>();
    for (const [status] of entriesOf(valueAt(document, pointerTo(operation, "responses")))) {
      if (!/^\d{3}$/.test(status)) continue;
      const report = (what: string, where: string): void => {
        missing.push(`${id} ${status}: ${what} has no example; add one ${where}`);
      };
      const response = follow(document, pointerTo(operation, "responses", status)).pointer;
      responses.set(Number(status), {
        headers: headersOf(document, response, report),
        bodies: bodiesOf(document, response, report),
      });
    }
    found.set(id, {
      contents: contentsOf(document, follow(document, pointerTo(operation, "requestBody")).pointer),
      parameters: parametersOf(document, [pointerTo(item, "parameters"), pointerTo(operation, "parameters")]),
      responses,
    });
  }
  if (missing.length > 0) throw new MissingExamplesError(missing.join("\n"));
  return found;
}

type Report = (what: string, where: string) => void;

function headersOf(document: unknown, response: string, report: Report): ResponseExamples["headers"] {
  const headers: Record<string, string | number> = {};
  for (const [name] of entriesOf(valueAt(document, pointerTo(response, "headers")))) {
    const { pointer, value: header } = follow(document, pointerTo(response, "headers", name));
    if (name.toLowerCase() === setForEachAnswer) continue;
    const value = examplesAt(document, pointer)[0]?.value;
    if (typeof value === "string" || typeof value === "number") headers[name] = value;
    else if (isObject(header) && header.required === true)
      report(`header ${name}`, "to its schema, as `examples: [...]`");
  }
  return headers;
}

function bodiesOf(document: unknown, response: string, report: Report): ResponseExamples["bodies"] {
  const bodies = contentsOf(document, response);
  if (bodies.size === 0 && entriesOf(valueAt(document, pointerTo(response, "content"))).length > 0)
    report("the content", "under `examples`");
  return bodies;
}

/** The examples of the first media type of a request or a response. */
function contentsOf(document: unknown, message: string): ReadonlyMap<string, Json> {
  const content = pointerTo(message, "content");
  const [[mediaType] = []] = entriesOf(valueAt(document, content));
  const examples = mediaType === undefined ? [] : examplesAt(document, pointerTo(content, mediaType));
  return new Map(examples.map(({ name, value }) => [name, value]));
}

function parametersOf(document: unknown, lists: readonly string[]): OperationExamples["parameters"] {
  return lists.flatMap((list) => {
    const parameters = valueAt(document, list);
    if (!Array.isArray(parameters)) return [];
    return parameters.flatMap((_, index) => {
      const { pointer, value } = follow(document, pointerTo(list, index));
      const example = examplesAt(document, pointer)[0]?.value;
      if (!isObject(value) || example === undefined) return [];
      return [{ in: String(value.in), name: String(value.name), value: example }];
    });
  });
}
