/** The kinds of objects in an OpenAPI document, such as operations and schemas, and functions that visit them. */
import {
  entriesOf,
  isObject,
  type Json,
  type JsonObject,
  mapEntries,
  mapItems,
  pointerTo,
  referenceTarget,
  valueAt,
} from "./document.ts";
import { applicators } from "./schema/keywords.ts";

export type Kind =
  | "document"
  | "components"
  | "paths"
  | "pathItem"
  | "operation"
  | "parameter"
  | "requestBody"
  | "mediaType"
  | "encoding"
  | "response"
  | "header"
  | "schema"
  | "example"
  | "link"
  | "callback"
  | "securityScheme";

type KindField = readonly [Kind, "one" | "list" | "map"];
type KindFields = { readonly [field: string]: KindField };

const one = (kind: Kind): KindField => [kind, "one"];
const list = (kind: Kind): KindField => [kind, "list"];
const map = (kind: Kind): KindField => [kind, "map"];

/** The section of `components` for each kind. */
export const sections: { readonly [K in Kind]?: string } = {
  schema: "schemas",
  response: "responses",
  parameter: "parameters",
  example: "examples",
  requestBody: "requestBodies",
  header: "headers",
  securityScheme: "securitySchemes",
  link: "links",
  callback: "callbacks",
  pathItem: "pathItems",
};

export function mustPointInto(kind: Kind): string {
  return `this reference must begin with \`#/components/${sections[kind]}/\`; correct it`;
}

/** Names the component whose name is the last part of a reference without a target. */
export function componentNamed(document: unknown, reference: string): string | undefined {
  const name = reference.replace(/^.*[/#]/, "");
  const places = Object.values(sections).map((section) => pointerTo("/components", section, name));
  const meant = places.find((place) => name !== "" && valueAt(document, place) !== undefined);
  return meant && `did you mean \`#${meant}\`?`;
}

/** `query` exists since OpenAPI 3.2. */
export const methods = [
  "get",
  "put",
  "post",
  "delete",
  "options",
  "head",
  "patch",
  "trace",
  "query",
] as const;

export function isMethod(key: string): boolean {
  return methods.some((method) => method === key);
}

interface PlacedOperation {
  /** Relative to the path item. */
  readonly pointer: string;
  /** In capital letters, as requests contain it. */
  readonly method: string;
  readonly operation: JsonObject;
}

/** The operations of a path item. `additionalOperations` exists since OpenAPI 3.2. */
export function operationsIn(item: Json | undefined): PlacedOperation[] {
  return entriesOf(item).flatMap(([key, value]) => {
    const pointer = pointerTo("", key);
    if (isMethod(key))
      return isObject(value) ? [{ pointer, method: key.toUpperCase(), operation: value }] : [];
    return entriesOf(key === "additionalOperations" ? value : undefined).flatMap(([method, operation]) =>
      isObject(operation) ? [{ pointer: pointerTo(pointer, method), method, operation }] : [],
    );
  });
}

const described = { schema: one("schema"), content: map("mediaType"), examples: map("example") };

/** OpenAPI 3.1, section 4.8; JSON Schema 2020-12 core, section 10. */
const grammar: { readonly [K in Kind]: KindFields } = {
  document: {
    paths: one("paths"),
    webhooks: map("pathItem"),
    components: one("components"),
    "x-unmatched-responses": map("response"),
  },
  paths: {},
  components: {
    ...Object.fromEntries(Object.entries(sections).map(([kind, section]) => [section, map(kind as Kind)])),
    mediaTypes: map("mediaType"),
  },
  pathItem: {
    ...Object.fromEntries(methods.map((method) => [method, one("operation")])),
    additionalOperations: map("operation"),
    parameters: list("parameter"),
  },
  operation: {
    parameters: list("parameter"),
    requestBody: one("requestBody"),
    responses: map("response"),
    callbacks: map("callback"),
  },
  parameter: described,
  header: described,
  requestBody: { content: map("mediaType") },
  mediaType: {
    schema: one("schema"),
    itemSchema: one("schema"),
    examples: map("example"),
    encoding: map("encoding"),
  },
  encoding: { headers: map("header") },
  response: { headers: map("header"), content: map("mediaType"), links: map("link") },
  schema: Object.fromEntries(applicators.map(([keyword, form]) => [keyword, ["schema", form]])),
  example: {},
  link: {},
  callback: {},
  securityScheme: {},
};

function isExtension(key: string): boolean {
  return key.startsWith("x-");
}

/** In a Responses Object, names that begin with `x-` are extensions. In `components`, they are names. */
function isItem(kind: Kind, itemKind: Kind, name: string): boolean {
  return kind === "components" || itemKind !== "response" || !isExtension(name);
}

/** In a Paths Object and in a callback, all keys except extensions are paths. */
function fieldOf(kind: Kind, key: string): KindField | undefined {
  if (kind === "paths" || kind === "callback") return isExtension(key) ? undefined : one("pathItem");
  return Object.hasOwn(grammar[kind], key) ? grammar[kind][key] : undefined;
}

/** May change the object in place. The objects inside it are visited after the change. */
type VisitKind = (kind: Kind, object: JsonObject, pointer: string) => void;

/** Visits every object of a known kind, outer objects first. References are not followed. */
export function visitKinds(kind: Kind, value: Json | undefined, visit: VisitKind, pointer = ""): void {
  if (!isObject(value)) return;
  visit(kind, value, pointer);
  for (const [key, child] of Object.entries(value)) {
    const [childKind, form] = fieldOf(kind, key) ?? [];
    if (childKind === undefined) continue;
    const place = pointerTo(pointer, key);
    if (form === "one") visitKinds(childKind, child, visit, place);
    else if (form === "list" ? Array.isArray(child) : isObject(child))
      for (const [name, item] of Object.entries<Json>(child as JsonObject))
        if (isItem(kind, childKind, name)) visitKinds(childKind, item, visit, pointerTo(place, name));
  }
}

interface WrongForm {
  readonly pointer: string;
  readonly wanted: "object" | "array";
}

/** The parts of the document that must be an object or a list, and have another type. */
export function wrongForms(document: JsonObject): WrongForm[] {
  const found: WrongForm[] = [];
  const expectObject = (kind: Kind, value: Json | undefined, pointer: string): void => {
    if (!isObject(value) && !(kind === "schema" && typeof value === "boolean"))
      found.push({ pointer, wanted: "object" });
  };
  visitKinds("document", document, (kind, object, pointer) => {
    for (const [key, value] of Object.entries(object)) {
      const at = pointerTo(pointer, key);
      const [childKind, form] = fieldOf(kind, key) ?? [];
      if (childKind === undefined || (kind === "callback" && key === "$ref")) continue;
      if (form === "one") expectObject(childKind, value, at);
      else if (form === "list" ? !Array.isArray(value) : !isObject(value))
        found.push({ pointer: at, wanted: form === "list" ? "array" : "object" });
      else
        for (const [name, item] of Object.entries(value as Json[] | JsonObject))
          if (isItem(kind, childKind, name)) expectObject(childKind, item, pointerTo(at, name));
    }
  });
  return found;
}

/**
 * Returns whether the schema at a pointer, a schema inside it, or a schema that one of these refers to passes the test.
 * Each schema is tested once.
 */
export function schemasWith(
  document: unknown,
  test: (schema: JsonObject) => boolean,
): (pointer: string) => boolean {
  const known = new Map<string, boolean>();
  return (pointer) => {
    if (known.has(pointer)) return known.get(pointer) === true;
    const referrers = new Map<string, string[]>([[pointer, []]]);
    const found = new Set<string>();
    // The loops also visit entries that are added while they run.
    for (const at of referrers.keys())
      visitKinds("schema", valueAt(document, at), (_kind, object) => {
        const target = referenceTarget(object);
        if (test(object) || (target !== undefined && known.get(target) === true)) found.add(at);
        if (target === undefined || known.has(target)) return;
        const others = referrers.get(target);
        if (others === undefined) referrers.set(target, [at]);
        else others.push(at);
      });
    for (const at of found) for (const referrer of referrers.get(at) ?? []) found.add(referrer);
    for (const at of referrers.keys()) known.set(at, found.has(at));
    return found.has(pointer);
  };
}

/** Returns the replacement for an object. `inside` returns a copy in which all nested objects are already replaced. */
type MapKind = (kind: Kind, object: JsonObject, inside: () => JsonObject) => Json;

/** Replaces objects of known kinds. The result shares unchanged parts with the value. */
export function mapKinds(kind: Kind, value: Json, map: MapKind): Json {
  if (!isObject(value)) return value;
  const held = (key: string, child: Json): Json => {
    const [childKind, form] = fieldOf(kind, key) ?? [];
    if (childKind === undefined) return child;
    if (form === "one") return mapKinds(childKind, child, map);
    if (form === "map")
      return isObject(child)
        ? mapEntries(child, (name, item) =>
            isItem(kind, childKind, name) ? mapKinds(childKind, item, map) : item,
          )
        : child;
    return Array.isArray(child) ? mapItems(child, (item) => mapKinds(childKind, item, map)) : child;
  };
  return map(kind, value, () => mapEntries(value, held));
}

/** Fields whose values are data. Inside data, `$ref` is not a reference. */
const dataFields: { readonly [K in Kind]?: readonly string[] } = {
  schema: ["default", "const", "enum", "example", "examples"],
  parameter: ["example"],
  header: ["example"],
  mediaType: ["example"],
  example: ["value"],
  link: ["parameters", "requestBody"],
};

/** The places of references in objects of no known kind, such as a server. Data and extensions are not searched. */
export function strayReferences(document: JsonObject): string[] {
  const rest = withoutData(document);
  const referable = new Set<Json>();
  visitKinds("document", rest, (_kind, object) => referable.add(object));
  const found: string[] = [];
  const visit = (value: Json, pointer: string): void => {
    if (typeof value !== "object" || value === null) return;
    if (!Array.isArray(value) && typeof value.$ref === "string" && !referable.has(value))
      found.push(pointerTo(pointer, "$ref"));
    for (const [key, item] of Object.entries(value)) visit(item, pointerTo(pointer, key));
  };
  visit(rest, "");
  return found;
}

/** Empties data and removes the references of extensions, for readers that follow every `$ref`. */
export function withoutData(document: JsonObject): Json {
  return mapKinds("document", document, (kind, _object, inside) =>
    mapEntries(inside(), (key, value) => {
      // Redocly opens the file of each `externalValue`, and reports only examples that have another type.
      if (key === "externalValue" && typeof value === "string") return kind === "example" ? undefined : true;
      if (dataFields[kind]?.includes(key)) return emptied(value);
      const [childKind] = fieldOf(kind, key) ?? [];
      if (childKind === undefined)
        return isExtension(key) ? withoutReferences(value) : closedExtensions(value);
      if (childKind !== "response" || !isObject(value)) return value;
      return mapEntries(value, (name, item) =>
        isItem(kind, childKind, name) ? item : withoutReferences(item),
      );
    }),
  );
}

/** Removes the references of extensions that are in objects of no known kind, such as a server. */
function closedExtensions(value: Json): Json {
  if (Array.isArray(value)) return mapItems(value, closedExtensions);
  if (!isObject(value)) return value;
  return mapEntries(value, (key, part) =>
    isExtension(key) ? withoutReferences(part) : closedExtensions(part),
  );
}

/**
 * For readers that ignore what is next to a `$ref`, and recurse into its target, which would overflow the stack.
 * @param keepsSiblings false for OpenAPI 3.0, which ignores them
 */
export function withoutSchemaReferences(document: Json, keepsSiblings: boolean): Json {
  return mapKinds("document", document, (kind, object, inside) => {
    if (kind !== "schema" || !Object.hasOwn(object, "$ref")) return inside();
    return keepsSiblings ? mapEntries(inside(), (key, value) => (key === "$ref" ? undefined : value)) : {};
  });
}

function emptied(data: Json): Json {
  if (Array.isArray(data)) return data.map(emptied);
  return isObject(data) ? {} : data;
}

function withoutReferences(data: Json): Json {
  if (Array.isArray(data)) return data.map(withoutReferences);
  if (!isObject(data)) return data;
  const isReference = (key: string) => key === "$ref" || key === "externalValue";
  return mapEntries(data, (key, value) => (isReference(key) ? undefined : withoutReferences(value)));
}
