/** Types of requests as handlers receive them: properties with defaults are always present. */
import {
  entriesOf,
  followed,
  isObject,
  type Json,
  type JsonObject,
  listOf,
  localPointer,
  mapEntries,
  pointerTo,
  tokensOf,
  valueAt,
} from "../openapi/document.ts";
import { type Kind, mapKinds, operationsIn, schemasWith } from "../openapi/grammar.ts";
import { keywordOf, viewOf } from "../openapi/schema/schema-view.ts";
import type { Model } from "./model.ts";

export class HandlerRequests {
  readonly schemas = new Map<string, Json>();
  readonly #document: JsonObject;
  readonly #holdsFilledIn: (pointer: string) => boolean;
  readonly #pending: { name: string; pointer: string }[] = [];
  /** The parameters that the server reads, keyed by operation. */
  readonly #read: ReadonlyMap<string, ReadonlySet<string>>;

  constructor(document: JsonObject, model?: Model) {
    this.#document = document;
    this.#holdsFilledIn = schemasWith(document, (schema) =>
      this.#filledIn(schema).some((name) => !listOf(schema.required).includes(name)),
    );
    this.#read = new Map(
      model?.operations.map(({ id, parameters }) => [
        id,
        new Set(parameters.map((parameter) => `${parameter.in} ${parameter.name}`)),
      ]),
    );
  }

  /** The operations whose requests have another type for handlers than for callers, keyed by id. Responses are left out. */
  operations(): [string, JsonObject][] {
    const operations = this.#differingOperations();
    for (let next = this.#pending.pop(); next; next = this.#pending.pop())
      this.schemas.set(
        next.name,
        this.#withDefaults("schema", valueAt(this.#document, next.pointer) ?? true),
      );
    return operations;
  }

  #differingOperations(): [string, JsonObject][] {
    return entriesOf(this.#document.paths).flatMap(([, item]) => {
      if (!isObject(item)) return [];
      return operationsIn(item).flatMap(({ operation }): [string, JsonObject][] => {
        if (typeof operation.operationId !== "string") return [];
        const sent = [...listOf(item.parameters), ...listOf(operation.parameters)];
        const read = this.#read.get(operation.operationId);
        const parameters = sent
          .filter((parameter) => read?.has(this.#identityOf(parameter)) ?? true)
          .map((parameter) => this.#received("parameter", parameter));
        const requestBody = operation.requestBody && this.#received("requestBody", operation.requestBody);
        const differs =
          requestBody !== operation.requestBody ||
          parameters.length < sent.length ||
          parameters.some((parameter) => this.#isOptionalQuerystring(parameter)) ||
          parameters.some((parameter, index) => parameter !== sent[index]);
        if (!differs) return [];
        const last = new Map(parameters.map((parameter) => [this.#identityOf(parameter), parameter]));
        return [
          [
            operation.operationId,
            { parameters: [...last.values()], ...(requestBody !== undefined && { requestBody }) },
          ],
        ];
      });
    });
  }

  /** If such a query is absent, handlers get undefined. */
  #isOptionalQuerystring(parameter: Json): boolean {
    const value = followed(this.#document, parameter);
    return isObject(value) && value.in === "querystring" && value.required !== true;
  }

  #identityOf(parameter: Json): string {
    const value = followed(this.#document, parameter);
    return isObject(value) ? `${value.in} ${value.name}` : "";
  }

  /** A parameter or a request body, which is required if it has a default. */
  #received(kind: "parameter" | "requestBody", holder: Json): Json {
    const value = followed(this.#document, holder);
    if (!isObject(value)) return holder;
    const media = entriesOf(value.content).map(([, each]) => each);
    const hasDefault = [value, ...media].some((each) => this.#isFilledIn(valueAt(each, "/schema")));
    const image = this.#withDefaults(kind, value);
    if (value.required !== true && hasDefault) return { ...(image as JsonObject), required: true };
    return image === value ? holder : image;
  }

  #isFilledIn(schema: Json | undefined): boolean {
    return keywordOf(viewOf(this.#document, schema), "default") !== undefined;
  }

  /** Requires properties with defaults. Returns the value itself if it has none. */
  #withDefaults(kind: Kind, value: Json): Json {
    return mapKinds(kind, value, (each, object, inside) => {
      if (each === "encoding") return object;
      if (each !== "schema") return inside();
      const image = mapEntries(inside(), (key, part) =>
        key === "$ref" && typeof part === "string" ? this.#reference(part) : part,
      );
      const filledIn = this.#filledIn(object);
      if (filledIn.length === 0) return image;
      const required = [...new Set([...listOf(image.required), ...filledIn])];
      return required.length === listOf(image.required).length ? image : { ...image, required };
    });
  }

  #filledIn(schema: JsonObject): string[] {
    return entriesOf(schema.properties).flatMap(([name, part]) => (this.#isFilledIn(part) ? [name] : []));
  }

  #reference(reference: string): string {
    const pointer = localPointer(reference);
    if (pointer === undefined || !this.#holdsFilledIn(pointer)) return reference;
    const name = tokensOf(pointer).slice(2).join("/");
    if (!this.schemas.has(name)) {
      this.schemas.set(name, true);
      this.#pending.push({ name, pointer });
    }
    return `#${pointerTo("/received/schemas", name)}`;
  }
}
