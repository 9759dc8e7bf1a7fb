type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

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
  const { at, examplesAt, bodiesOf } = readerOf(document);
  const missing: string[] = [];
  const found = new Map<string, OperationExamples>();
  for (const [id, { method, path }] of Object.entries<{ method: string; path: string }>(operations)) {
    const item = at(document, "paths", path);
    const operation = at(item, method.toLowerCase());
    const report = (status: string, what: string, where: string): void => {
      missing.push(`${id} ${status}: ${what} has no example. Add one ${where}`);
    };
    const parameters = [item, operation].flatMap((holder) =>
      entriesOf(at(holder, "parameters")).flatMap(([, each]) => {
        const parameter = at(each);
        const [[, value] = []] = examplesAt(parameter);
        return value === undefined
          ? []
          : [{ in: String(at(parameter, "in")), name: String(at(parameter, "name")), value }];
      }),
    );
    const responses = responseExamples(document, at(operation, "responses"), report);
    found.set(id, { contents: bodiesOf(at(operation, "requestBody")), parameters, responses });
  }
  if (missing.length > 0) throw new MissingExamplesError(missing.join("\n"));
  return found;
}

export function responseExamples(
  document: unknown,
  responses: unknown,
  report: (status: string, what: string, where: string) => void = () => {},
): ReadonlyMap<number, ResponseExamples> {
  const { at, examplesAt, bodiesOf } = readerOf(document);
  const found = new Map<number, ResponseExamples>();
  for (const [status, response] of entriesOf(responses)) {
    if (!/^\d{3}$/.test(status)) continue;
    const headers: Record<string, string | number> = {};
    for (const [name, header] of entriesOf(at(response, "headers"))) {
      if (name.toLowerCase() === setForEachResponse) continue;
      const [[, value] = []] = examplesAt(at(header));
      if (typeof value === "string" || typeof value === "number") headers[name] = value;
      else if (at(header, "required") === true)
        report(status, `header ${name}`, "to its schema, as `examples: [...]`");
    }
    const bodies = bodiesOf(at(response));
    if (bodies.size === 0 && entriesOf(at(response, "content")).length > 0)
      report(status, "the body", "under `examples`");
    found.set(Number(status), { headers, bodies });
  }
  return found;
}

function readerOf(document: unknown) {
  /** Follows references. */
  const at = (value: unknown, ...keys: readonly string[]): unknown => {
    const target = referenceIn(value);
    if (target !== undefined) return at(document, ...target, ...keys);
    const [key, ...more] = keys;
    return key === undefined ? value : at(new Map(entriesOf(value)).get(key), ...more);
  };
  /** The examples of a media type, a header or a parameter, by name. Without any, those of its schema. */
  const examplesAt = (holder: unknown): (readonly [name: string, value: Json])[] => {
    const named = entriesOf(at(holder, "examples")).map(([name, each]) => [name, at(each, "value")] as const);
    const schema = at(holder, "schema");
    const [first] = [
      at(holder, "example"),
      at(schema, "examples", "0"),
      at(schema, "example"),
      at(schema, "const"),
      at(schema, "default"),
      at(schema, "enum", "0"),
    ].filter((value) => value !== undefined);
    const found = named.length > 0 ? named : [["example", first] as const];
    return found.filter((each): each is readonly [string, Json] => each[1] !== undefined);
  };
  /** Reads the first media type of a request or a response. */
  const bodiesOf = (message: unknown): ReadonlyMap<string, Json> => {
    const [[, media] = []] = entriesOf(at(message, "content"));
    return new Map(examplesAt(media));
  };
  return { at, examplesAt, bodiesOf };
}

function entriesOf(value: unknown): [string, unknown][] {
  return typeof value === "object" && value !== null ? Object.entries(value) : [];
}

/** The keys of a local reference (RFC 6901), if the value is one. */
function referenceIn(value: unknown): string[] | undefined {
  const reference = typeof value === "object" && value !== null && "$ref" in value ? value.$ref : undefined;
  if (typeof reference !== "string") return undefined;
  const keys = decodeURIComponent(reference).split("/").slice(1);
  return keys.map((key) => key.replaceAll("~1", "/").replaceAll("~0", "~"));
}
