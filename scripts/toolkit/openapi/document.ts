import {
  entriesOf,
  follow,
  isObject,
  type Json,
  type JsonObject,
  listOf,
  pointerTo,
  referenceTarget,
  tokensOf,
  valueAt,
} from "#specbind/document";

export * from "#specbind/document";

/** The Info Object of a document. */
export interface Info {
  readonly title: string;
  readonly version: string;
}

export const valueTypes = ["null", "boolean", "number", "string", "array", "object"] as const;
export type ValueType = (typeof valueTypes)[number];

export function valueTypeOf(value: unknown): ValueType {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  const type = typeof value;
  return type === "boolean" || type === "number" || type === "string" ? type : "object";
}

/** A deep copy. For plain JSON it takes a third of the time of `structuredClone`. */
export function copyOf<Value extends Json>(value: Value): Value;
export function copyOf(value: Json): Json {
  if (Array.isArray(value)) return value.map((item) => copyOf(item));
  if (!isObject(value)) return value;
  // The spread makes `__proto__` an own property. Later assignments change this property, not the prototype.
  const copy = { ...value };
  for (const [key, part] of Object.entries(copy))
    if (typeof part === "object" && part !== null) copy[key] = copyOf(part);
  return copy;
}

/** Replaces each value, or removes it if the result is undefined. Returns the object itself if nothing changes. */
export function mapEntries(
  object: JsonObject,
  map: (key: string, value: Json) => Json | undefined,
): JsonObject {
  let image: JsonObject | undefined;
  const done: [string, Json][] = [];
  for (const [key, value] of Object.entries(object)) {
    const mapped = map(key, value);
    if (mapped !== value && image === undefined) image = Object.fromEntries(done);
    if (image === undefined) done.push([key, value]);
    else if (mapped !== undefined) put(image, key, mapped);
  }
  return image ?? object;
}

/** The value, or the end of its references. */
export function followed(document: unknown, value: Json): Json | undefined {
  const target = referenceTarget(value);
  return target === undefined ? value : follow(document, target).value;
}

/** Generated types can refer only to components. */
export function isComponent(pointer: string): boolean {
  return /^\/components\/[^/]+\/[^/]+$/.test(pointer);
}

/** A pointer as a reference to this document. */
export function fragmentOf(pointer: string): string {
  return `#${pointer.replaceAll("%", "%25")}`;
}

/** Sets an own property, even if its name is `__proto__`. */
function put(object: JsonObject, key: string, value: Json): void {
  if (key === "__proto__") Object.defineProperty(object, key, { value, enumerable: true, writable: true });
  else object[key] = value;
}

/** Returns the list itself if nothing changes. */
export function mapItems(list: Json[], map: (item: Json, index: number) => Json): Json[] {
  const image = list.map(map);
  return image.some((item, index) => item !== list[index]) ? image : list;
}

/** The pointers of the parts that exist at a path such as `servers/*`. `*` means each item or value, and "" the value itself. */
export function placesAt(value: Json, path: string, pointer = ""): string[] {
  if (path === "") return [pointer];
  const [token = "", ...others] = path.split("/");
  const parts: readonly [string, Json][] =
    token === "*" && Array.isArray(value)
      ? Object.entries(value)
      : entriesOf(value).filter(([key]) => token === "*" || key === token);
  return parts.flatMap(([key, part]) => placesAt(part, others.join("/"), pointerTo(pointer, key)));
}

/** The pointers of the items of a list. */
export function itemPointers(document: unknown, list: string): string[] {
  return listOf(valueAt(document, list)).map((_, index) => pointerTo(list, index));
}

/**
 * If the part is behind a reference, it is removed from a copy of the target. Other places may refer to the same
 * target.
 */
export function removeAt(document: JsonObject, pointer: string): void {
  const place = pointer.slice(0, pointer.lastIndexOf("/"));
  const holder = valueAt(document, place);
  if (!isObject(holder)) return;
  const { value: target } = follow(document, place);
  if (isObject(target) && target !== holder) {
    delete holder.$ref;
    Object.assign(holder, target);
  }
  delete holder[tokensOf(pointer).at(-1) ?? ""];
}
