/** What reading any part of a spec needs: the document, the names given so far, and where to tell of what cannot be kept. */
import { type JsonObject, pointerTo } from "../../openapi/document.ts";
import type { LoadedSpec } from "../../openapi/load.ts";
import type { ModelRule } from "../model.ts";
import type { NamedSchema } from "../sensitive.ts";
import { Names } from "./names.ts";

export class Scope {
  readonly document: JsonObject;
  readonly names: Names;
  /** Names of secrets that parameters, headers and credentials have. */
  readonly sensitive = new Set<string>();
  /** Schemas that may say of themselves, or of what is within, that it is a secret. */
  readonly named: NamedSchema[] = [];
  readonly #spec: LoadedSpec;

  constructor(spec: LoadedSpec) {
    this.#spec = spec;
    this.document = spec.document;
    this.names = new Names(spec.document);
  }

  refuse(rule: ModelRule, pointer: string, message: string): undefined {
    this.#spec.report(rule, pointer, message);
  }

  /** What a schema or a percent sign says already, and what a server could only guess at. */
  refuseIgnored(pointer: string, value: JsonObject): void {
    if (value.allowEmptyValue === true)
      this.refuse(
        "allow-empty-value",
        pointerTo(pointer, "allowEmptyValue"),
        "whether a value may be empty is for the schema to say; remove this, and let the schema admit an empty text",
      );
    if (value.allowReserved === true)
      this.refuse(
        "allow-reserved",
        pointerTo(pointer, "allowReserved"),
        "`&`, `+`, `#` and what separates parts cannot be told from text unless they are percent-encoded; remove this, for all other characters are read either way",
      );
  }
}
