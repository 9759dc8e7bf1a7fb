/** The error codes of a document: a list of texts whose meanings the spec tells, and where answers have them. */
import {
  entriesOf,
  isObject,
  type Json,
  type JsonObject,
  localPointer,
  pointerTo,
  valueAt,
} from "../document.ts";
import { examplesAt } from "../examples.ts";
import type { Response } from "../model.ts";

export interface Code {
  readonly code: string;
  /** CommonMark. */
  readonly meaning: string;
}

export class Codes {
  readonly all: readonly Code[];
  readonly #document: JsonObject;
  readonly #places = new Map<string, string[]>();

  constructor(document: JsonObject) {
    this.#document = document;
    this.all = entriesOf(valueAt(document, "/components/schemas")).flatMap(([, schema]) =>
      hasMeanings(schema)
        ? entriesOf(schema["x-enumDescriptions"]).map(([code, meaning]) => ({
            code,
            meaning: String(meaning),
          }))
        : [],
    );
  }

  /**
   * Those that the examples of a response have, in the order of the spec.
   *
   * @param pointer of the Response Object
   */
  of(pointer: string, { mediaTypes }: Response): Code[] {
    const found = new Set<Json | undefined>();
    for (const { mediaType, schema } of mediaTypes) {
      const places = schema === undefined ? [] : this.#placesIn(schema.pointer);
      for (const { value } of examplesAt(this.#document, pointerTo(pointer, "content", mediaType)))
        for (const place of places) found.add(valueAt(value, place));
    }
    return this.all.filter(({ code }) => found.has(code));
  }

  /** The pointers at which values of a schema have a code. */
  #placesIn(schema: string): string[] {
    const known = this.#places.get(schema);
    if (known !== undefined) return known;
    const places: string[] = [];
    const seen = new Set<Json>();
    const visit = (part: Json | undefined, place: string): void => {
      if (!isObject(part) || seen.has(part)) return;
      seen.add(part);
      if (hasMeanings(part)) places.push(place);
      const target = typeof part.$ref === "string" ? localPointer(part.$ref) : undefined;
      if (target !== undefined) visit(valueAt(this.#document, target), place);
      for (const choices of [part.allOf, part.oneOf, part.anyOf])
        for (const choice of Array.isArray(choices) ? choices : []) visit(choice, place);
      for (const [name, property] of entriesOf(part.properties)) visit(property, pointerTo(place, name));
    };
    if (this.all.length > 0) visit(valueAt(this.#document, schema), "");
    this.#places.set(schema, places);
    return places;
  }
}

/** `x-enumDescriptions`, as Redocly reads it, says by value what an `enum` means. */
function hasMeanings(schema: Json): schema is JsonObject {
  return isObject(schema) && Array.isArray(schema.enum) && isObject(schema["x-enumDescriptions"]);
}
