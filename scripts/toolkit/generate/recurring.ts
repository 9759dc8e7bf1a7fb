/**
 * Finds schemas that contain themselves without an object in between, such as a list of itself. They need a type
 * alias.
 */
import { unique } from "../json-schema/code.ts";
import {
  entriesOf,
  isObject,
  type Json,
  type JsonObject,
  pointerTo,
  referredValue,
  valueAt,
} from "../openapi/document.ts";
import { subschemas } from "../openapi/schema/keywords.ts";

interface Alias {
  readonly name: string;
  readonly way: readonly [holder: string, section: "schemas", name: string];
}

/** The keywords whose subschemas are part of the type. */
const typed = new Set(["allOf", "anyOf", "oneOf", "prefixItems", "items"]);
const holders = ["components", "sent", "received"] as const;

/** @param document a document with `schemas` in `components`, `sent` and `received` */
export function recurringSchemas(document: JsonObject): ReadonlyMap<object, Alias> {
  const next = new Map<Json, readonly Json[]>();
  const nextOf = (schema: Json): readonly Json[] => {
    const known = next.get(schema) ?? referredWithoutObject(document, schema);
    next.set(schema, known);
    return known;
  };
  const aliases = new Map<object, Alias>();
  const taken = new Set<string>();
  for (const holder of holders)
    for (const [name, schema] of entriesOf(valueAt(document, pointerTo("", holder, "schemas")))) {
      if (!isObject(schema) || !isAmong(schema, nextOf)) continue;
      const alias = unique(
        `Recurring${holder === "components" ? "" : capital(holder)}${capital(name)}`,
        taken,
        "_",
      );
      aliases.set(schema, { name: alias, way: [holder, "schemas", name] });
    }
  return aliases;
}

function isAmong(schema: Json, nextOf: (schema: Json) => readonly Json[]): boolean {
  // The loop also visits schemas that are added to the Set while it runs.
  const after = new Set(nextOf(schema));
  for (const each of after) for (const further of nextOf(each)) after.add(further);
  return after.has(schema);
}

/** The targets of references in a schema that are not inside objects. */
function referredWithoutObject(document: JsonObject, schema: Json): Json[] {
  if (!isObject(schema)) return [];
  const referred = referredValue(document, schema);
  const within = subschemas(schema).flatMap(({ keyword, schema: part }) =>
    typed.has(keyword) ? referredWithoutObject(document, part) : [],
  );
  return referred === undefined ? within : [referred, ...within];
}

function capital(name: string): string {
  return `${name.charAt(0).toUpperCase()}${name.slice(1)}`.replaceAll(/\W/g, "_");
}
