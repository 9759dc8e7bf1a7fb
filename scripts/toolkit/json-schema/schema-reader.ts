/** Reads schemas of a document. Keywords that cannot be enforced are reported and removed. */
import { isObject, pointerTo, valueAt } from "../openapi/document.ts";
import { type DynamicScope, SchemaResources } from "../openapi/schema/schema-resources.ts";
import {
  type KeywordReader,
  keywordReaders,
  type ReferenceKeyword,
  type References,
  unknownKeyword,
} from "./keywords.ts";
import type { Schema, SchemaRule, Unenforceable } from "./schema.ts";

const documentScope: DynamicScope = new Map();

export class SchemaReader {
  readonly unenforceable: Unenforceable[] = [];
  readonly targets = new Set<Schema>();
  readonly #document: unknown;
  readonly #resources: SchemaResources;
  readonly #known = new Map<string, Schema>();
  /** Reads the keywords of schemas that are only named yet. A recursion would overflow the stack. */
  readonly #pending: (() => void)[] = [];
  #isReading = false;

  constructor(document: unknown, places: Iterable<string>) {
    this.#document = document;
    this.#resources = new SchemaResources(document, places);
  }

  /**
   * Returns the same object for the same pointer and dynamic scope. During a call of `read`, nested calls return schemas
   * whose keywords are read later.
   */
  read(pointer: string, from = documentScope): Schema {
    const scope = this.#resources.enter(pointer, from);
    const key = [pointer, ...[...scope].flat()].join("\n");
    const known = this.#known.get(key);
    if (known) return known;
    const schema: Schema = { pointer };
    this.#known.set(key, schema);
    this.#pending.push(() => this.#fill(schema, scope));
    if (this.#isReading) return schema;
    this.#isReading = true;
    for (let next = this.#pending.pop(); next; next = this.#pending.pop()) next();
    this.#isReading = false;
    return schema;
  }

  #fill(schema: Schema, scope: DynamicScope): void {
    const { pointer } = schema;
    const source = valueAt(this.#document, pointer);
    if (typeof source === "boolean") schema.verdict = source;
    else if (isObject(source)) this.#readKeywords(schema, source, scope);
    else this.report("malformed-keyword", pointer, "a schema must be an object or a boolean");
  }

  report(rule: SchemaRule, pointer: string, message: string, isNote?: boolean): void {
    // The same problem may be found again, because a schema may be read in several dynamic scopes.
    if (!this.unenforceable.some((each) => each.pointer === pointer && each.message === message))
      this.unenforceable.push({ rule, pointer, message, isNote });
  }

  #readKeywords(schema: Schema, source: Record<string, unknown>, scope: DynamicScope): void {
    const reader: References = {
      read: (pointer) => this.read(pointer, scope),
      reference: (keyword, reference, place) => this.#reference(schema, keyword, reference, place, scope),
      resources: this.#resources,
      report: (...finding) => this.report(...finding),
    };
    for (const [keyword, value] of Object.entries(source)) {
      const place = pointerTo(schema.pointer, keyword);
      const readKeyword: KeywordReader | undefined = Object.hasOwn(keywordReaders, keyword)
        ? keywordReaders[keyword]
        : unknownKeyword(keyword);
      const complaint = readKeyword?.({ schema, value, place, source, reader });
      if (complaint === undefined) continue;
      const { rule, why, isNote } =
        typeof complaint === "string"
          ? { rule: "malformed-keyword" as const, why: complaint, isNote: false }
          : complaint;
      this.report(rule, place, `${keyword} ${why}`, isNote);
    }
  }

  #reference(
    { pointer: from }: Schema,
    keyword: ReferenceKeyword,
    reference: string,
    place: string,
    scope: DynamicScope,
  ): Schema | undefined {
    const found = this.#resources.resolve(reference, from);
    if (!found) {
      this.report(
        "reference",
        place,
        `${keyword} must be a local JSON pointer such as #/components/schemas/Name, or an $id or anchor of this document; if it refers to another file, bundle the files into one document`,
      );
      return undefined;
    }
    const { dynamicAnchor } = found;
    const bound =
      keyword === "$dynamicRef" && dynamicAnchor !== undefined ? scope.get(dynamicAnchor) : undefined;
    const pointer = bound ?? found.pointer;
    if (valueAt(this.#document, pointer) === undefined) {
      const isOfId = reference.startsWith("#/") && valueAt(this.#document, reference.slice(1)) !== undefined;
      const remedy = isOfId
        ? "it is relative to the `$id` around it, so remove this `$id`"
        : "correct it or add the schema";
      this.report(
        "reference",
        place,
        `${keyword} has no target: the document has nothing at ${pointer}; ${remedy}`,
      );
      return undefined;
    }
    const target = this.read(pointer, scope);
    this.targets.add(target);
    return target;
  }
}
