import { unique } from "../../json-schema/code.ts";
import type { SchemaUse } from "../../json-schema/compile.ts";
import {
  entriesOf,
  followBare,
  type Json,
  type JsonObject,
  pointerTo,
  tokensOf,
} from "../../openapi/document.ts";
import { methods, operationsIn, schemasWith } from "../../openapi/grammar.ts";

const operationIdForm = /^[A-Za-z][A-Za-z0-9_]*$/;
/** Names that a client has already. An operation named `then` would make the client a promise. */
const namesOfClient = [...methods.map((method) => method.toUpperCase()), "use", "eject", "then"];

interface Place {
  readonly pointer: string;
  readonly id: Json | undefined;
  /** Replaces an id that is missing or has no letters. */
  readonly words: string;
}

/** The ids, keyed by pointer. */
export function operationIds(document: JsonObject): ReadonlyMap<string, string> {
  const places = entriesOf(document.paths).flatMap(([path, item]) =>
    operationsIn(path.startsWith("x-") ? undefined : item).map(({ pointer, method, operation }) => ({
      pointer: pointerTo("/paths", path) + pointer,
      id: operation.operationId,
      method,
      words: `${method.toLowerCase()} ${path}`,
    })),
  );
  return idsOf(places, [...namesOfClient, ...places.map(({ method }) => method)]);
}

/** Ids of the spec that are unique identifiers are kept. */
export function idsOf(places: readonly Place[], reserved: readonly string[]): ReadonlyMap<string, string> {
  const ids = new Map<string, string>();
  const taken = new Set(reserved);
  for (const { pointer, id } of places) {
    if (typeof id !== "string" || !operationIdForm.test(id) || taken.has(id)) continue;
    ids.set(pointer, id);
    taken.add(id);
  }
  for (const { pointer, id, words } of places) {
    if (ids.has(pointer)) continue;
    const name = pascal(typeof id === "string" && /[A-Za-z0-9]/.test(id) ? id : words);
    ids.set(pointer, unique(name.charAt(0).toLowerCase() + name.slice(1), taken));
  }
  return ids;
}

/** Chooses the names of schemas and responses. Components keep their name if possible. */
export class Names {
  readonly uses: SchemaUse[] = [];
  readonly #document: JsonObject;
  readonly #byPlace = new Map<string, SchemaUse>();
  readonly #taken = new Set<string>();
  readonly #responses = new Map<string, string>();
  readonly #takenByResponses = new Set<string>();

  readonly #holdsBytes: (pointer: string) => boolean;

  constructor(document: JsonObject) {
    this.#document = document;
    this.#holdsBytes = schemasWith(document, ({ format }) => format === "binary");
  }

  use(pointer: string, use: SchemaUse["use"], fallback: string): SchemaUse {
    const target = followBare(this.#document, pointer).pointer;
    const known = this.#byPlace.get(`${use} ${target}`);
    if (known !== undefined) return known;
    const component = /^\/(?:components|sent)\/(?:schemas|headers|parameters)\/([^/]+)(?:\/schema)?$/.exec(
      target,
    )?.[1];
    const base = component === undefined ? fallback : pascal(component);
    const name = unique(this.#taken.has(base) ? `${base}As${pascal(use)}` : base, this.#taken);
    const created: SchemaUse = { name, pointer: target, use, type: this.#typeOf(target) };
    this.#byPlace.set(`${use} ${target}`, created);
    this.uses.push(created);
    return created;
  }

  /** Bytes are a Blob in types, but a text for validators. */
  #typeOf(pointer: string): string | undefined {
    const [holder = "", section, schema, ...rest] = tokensOf(pointer);
    const isNamed = section === "schemas" && schema !== undefined && rest.length === 0;
    if (!isNamed || this.#holdsBytes(pointer)) return undefined;
    return `${holder}["schemas"][${JSON.stringify(schema)}]`;
  }

  response(pointer: string, fallback: string): string {
    const known = this.#responses.get(pointer);
    if (known !== undefined) return known;
    const component = /^\/components\/responses\/([^/]+)$/.exec(pointer)?.[1];
    const name = unique(component === undefined ? fallback : pascal(component), this.#takenByResponses);
    this.#responses.set(pointer, name);
    return name;
  }
}

/** `shelf_id` and `X-Request-Id` become `ShelfId` and `XRequestId`. */
export function pascal(text: string): string {
  const words = text.split(/[^A-Za-z0-9]+/).filter((word) => word !== "");
  const joined = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join("");
  return /^[A-Za-z]/.test(joined) ? joined : `N${joined}`;
}
