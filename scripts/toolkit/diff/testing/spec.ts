/** Makes a `Spec` from a document that a test writes as an object. */
import { Source } from "@redocly/openapi-core";
import { bundle } from "../../openapi/bundle.ts";
import type { JsonObject } from "../../openapi/document.ts";
import { locationOf, SpecFiles } from "../../openapi/files.ts";
import { upgrade } from "../../openapi/upgrade.ts";
import type { Spec } from "../spec.ts";

/** @param name the file name in reported places */
export async function specOf(value: JsonObject, name: string): Promise<Spec> {
  const source = new Source(name, JSON.stringify(value));
  const file = { path: name, shownPath: name, value, unsafeIntegers: [], source };
  const { document, origins } = await bundle(file, new SpecFiles());
  const isOpenApi30 = String(value.openapi).startsWith("3.0.");
  if (isOpenApi30) upgrade(document, origins, () => {});
  return {
    document,
    locate: (pointer) => locationOf(origins.of(pointer)),
    placeOf: (pointer) => origins.of(pointer),
    isOpenApi30,
  };
}

export async function specsOf(old: JsonObject, now: JsonObject): Promise<[old: Spec, now: Spec]> {
  return [await specOf(old, "old.json"), await specOf(now, "new.json")];
}
