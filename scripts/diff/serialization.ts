/** The parameters and headers of one document, and how each is serialized. */
import { entriesOf, valueAt, valueTypes } from "../openapi/document.ts";
import { placeBelow, type SchemaPlace } from "../openapi/schema-view.ts";
import { factsOf, kindsOf, resolved } from "./facts.ts";

/** OpenAPI 3.1, Parameter Object. */
const defaultStyles: { readonly [location: string]: string } = {
  path: "simple",
  query: "form",
  header: "simple",
  cookie: "form",
};
/** OpenAPI 3.1, Parameter Object: definitions of these are ignored. */
const ignoredHeaders = new Set(["accept", "content-type", "authorization"]);

/** @param renamed the newer names of path parameters */
export function parametersOf(
  item: SchemaPlace,
  operation: SchemaPlace,
  renamed: ReadonlyMap<string, string> = new Map(),
): Map<string, SchemaPlace> {
  const parameters = new Map<string, SchemaPlace>();
  for (const holder of [item, operation]) {
    const list = placeBelow(holder, "parameters");
    if (!Array.isArray(list.value)) continue;
    for (const index of list.value.keys()) {
      const at = resolved(placeBelow(list, index));
      const [name, location] = [valueAt(at.value, "/name"), valueAt(at.value, "/in")];
      if (typeof name !== "string" || typeof location !== "string") continue;
      if (location === "header" && ignoredHeaders.has(name.toLowerCase())) continue;
      const known =
        location === "header" ? name.toLowerCase() : location === "path" ? (renamed.get(name) ?? name) : name;
      parameters.set(`${location} ${known}`, at);
    }
  }
  return parameters;
}

export function headersOf(headers: SchemaPlace): Map<string, SchemaPlace> {
  return new Map(
    entriesOf(headers.value)
      .filter(([name]) => name.toLowerCase() !== "content-type")
      .map(([name]) => [name.toLowerCase(), resolved(placeBelow(headers, name))]),
  );
}

interface SerializationStyle {
  readonly style: string;
  /** Undefined where it makes no difference: of a single value, in styles without the name. */
  readonly explode: boolean | undefined;
}

export function styleOf(at: SchemaPlace): SerializationStyle {
  const location = String(valueAt(at.value, "/in") ?? "header");
  const style = String(valueAt(at.value, "/style") ?? defaultStyles[location] ?? "simple");
  const kinds = kindsOf(factsOf(placeBelow(at, "schema")));
  const isScalar = !kinds.includes("array") && !kinds.includes("object");
  if (isScalar && ["form", "simple", "label"].includes(style)) return { style, explode: undefined };
  return { style, explode: (valueAt(at.value, "/explode") ?? style === "form") === true };
}

export function isOnlyObject(at: SchemaPlace): boolean {
  const kinds = kindsOf(factsOf(placeBelow(at, "schema")));
  return kinds.length === 1 && kinds[0] === "object";
}

export function isAnything(at: SchemaPlace): boolean {
  return (
    valueAt(at.value, "/content") === undefined &&
    kindsOf(factsOf(placeBelow(at, "schema"))).length === valueTypes.length
  );
}

export function shownStyle({ style, explode }: SerializationStyle): string {
  return explode === undefined ? style : `${style}, explode ${explode}`;
}
