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
import { type Kind, sections, visitKinds } from "./grammar.ts";
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

/** A reference: the object and key that contain it, and their place. */
interface Met {
  readonly kind: Kind;
  readonly holder: JsonObject;
  readonly key: string;
  readonly place: Place;
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
    if (isObject(this.document.components)) delete this.document.components.pathItems;
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
        if ("message" in target || target.file === this.#entry || this.#references.has(keyOf(target)))
          continue;
        this.#references.set(keyOf(target), fragmentOf(pointer));
        group[name] = this.#graft(kind as Kind, target);
      }
    }
  }

  #collect(kind: Kind, value: Json | undefined, place: Place, within: readonly string[]): void {
    const visit = (kind: Kind, holder: JsonObject, pointer: string): void => {
      const at = { file: place.file, pointer };
      if (kind === "schema") this.#dropIdentifiers(holder, at);
      if (typeof holder.$ref === "string")
        this.#pending.push({ kind, holder, key: "$ref", place: at, within });
      const mapping = isObject(holder.discriminator) ? holder.discriminator.mapping : undefined;
      if (kind !== "schema" || !isObject(mapping)) return;
      for (const [key, target] of Object.entries(mapping)) {
        if (typeof target !== "string") continue;
        const named = pointerTo("/components/schemas", target);
        const owner = [place.file, this.#entry].find(({ value }) => valueAt(value, named) !== undefined);
        // A mapping may have schema names instead of references (OpenAPI 3.1, Discriminator Object).
        if (owner !== undefined) mapping[key] = fragmentOf(named);
        else if (!/[/#]|\.(?:ya?ml|json)$/i.test(target)) continue;
        if (owner === this.#entry) continue;
        const below = pointerTo(pointer, "discriminator", "mapping");
        const at = { file: place.file, pointer: below };
        this.#pending.push({ kind, holder: mapping, key, place: at, within });
      }
    };
    visitKinds(kind, value, visit, place.pointer);
  }

  /** All references become pointers. An `$id` around a pointer would change its meaning. */
  #dropIdentifiers(schema: JsonObject, { file, pointer }: Place): void {
    const resources = this.#resourcesOf(file);
    if (resources.hasDynamicReferences) return;
    if (schema.$id !== undefined && resources.isOwnId(pointer)) delete schema.$id;
    for (const keyword of ["$anchor", "$dynamicAnchor"])
      if (schema[keyword] !== undefined && resources.isOwnAnchor(pointer, String(schema[keyword])))
        delete schema[keyword];
  }

  async #settle({ kind, holder, key, place, within }: Met): Promise<void> {
    const reference = holder[key];
    // A component that contains the reference may have removed it already.
    if (typeof reference !== "string") return;
    const at = { ...place, pointer: pointerTo(place.pointer, key) };
    // If the reference has no target, the check of the bundled document reports it.
    if (isNamed(kind) && place.file === this.#entry && this.#stays(reference, at.pointer)) return;
    const found = await this.#target(kind, reference, at);
    const isCircle = !("message" in found) && within.includes(keyOf(found));
    const target = isCircle ? { place: at, message: circular } : found;
    if ("message" in target) {
      this.problems.push(target);
      delete holder[key];
    } else if (!isNamed(kind)) this.#inline(kind, holder, target, within);
    else holder[key] = this.#referenceTo(kind, target);
  }

  /** True if the reference is a pointer to a component, or has no target. */
  #stays(reference: string, at: string): boolean {
    const pointer = localPointer(reference);
    const target = this.#resourcesOf(this.#entry).resolve(reference, at)?.pointer;
    if (pointer === undefined || target === undefined) return false;
    if (valueAt(this.#entry.value, target) === undefined) return true;
    return target === pointer && isComponent(pointer);
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

  #referenceTo(kind: Kind, target: Place): string {
    if (target.file === this.#entry && isComponent(target.pointer)) return fragmentOf(target.pointer);
    const known = this.#references.get(keyOf(target));
    if (known !== undefined) return known;
    const section = sections[kind] ?? "schemas";
    const components = objectIn(this.document, "components");
    const group = objectIn(components, section);
    const base = nameFor(target);
    let name = base;
    for (let count = 2; Object.hasOwn(group, name); count += 1) name = `${base}${count}`;
    const reference = fragmentOf(pointerTo("/components", section, name));
    this.#references.set(keyOf(target), reference);
    group[name] = this.#graft(kind, target);
    return reference;
  }

  #graft(kind: Kind, target: Place, within: readonly string[] = []): Json {
    const copy = copyOf(valueAt(target.file.value, target.pointer) ?? null);
    this.origins.set(copy, target);
    this.#collect(kind, copy, target, within);
    return copy;
  }

  /** Follows a reference until its target is not only another reference. */
  async #target(kind: Kind, reference: string, from: Place): Promise<Place | BrokenReference> {
    const seen = new Set<string>();
    let place = from;
    for (let next = reference; ; ) {
      const target = await this.#step(next, place);
      if (typeof target === "string") return { place, message: target };
      if (seen.has(keyOf(target))) return { place: from, message: circular };
      seen.add(keyOf(target));
      const value = valueAt(target.file.value, target.pointer);
      const mayBeBoolean = kind === "schema" && !/^3\.0\./.test(String(valueAt(this.document, "/openapi")));
      if (typeof value === "boolean" && !mayBeBoolean)
        return { place, message: `${next} is not an object; correct this reference` };
      const bare = isObject(value) && Object.keys(value).length === 1 ? value.$ref : undefined;
      const isNamed = target.file === this.#entry && isComponent(target.pointer);
      if (typeof bare !== "string" || isNamed) return target;
      place = { file: target.file, pointer: pointerTo(target.pointer, "$ref") };
      next = bare;
    }
  }

  async #step(reference: string, { file: from, pointer: at }: Place): Promise<Place | string> {
    const [path = "", fragment = ""] = reference.split("#", 2);
    const own = this.#resourcesOf(from).resolve(reference, at);
    if (own === undefined && /^(?:[a-z][a-z0-9+.-]*:|\/\/)/i.test(reference))
      return "a reference to a URL is rejected, because nothing is ever fetched; save the document next to this one and refer to the file";
    const file = own !== undefined || path === "" ? from : await this.#open(path, from);
    if (typeof file === "string") return file;
    const { pointer } = own ?? this.#resourcesOf(file).resolve(`#${fragment}`, "") ?? {};
    if (pointer === undefined)
      return `there is no schema with the anchor \`${fragment}\`; correct the name, or write a JSON pointer such as \`#/components/schemas/Name\``;
    if (file === this.#entry && pointer === "")
      return "this reference means the whole document; write a JSON pointer to a part of it, such as `#/components/schemas/Name`";
    const value = valueAt(file.value, pointer);
    if (isObject(value) || typeof value === "boolean") return { file, pointer };
    const where = file === from ? "" : ` in ${file.shownPath}`;
    if (value !== undefined) return `#${pointer}${where} is not an object; correct this reference`;
    return `this reference has no target: there is no #${pointer}${where}; correct it or define its target`;
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
      return "a reference must be relative to the file that contains it; write a relative path";
    const path = resolve(dirname(from.path), relative);
    if (!(await this.#files.isReferable(path, dirname(this.#entry.path))))
      return `${shownPathOf(path)} is outside the folder of the document; move it into that folder, or allow its folder with --allow-outside DIR`;
    try {
      return await this.#files.read(path);
    } catch (error) {
      if (!(error instanceof UnreadableFileError)) throw error;
      return `${shownPathOf(path)}: ${error.message}; correct this reference`;
    }
  }
}

export const circular = "this reference is circular; replace one reference of the cycle with a definition";

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
