import type { MediaContract, Problem, Writing } from "#specbind/contract";
import { pointerTo } from "../shared/pointer.ts";
import type { Parsed, Read } from "./json.ts";
import { encodingProblems, prefixFinder, rawPairs, readTexts } from "./pairs.ts";
import { formDecoded } from "./percent-encoding.ts";
import { arrayIn, objectOf } from "./shapes.ts";
import { readDeepObject, readStyled } from "./styles.ts";

/** The value of a body. Schema problems at the places of `problems` are ignored. */
export interface Decoded extends Parsed {
  /** Makes the handler's value from the value with defaults. Without it, the handler gets that value itself. */
  readonly withBytes?: (completed: unknown) => unknown;
}

export type Fields = NonNullable<MediaContract["fields"]>;

export function decodeForm(text: string, fields: Fields = {}): Decoded {
  const objects = Object.keys(fields).filter((name) => fields[name]?.style === "deepObject");
  const objectsOf = prefixFinder(objects);
  const texts = readTexts(rawPairs(text), objectsOf, formDecoded);
  const entries: [string, unknown][] = [];
  const problems = encodingProblems(text);
  const take = (name: string, read: Read | undefined): void => {
    if (read === undefined) return;
    if ("problem" in read) problems.push(problemOf(name, read.problem));
    else entries.push([name, read.value]);
  };
  for (const name of objects) take(name, readDeepObject(name, fields[name]?.type ?? "string", texts));
  for (const [name, own] of texts.byName) {
    if (objectsOf(name).length > 0) continue;
    const field = fieldOf(fields, name) ?? { type: ["string", { items: "string" }] };
    take(name, readField(name, field, own));
  }
  return { value: objectOf(entries), problems };
}

/** The media type of an array applies to its items. Each item is sent as a field (OpenAPI 3.1, Encoding Object). */
function readField(name: string, field: Writing, texts: readonly string[]): Read | undefined {
  const read = (own: readonly string[]): Read | undefined =>
    readStyled(name, field, field.style ?? "form", { texts: own, decode: formDecoded });
  if (field.mediaType === undefined || arrayIn(field.type) === undefined) return read(texts);
  const values: unknown[] = [];
  for (const text of texts) {
    const item = read([text]);
    if (item === undefined) continue;
    if ("problem" in item) return item;
    values.push(item.value);
  }
  return { value: values };
}

export function problemOf(field: string, message: string): Problem {
  return { pointer: pointerTo("", field), message };
}

export function fieldOf(fields: Fields, name: string): Writing | undefined {
  return Object.hasOwn(fields, name) ? fields[name] : undefined;
}
