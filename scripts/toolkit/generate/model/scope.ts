/** The document, the names and the reports, which all readers of a spec share. */
import { type JsonObject, pointerTo } from "../../openapi/document.ts";
import type { LoadedSpec } from "../../openapi/load.ts";
import type { ModelRule } from "../model.ts";
import type { NamedSchema } from "../sensitive.ts";
import { Names } from "./names.ts";

export class ModelScope {
  readonly document: JsonObject;
  readonly names: Names;
  readonly sensitive = new Set<string>();
  /** Schemas in which `x-sensitive` may mark secrets. */
  readonly named: NamedSchema[] = [];
  readonly #spec: LoadedSpec;

  constructor(spec: LoadedSpec) {
    this.#spec = spec;
    this.document = spec.document;
    this.names = new Names(spec.document);
  }

  report(rule: ModelRule, pointer: string, message: string): undefined {
    this.#spec.report(rule, pointer, message);
  }

  note(rule: ModelRule, pointer: string, message: string): void {
    this.#spec.note(rule, pointer, message);
  }

  reportReserved(pointer: string, value: JsonObject): void {
    if (value.allowReserved === true)
      this.report(
        "allow-reserved",
        pointerTo(pointer, "allowReserved"),
        "`allowReserved` is not supported, because `&`, `+`, `#` and separators must be percent-encoded; remove it",
      );
  }
}
