/** Resolves `$id`, `$anchor` and `$dynamicAnchor` (JSON Schema core, 8.2). They have this meaning only in schemas. */
import { isObject, localPointer, percentDecoded, pointerTo, tokensOf, valueAt } from "../document.ts";
import { subschemas } from "./keywords.ts";

/** JSON Schema 2020-12 core, sections 8.2.1 and 8.2.2. */
export const hasFragment = /#./;
export const anchorForm = /^[A-Za-z_][\w.-]*$/;

const documentUri = "document:///";

interface ReferenceTarget {
  pointer: string;
  dynamicAnchor?: string;
}

/** A schema with an `$id`, or the whole document. */
interface SchemaResource {
  uri: string;
  pointer: string;
  anchors: Map<string, { pointer: string; dynamic: boolean }>;
}

export class SchemaResources {
  readonly #byPointer = new Map<string, SchemaResource>();
  readonly #byUri = new Map<string, SchemaResource>();
  readonly #visited = new Set<string>();
  hasDynamicAnchors = false;
  /** URIs that several schemas have, with or without an anchor. */
  readonly #ambiguous = new Set<string>();

  /** @param places pointers of schemas outside `components`. @param uri the document's URI */
  constructor(document: unknown, places: Iterable<string>, uri = documentUri) {
    const root = this.#add("", uri);
    if (!hasIdentifiers(document)) return;
    const components = "/components/schemas";
    const named = Object.keys(valueAt(document, components) ?? {}).map((name) => pointerTo(components, name));
    // Outer schemas come first.
    const others = [...places].sort((left, right) => left.length - right.length);
    for (const pointer of [...named, ...others]) this.#visit(valueAt(document, pointer), pointer, root);
  }

  /** Undefined if no schema of the document has the `$id` or anchor. */
  resolve(reference: string, from: string): ReferenceTarget | undefined {
    const around = this.#around(from);
    const local = localPointer(reference);
    if (local !== undefined) return { pointer: around.pointer + local };
    const uri = URL.parse(reference, around.uri);
    if (!uri) return undefined;
    const { hash } = uri;
    uri.hash = "";
    const resource = this.#byUri.get(uri.href);
    const fragment = percentDecoded(hash.slice(1));
    if (!resource || fragment === undefined) return undefined;
    if (fragment === "" || fragment.startsWith("/"))
      return { pointer: pointerTo(resource.pointer, ...tokensOf(fragment)) };
    const anchor = resource.anchors.get(fragment);
    return anchor && { pointer: anchor.pointer, ...(anchor.dynamic && { dynamicAnchor: fragment }) };
  }

  /** False if another schema has the same `$id`. */
  isOwnId(pointer: string): boolean {
    const resource = this.#byPointer.get(pointer);
    return resource !== undefined && !this.#ambiguous.has(resource.uri);
  }

  isOwnAnchor(pointer: string, name: string): boolean {
    const { uri, anchors } = this.#around(pointer);
    return anchors.has(name) && !this.#ambiguous.has(`${uri}#${name}`);
  }

  /** The `$dynamicAnchor`s of the resource around a schema, with their pointers. */
  dynamicAnchors(pointer: string): [name: string, pointer: string][] {
    return [...this.#around(pointer).anchors].flatMap(([name, { dynamic, pointer }]) =>
      dynamic ? [[name, pointer] as [string, string]] : [],
    );
  }

  #add(pointer: string, uri: string): SchemaResource {
    const resource = { uri, pointer, anchors: new Map() };
    this.#byPointer.set(pointer, resource);
    if (this.#byUri.has(uri)) this.#ambiguous.add(uri);
    this.#byUri.set(uri, resource);
    return resource;
  }

  #around(pointer: string): SchemaResource {
    for (let end = pointer.length; ; end = pointer.lastIndexOf("/", end - 1)) {
      const resource = this.#byPointer.get(pointer.slice(0, Math.max(end, 0)));
      if (resource) return resource;
    }
  }

  #visit(schema: unknown, pointer: string, around: SchemaResource): void {
    if (!isObject(schema) || this.#visited.has(pointer)) return;
    this.#visited.add(pointer);
    const isUri = typeof schema.$id === "string" && !hasFragment.test(schema.$id);
    const uri = isUri ? URL.parse(String(schema.$id), around.uri) : null;
    if (uri) uri.hash = "";
    const resource = uri ? this.#add(pointer, uri.href) : around;
    for (const [keyword, dynamic] of [
      ["$anchor", false],
      ["$dynamicAnchor", true],
    ] as const) {
      const name = schema[keyword];
      if (typeof name !== "string" || !anchorForm.test(name)) continue;
      if (resource.anchors.has(name)) this.#ambiguous.add(`${resource.uri}#${name}`);
      resource.anchors.set(name, { pointer, dynamic });
      this.hasDynamicAnchors ||= dynamic;
    }
    for (const part of subschemas(schema, pointer)) this.#visit(part.schema, part.pointer, resource);
  }
}

const identifiers = new Set(["$id", "$anchor", "$dynamicAnchor", "$dynamicRef"]);

/** Few documents have identifiers. This check is faster than visiting every schema. */
function hasIdentifiers(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  return Object.entries(value).some(([key, part]) => identifiers.has(key) || hasIdentifiers(part));
}
