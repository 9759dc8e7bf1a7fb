import { entriesOf, follow, isObject, type Json, pointerTo, schemaKeyword, valueAt } from "./document.ts";

interface Example {
  readonly name: string;
  readonly value: Json;
  readonly summary: string | undefined;
}

const onlyExample = "example";

/** The examples of a media type, header or parameter by name, or else the first of its schema. */
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

/** The first example value of a schema, or of the one that it refers to. */
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
