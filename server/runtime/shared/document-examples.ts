import {
  entriesOf,
  follow,
  isObject,
  type Json,
  listOf,
  pointerTo,
  referredValue,
  valueAt,
} from "./document.ts";

interface Example {
  readonly name: string;
  readonly value: Json;
  readonly summary: string | undefined;
}

const onlyExample = "example";

/**
 * The named examples of a media type, header or parameter. If it has none, its `example` or its schema's first
 * example.
 */
export function examplesAt(document: unknown, pointer: string): Example[] {
  const named = namedExamples(document, pointer);
  if (named.length > 0) return named;
  const schema = valueAt(document, pointerTo(pointer, "schema")) ?? {};
  const value = valueAt(document, pointerTo(pointer, "example")) ?? exampleOfSchema(document, schema);
  return value === undefined ? [] : [{ name: onlyExample, value, summary: undefined }];
}

/** The values that are declared as examples, including all `examples` of the schema. */
export function declaredExamples(document: unknown, pointer: string): Example[] {
  const named = namedExamples(document, pointer);
  if (named.length > 0) return named;
  const schema = valueAt(document, pointerTo(pointer, "schema")) ?? {};
  const own = valueAt(document, pointerTo(pointer, "example")) ?? schemaKeyword(document, schema, "example");
  const values = own === undefined ? listOf(schemaKeyword(document, schema, "examples")) : [own];
  return values.map((value, index) => ({ name: `example ${index + 1}`, value, summary: undefined }));
}

function namedExamples(document: unknown, pointer: string): Example[] {
  return entriesOf(valueAt(document, pointerTo(pointer, "examples"))).flatMap(([name]) => {
    const example = follow(document, pointerTo(pointer, "examples", name)).value;
    if (!isObject(example) || example.value === undefined) return [];
    const { value, summary } = example;
    return [{ name, value, summary: typeof summary === "string" ? summary : undefined }];
  });
}

/** The first example value of a schema, or of the schema that it refers to. */
export function exampleOfSchema(document: unknown, schema: Json): Json | undefined {
  const keyword = (name: string): Json | undefined => schemaKeyword(document, schema, name);
  const first = (list: Json | undefined): Json | undefined => (Array.isArray(list) ? list[0] : undefined);
  return (
    first(keyword("examples")) ??
    keyword("example") ??
    keyword("const") ??
    keyword("default") ??
    first(keyword("enum"))
  );
}

/**
 * A keyword of a schema, or of the schema that it refers to. `allOf` is not searched: an example there may be
 * incomplete.
 */
function schemaKeyword(document: unknown, schema: Json, keyword: string): Json | undefined {
  const seen = new Set<Json>();
  let at: Json | undefined = schema;
  while (isObject(at) && at[keyword] === undefined && !seen.has(at)) {
    seen.add(at);
    at = referredValue(document, at);
  }
  return isObject(at) ? at[keyword] : undefined;
}
