/** The parameters and headers of one document, and how each is serialized. */
import { entriesOf, valueAt, valueTypes } from "../openapi/document.ts";
import { defaultStyles, isIgnored, isLocation, parametersAt } from "../openapi/parameters.ts";
import { placeBelow, type SchemaPlace } from "../openapi/schema/schema-view.ts";
import { factsOf, kindsOf } from "./facts.ts";

/** @param renamed maps older names of path parameters to newer ones */
export function parametersOf(
  item: SchemaPlace,
  operation: SchemaPlace,
  renamed: ReadonlyMap<string, string> = new Map(),
): Map<string, SchemaPlace> {
  const { document } = item;
  const declared = parametersAt(document, item.pointer, operation.pointer).filter((each) => !isIgnored(each));
  return new Map(
    declared.map(({ in: location, name, pointer, value }) => {
      // Callers do not send the name of a `querystring`.
      if (location === "querystring") return [location, { document, pointer, value }];
      const known = location === "path" ? (renamed.get(name) ?? name) : name;
      const key = `${location} ${location === "header" ? name.toLowerCase() : known}`;
      return [key, { document, pointer, value }];
    }),
  );
}

/** The headers, keyed by name. They may be references. */
export function headersOf(headers: SchemaPlace): Map<string, SchemaPlace> {
  return new Map(
    entriesOf(headers.value)
      .filter(([name]) => name.toLowerCase() !== "content-type")
      .map(([name]) => [name.toLowerCase(), placeBelow(headers, name)]),
  );
}

interface SerializationStyle {
  readonly style: string;
  /** Undefined if `explode` has no effect. An example is a single value in a style without the parameter's name. */
  readonly explode: boolean | undefined;
}

export function styleOf(at: SchemaPlace): SerializationStyle {
  const location = valueAt(at.value, "/in");
  const style = String(
    valueAt(at.value, "/style") ?? defaultStyles[isLocation(location) ? location : "header"],
  );
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
