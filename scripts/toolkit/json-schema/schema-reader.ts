/** Reads schemas of a document. Keywords that cannot be enforced are reported and removed. */
import { isObject, localPointer, pointerTo, valueAt } from "../openapi/document.ts";
import { type KeywordReader, keywordReaders, type References, unknownKeyword } from "./keywords.ts";
import type { Schema, SchemaRule, Unenforceable } from "./schema.ts";

export class SchemaReader {
  readonly unenforceable: Unenforceable[] = [];
  readonly targets = new Set<Schema>();
  readonly #document: unknown;
  readonly #known = new Map<string, Schema>();
  /** Reads the keywords of schemas that are only named yet. A recursion would overflow the stack. */
  readonly #pending: (() => void)[] = [];
  #isReading = false;

  constructor(document: unknown) {
    this.#document = document;
  }

  /**
   * Returns the same object for the same pointer. During a call of `read`, nested calls return schemas whose keywords
   * are read later.
   */
  read(pointer: string): Schema {
    const known = this.#known.get(pointer);
    if (known) return known;
    const schema: Schema = { pointer };
    this.#known.set(pointer, schema);
    this.#pending.push(() => this.#fill(schema));
    if (this.#isReading) return schema;
    this.#isReading = true;
    for (let next = this.#pending.pop(); next; next = this.#pending.pop()) next();
    this.#isReading = false;
    return schema;
  }

  #fill(schema: Schema): void {
    const { pointer } = schema;
    const source = valueAt(this.#document, pointer);
    if (typeof source === "boolean") schema.verdict = source;
    else if (isObject(source)) this.#readKeywords(schema, source);
    else
      this.report(
        "malformed-keyword",
        pointer,
        "a schema must be an object, true or false; write one such as `{ type: string }`",
      );
  }

  report(rule: SchemaRule, pointer: string, message: string, isNote?: boolean): void {
    this.unenforceable.push({ rule, pointer, message, isNote });
  }

  #readKeywords(schema: Schema, source: Record<string, unknown>): void {
    const reader: References = {
      read: (pointer) => this.read(pointer),
      reference: (reference, place) => this.#reference(reference, place),
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
      this.report(rule, place, `\`${keyword}\` ${why}`, isNote);
    }
  }

  #reference(reference: string, place: string): Schema | undefined {
    const pointer = localPointer(reference);
    if (pointer === undefined || valueAt(this.#document, pointer) === undefined) {
      const message = "`$ref` has no target; write the path of a schema, such as `#/components/schemas/Name`";
      this.report("reference", place, message);
      return undefined;
    }
    const target = this.read(pointer);
    this.targets.add(target);
    return target;
  }
}
