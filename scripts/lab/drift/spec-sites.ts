import { isObject, type Json, type JsonObject, pointerTo, referenceTarget } from "../../openapi/document.ts";
import { visitKinds } from "../../openapi/grammar.ts";

export interface Site<Value extends Json = JsonObject> {
  readonly pointer: string;
  readonly value: Value;
}

/** Lists of objects; for maps such as `responses`, the whole map. */
export interface SpecSites {
  /** Without references. */
  readonly schemas: Site[];
  readonly operations: Site[];
  readonly responses: Site[];
  readonly headers: Site[];
  readonly examples: Site[];
  readonly contents: Site[];
  readonly parameters: Site[];
}

const maps = {
  responses: "responses",
  "x-unmatched-responses": "responses",
  headers: "headers",
  content: "contents",
  examples: "examples",
} as const;

export function sitesOf(document: Json): SpecSites {
  const sites: SpecSites = {
    ...{ schemas: [], operations: [], responses: [], headers: [] },
    ...{ examples: [], contents: [], parameters: [] },
  };
  visitKinds("document", document, (kind, value, pointer) => {
    if (kind === "schema" && referenceTarget(value) === undefined) sites.schemas.push({ pointer, value });
    if (kind === "operation") sites.operations.push({ pointer, value });
    if (kind === "parameter" && !pointer.startsWith("/components/"))
      sites.parameters.push({ pointer, value });
    if (kind === "schema" || kind === "components") return;
    for (const [key, list] of Object.entries(maps)) {
      const map = value[key];
      if (isObject(map)) sites[list].push({ pointer: pointerTo(pointer, key), value: map });
    }
  });
  return sites;
}
