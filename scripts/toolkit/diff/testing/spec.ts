/** Makes a `Spec` from a document that a test writes as an object. */
import { Source } from "@redocly/openapi-core";
import type { JsonObject } from "../../openapi/document.ts";
import { locationOf } from "../../openapi/files.ts";
import { Origins } from "../../openapi/origins.ts";
import { upgrade } from "../../openapi/upgrade.ts";
import type { Spec } from "../spec.ts";

/** @param name the file name in reported places */
export function specOf(value: JsonObject, name: string): Spec {
  const document = structuredClone(value);
  const file = {
    path: name,
    shownPath: name,
    value,
    unsafeIntegers: [],
    source: new Source(name, JSON.stringify(value)),
  };
  const origins = new Origins(document, { file, pointer: "" });
  const isOpenApi30 = String(value.openapi).startsWith("3.0.");
  if (isOpenApi30) upgrade(document, origins, () => {});
  return {
    document,
    locate: (pointer) => locationOf(origins.of(pointer)),
    placeOf: (pointer) => origins.of(pointer),
    isOpenApi30,
  };
}
