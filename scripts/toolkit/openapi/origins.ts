import { isObject, type Json, pointerTo, tokensOf } from "./document.ts";
import type { Place } from "./files.ts";

export class Origins {
  readonly #document: Json;
  readonly #known = new WeakMap<object, Place>();

  constructor(document: Json, place: Place) {
    this.#document = document;
    this.set(document, place);
  }

  /** Applies to the value and everything inside it. */
  set(value: Json | undefined, place: Place): void {
    if (typeof value === "object" && value !== null) this.#known.set(value, place);
  }

  of(pointer: string): Place {
    let value: unknown = this.#document;
    let place = this.#placeOf(value);
    if (place === undefined) throw new Error("a document must have an origin");
    for (const token of tokensOf(pointer)) {
      value = isObject(value) || Array.isArray(value) ? Reflect.get(value, token) : undefined;
      place = this.#placeOf(value) ?? { file: place.file, pointer: pointerTo(place.pointer, token) };
    }
    return place;
  }

  #placeOf(value: unknown): Place | undefined {
    return typeof value === "object" && value !== null ? this.#known.get(value) : undefined;
  }
}
