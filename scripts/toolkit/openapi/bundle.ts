/** Bundles a spec of several files into one document with local references. It reads only files, no URLs. */
import { basename, dirname, extname, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import {
  copyOf,
  fragmentOf,
  isComponent,
  isObject,
  type Json,
  type JsonObject,
  listOf,
  localPointer,
  percentDecoded,
  pointerTo,
  tokensOf,
  valueAt,
} from "./document.ts";
import {
  keyOf,
  type Place,
  type SpecFile,
  type SpecFiles,
  shownPathOf,
  UnreadableFileError,
} from "./files.ts";
import { componentNamed, type Kind, mustPointInto, sections, visitKinds } from "./grammar.ts";
import { Origins } from "./origins.ts";
import { SchemaResources } from "./schema/schema-resources.ts";

export interface Bundle {
  readonly document: JsonObject;
  readonly origins: Origins;
  /** References that could not be followed. They are removed from the document. */
  readonly problems: readonly BrokenReference[];
}

interface BrokenReference {
  readonly place: Place;
  readonly message: string;
}

/** The target of each `$dynamicAnchor` where a schema is used (JSON Schema core, 8.2.3.2). */
type Scope = ReadonlyMap<string, Place>;
const noScope: Scope = new Map();

/** A reference: the object and key that contain it, and its place in its file. */
interface Met {
  readonly kind: Kind;
  readonly holder: JsonObject;
  readonly key: string;
  readonly place: Place;
  readonly scope: Scope;
  /** The target, if it is that of a `$dynamicRef`. */
  readonly bound?: Place | undefined;
  /** The targets whose copies contain the reference. */
  readonly within: readonly string[];
}

export async function bundle(entry: SpecFile, files: SpecFiles): Promise<Bundle> {
  const bundler = new Bundler(entry, files);
  await bundler.run();
  return bundler;
}

class Bundler implements Bundle {
  readonly document: JsonObject;
  readonly origins: Origins;
  readonly problems: BrokenReference[] = [];
  readonly #entry: SpecFile;
  readonly #files: SpecFiles;
  readonly #references = new Map<string, string>();
  readonly #pending: Met[] = [];
  readonly #resources = new Map<SpecFile, SchemaResources>();

  constructor(entry: SpecFile, files: SpecFiles) {
    this.#entry = entry;
    this.#files = files;
    this.document = copyOf(entry.value) as JsonObject;
    this.origins = new Origins(this.document, { file: entry, pointer: "" });
  }

  async run(): Promise<void> {
    await this.#adopt();
    this.#collect("document", this.document, { file: this.#entry, pointer: "" }, []);
    for (let met = this.#pending.shift(); met; met = this.#pending.shift()) await this.#settle(met);
  }

  /** If a component only refers to another file, the target gets the component's name. */
  async #adopt(): Promise<void> {
    const components = isObject(this.document.components) ? this.document.components : {};
    for (const [kind, section] of Object.entries(sections)) {
      const group = isObject(components[section]) ? components[section] : {};
      for (const [name, value] of Object.entries(group)) {
        if (!isObject(value) || typeof value.$ref !== "string" || Object.keys(value).length > 1) continue;
        if (kind === "pathItem" || value.$ref.startsWith("#")) continue;
        const pointer = pointerTo("/components", section, name);
        const target = await this.#target(kind as Kind, value.$ref, {
          file: this.#entry,
          pointer: pointerTo(pointer, "$ref"),
        });
        if ("message" in target || target.file === this.#entry) continue;
        const key = this.#keyOf(target, noScope);
        if (this.#references.has(key)) continue;
        this.#references.set(key, fragmentOf(pointer));
        group[name] = this.#graft(kind as Kind, target);
      }
    }
  }

  #collect(
    kind: Kind,
    value: Json | undefined,
    { file, pointer: start }: Place,
    within: readonly string[],
    outer = noScope,
  ): void {
    const scopes = new Map<string, Scope>();
    const resources = this.#resourcesOf(file);
    const { hasDynamicAnchors } = resources;
    const visit = (kind: Kind, holder: JsonObject, pointer: string): void => {
      const meet = (key: string, part = holder, below = pointerTo(pointer, key), bound?: Place): void => {
        const place = { file, pointer: below };
        this.#pending.push({ kind, holder: part, key, place, within, scope, bound });
      };
      let scope = outer;
      if (kind === "schema") this.#dropIdentifiers(holder, { file, pointer });
      if (kind === "schema" && hasDynamicAnchors) {
        scope = this.#enter({ file, pointer }, scopeAround(pointer, scopes) ?? outer);
        scopes.set(pointer, scope);
      }
      if (typeof holder.$ref === "string") meet("$ref");
      if (kind !== "schema") return;
      if (typeof holder.$dynamicRef === "string") {
        const { $dynamicRef: $ref } = holder;
        delete holder.$dynamicRef;
        const found = resources.resolve($ref, pointer)?.dynamicAnchor;
        const part = holder.$ref === undefined ? holder : {};
        part.$ref = $ref;
        if (part !== holder) holder.allOf = [...listOf(holder.allOf), part];
        meet("$ref", part, pointerTo(pointer, "$dynamicRef"), scope.get(found ?? ""));
      }
      for (const { part, key, below } of targetsOf(holder.discriminator)) {
        const target = part[key];
        if (typeof target !== "string") continue;
        const named = pointerTo("/components/schemas", target);
        const owner = [file, this.#entry].find(({ value }) => valueAt(value, named) !== undefined);
        // A mapping may have schema names instead of references (OpenAPI 3.1, Discriminator Object).
        if (owner !== undefined) part[key] = fragmentOf(named);
        else if (!/[/#]|\.(?:ya?ml|json)$/i.test(target)) continue;
        if (owner !== this.#entry) meet(key, part, `${pointer}/discriminator${below}`);
      }
    };
    visitKinds(kind, value, visit, start);
  }

  #enter({ file, pointer }: Place, scope: Scope): Scope {
    const added = this.#resourcesOf(file)
      .dynamicAnchors(pointer)
      .filter(([name]) => !scope.has(name));
    if (added.length === 0) return scope;
    return new Map([...scope, ...added.map(([name, pointer]) => [name, { file, pointer }] as const)]);
  }

  /** Distinguishes the copies of a schema in which a `$dynamicRef` has different targets. */
  #keyOf(target: Place, outer: Scope): string {
    const scope = this.#enter(target, outer);
    if (scope.size === 0 || !this.#dependsOnScope(target, new Set())) return keyOf(target);
    const anchors = [...scope].map(([name, place]) => `${name} ${keyOf(place)}`);
    return [keyOf(target), ...anchors.toSorted()].join("\n");
  }

  #dependsOnScope({ file, pointer }: Place, seen: Set<string>): boolean {
    let isDependent = false;
    const visit = (_: Kind, { $ref, $dynamicRef }: JsonObject, at: string): void => {
      isDependent ||= $dynamicRef !== undefined;
      if (isDependent || typeof $ref !== "string") return;
      const target = this.#resourcesOf(file).resolve($ref, at)?.pointer;
      // A reference to another file may lead to a schema that depends on the scope.
      isDependent = target === undefined || this.#dependsOnScope({ file, pointer: target }, seen);
    };
    if (!seen.has(pointer)) visitKinds("schema", valueAt(file.value, pointer), visit, pointer);
    seen.add(pointer);
    return isDependent;
  }

  /** All references become pointers. An `$id` around a pointer would change its meaning. */
  #dropIdentifiers(schema: JsonObject, { file, pointer }: Place): void {
    const resources = this.#resourcesOf(file);
    if (schema.$id !== undefined && resources.isOwnId(pointer)) delete schema.$id;
    for (const keyword of ["$anchor", "$dynamicAnchor"])
      if (schema[keyword] !== undefined && resources.isOwnAnchor(pointer, String(schema[keyword])))
        delete schema[keyword];
  }

  async #settle({ kind, holder, key, place, scope, bound, within }: Met): Promise<void> {
    const reference = holder[key];
    // A component that contains the reference may have removed it already.
    if (typeof reference !== "string") return;
    // If the reference has no target, the check of the bundled document reports it.
    if (bound === undefined && isNamed(kind) && this.#stays(reference, place, scope)) return;
    const found = await this.#target(kind, bound ?? reference, place);
    const target = "message" in found ? found : (this.#misuse(kind, found, place, within) ?? found);
    if ("message" in target) {
      this.problems.push(target);
      delete holder[key];
    } else if (!isNamed(kind)) this.#inline(kind, holder, target, within);
    else holder[key] = this.#referenceTo(kind, target, scope);
  }

  #misuse(kind: Kind, target: Place, place: Place, within: readonly string[]): BrokenReference | undefined {
    if (within.includes(keyOf(target))) return { place, message: circular };
    const isOther = isComponent(target.pointer) && tokensOf(target.pointer)[1] !== sections.pathItem;
    return kind === "pathItem" && isOther ? { place, message: mustPointInto("pathItem") } : undefined;
  }

  /** True if the reference is a pointer to a component, or has no target. */
  #stays(reference: string, { file, pointer: at }: Place, scope: Scope): boolean {
    if (file !== this.#entry) return false;
    const pointer = localPointer(reference);
    const target = this.#resourcesOf(file).resolve(reference, at)?.pointer;
    if (pointer === undefined || target === undefined) return false;
    if (valueAt(file.value, target) === undefined) return true;
    return target === pointer && this.#isComponent({ file, pointer }, scope);
  }

  /** True if the place is a component of the document, whose `$dynamicRef`s have the same targets. */
  #isComponent(place: Place, scope: Scope): boolean {
    return (
      place.file === this.#entry &&
      isComponent(place.pointer) &&
      this.#keyOf(place, scope) === this.#keyOf(place, noScope)
    );
  }

  #inline(kind: Kind, holder: JsonObject, target: Place, within: readonly string[]): void {
    delete holder.$ref;
    const item = this.#graft(kind, target, [...within, keyOf(target)]);
    if (!isObject(item)) return;
    for (const [key, value] of Object.entries(item)) {
      if (Object.hasOwn(holder, key)) continue;
      this.origins.set(value, { ...target, pointer: pointerTo(target.pointer, key) });
      holder[key] = value;
    }
  }

  #referenceTo(kind: Kind, target: Place, scope: Scope): string {
    if (this.#isComponent(target, scope)) return fragmentOf(target.pointer);
    const copy = this.#keyOf(target, scope);
    const known = this.#references.get(copy);
    if (known !== undefined) return known;
    const section = sections[kind] ?? "schemas";
    const components = objectIn(this.document, "components");
    const group = objectIn(components, section);
    const base = nameFor(target);
    let name = base;
    for (let count = 2; Object.hasOwn(group, name); count += 1) name = `${base}${count}`;
    const reference = fragmentOf(pointerTo("/components", section, name));
    this.#references.set(copy, reference);
    group[name] = this.#graft(kind, target, [], scope);
    return reference;
  }

  #graft(kind: Kind, target: Place, within: readonly string[] = [], scope = noScope): Json {
    const copy = copyOf(valueAt(target.file.value, target.pointer) ?? null);
    this.origins.set(copy, target);
    this.#collect(kind, copy, target, within, scope);
    return copy;
  }

  /** Follows a reference until its target is not only another reference. */
  async #target(kind: Kind, reference: string | Place, from: Place): Promise<Place | BrokenReference> {
    const seen = new Set<string>();
    let place = from;
    for (let next = reference; ; ) {
      const target = typeof next === "string" ? await this.#step(next, place) : next;
      if (typeof target === "string") return { place, message: target };
      if (seen.has(keyOf(target))) return { place: from, message: circular };
      seen.add(keyOf(target));
      const value = valueAt(target.file.value, target.pointer);
      const mayBeBoolean = kind === "schema" && !/^3\.0\./.test(String(valueAt(this.document, "/openapi")));
      if (typeof value === "boolean" && !mayBeBoolean)
        return { place, message: `\`${reference}\` is not an object; correct this reference` };
      const bare = isObject(value) && Object.keys(value).length === 1 ? value.$ref : undefined;
      const isNamed = target.file === this.#entry && isComponent(target.pointer);
      // Each reference of a chain may add to the scope.
      const mayAdd = this.#resourcesOf(target.file).hasDynamicAnchors;
      if (typeof bare !== "string" || isNamed || mayAdd) return target;
      place = { file: target.file, pointer: pointerTo(target.pointer, "$ref") };
      next = bare;
    }
  }

  async #step(reference: string, { file: from, pointer: at }: Place): Promise<Place | string> {
    const [path = "", fragment = ""] = reference.split("#", 2);
    const own = this.#resourcesOf(from).resolve(reference, at);
    if (own === undefined && /^(?:[a-z][a-z0-9+.-]*:|\/\/)/i.test(reference))
      return `a reference to a URL is never followed; save the file next to this one, and write \`./${basename(path) || "FILE"}\``;
    const file = own !== undefined || path === "" ? from : await this.#open(path, from);
    if (typeof file === "string") return file;
    const { pointer } = own ?? this.#resourcesOf(file).resolve(`#${fragment}`, "") ?? {};
    if (pointer === undefined)
      return `no schema has \`$anchor: ${fragment}\`; correct the name, or write the path of a schema, such as \`#/components/schemas/Name\``;
    if (file === this.#entry && pointer === "")
      return "this reference means the whole document; write the path of a part, such as `#/components/schemas/Name`";
    const value = valueAt(file.value, pointer);
    if (isObject(value) || typeof value === "boolean") return { file, pointer };
    const where = file === from ? "" : ` in ${file.shownPath}`;
    if (value !== undefined) return `\`#${pointer}\`${where} is not an object; correct this reference`;
    return `there is no \`#${pointer}\`${where}; correct this reference, or define its target`;
  }

  #resourcesOf(file: SpecFile): SchemaResources {
    const known = this.#resources.get(file);
    if (known !== undefined) return known;
    const schemas = isObject(file.value) && file.value.openapi === undefined ? [""] : [];
    visitKinds("document", file.value, (kind, _, pointer) => {
      if (kind === "schema") schemas.push(pointer);
    });
    const url = pathToFileURL(file.path).href;
    // OpenAPI 3.2, Establishing the Base URI.
    const self = isObject(file.value) && file.value.openapi !== undefined ? file.value.$self : undefined;
    const uri = URL.parse(typeof self === "string" ? self : "", url)?.href ?? url;
    const resources = new SchemaResources(file.value, schemas, uri);
    this.#resources.set(file, resources);
    return resources;
  }

  async #open(reference: string, from: SpecFile): Promise<SpecFile | string> {
    const relative = percentDecoded(reference) ?? reference;
    if (relative.startsWith("/"))
      return "a reference must be relative to the file that contains it; write a path such as `./book.yaml`";
    const path = resolve(dirname(from.path), relative);
    if (!(await this.#files.isReferable(path, dirname(this.#entry.path))))
      return `${shownPathOf(path)} is outside the folder of the document; move it into that folder, or ${this.#files.remedies.allow}`;
    try {
      return await this.#files.read(path);
    } catch (error) {
      if (!(error instanceof UnreadableFileError)) throw error;
      const fix = componentNamed(this.#entry.value, reference) ?? "correct this reference";
      return `${shownPathOf(path)}: ${error.message}; ${fix}`;
    }
  }
}

export const circular = "this reference leads back to itself; replace one of the circle with a definition";

/** The scope of the nearest schema around a pointer. */
function scopeAround(pointer: string, scopes: ReadonlyMap<string, Scope>): Scope | undefined {
  for (let end = pointer.lastIndexOf("/"); end > 0; end = pointer.lastIndexOf("/", end - 1)) {
    const scope = scopes.get(pointer.slice(0, end));
    if (scope !== undefined) return scope;
  }
  return undefined;
}

/** True if a bundled document may contain references to the kind. Otherwise the target replaces the reference. */
function isNamed(kind: Kind): boolean {
  return kind !== "pathItem" && sections[kind] !== undefined;
}

function objectIn(holder: JsonObject, key: string): JsonObject {
  const found = holder[key];
  if (isObject(found)) return found;
  const made: JsonObject = {};
  holder[key] = made;
  return made;
}

/** The name comes from the component, else from the file, else from the tokens of the pointer. */
function nameFor({ file, pointer }: Place): string {
  const tokens = tokensOf(pointer);
  const fileName = basename(file.path, extname(file.path));
  const isWithinComponents = tokens[0] === "components" && tokens.length > 2;
  const words =
    tokens.length === 0
      ? [fileName]
      : isWithinComponents
        ? tokens.slice(2)
        : tokens.length <= 2
          ? tokens.slice(-1)
          : tokens;
  // OpenAPI 3.1, Components Object.
  return (
    words
      .join("_")
      .replaceAll(/[^A-Za-z0-9._-]+/g, "_")
      .replace(/^_+/, "") || "Part"
  );
}

/** The places of a discriminator that have references or names of schemas. */
function targetsOf(discriminator: Json | undefined) {
  if (!isObject(discriminator)) return [];
  const { mapping } = discriminator;
  const mapped = isObject(mapping)
    ? Object.keys(mapping).map((key) => ({ part: mapping, key, below: pointerTo("/mapping", key) }))
    : [];
  return [...mapped, { part: discriminator, key: "defaultMapping", below: "/defaultMapping" }];
}
