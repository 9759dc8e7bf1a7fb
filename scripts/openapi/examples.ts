/** The examples that a spec has for one place. */
import { entriesOf, follow, isObject, type Json, pointerTo, schemaKeyword, valueAt } from "./document.ts";

export interface Example {
  readonly name: string;
  readonly value: Json;
  readonly summary: string | undefined;
}

/** The name of an example that the spec gives none. */
const onlyExample = "example";

/** The examples of a media type, a header or a parameter, by name; else what its schema has to offer. */
export function examplesAt(document: unknown, pointer: string): Example[] {
  const named = entriesOf(valueAt(document, pointerTo(pointer, "examples"))).flatMap(([name]) => {
    const example = follow(document, pointerTo(pointer, "examples", name)).value;
    if (!isObject(example) || example.value === undefined) return [];
    const { value, summary } = example;
    return [{ name, value, summary: typeof summary === "string" ? summary : undefined }];
  });
  if (named.length > 0) return named;
  const schema = valueAt(document, pointerTo(pointer, "schema")) ?? {};
  const value = valueAt(document, pointerTo(pointer, "example")) ?? exampleOfSchema(document, schema);
  return value === undefined ? [] : [{ name: onlyExample, value, summary: undefined }];
}

/** The first value that a schema, or the one it refers to, names of its own; it need not be one that stands for others. */
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
