/**
 * Reads schemas out of a document into the checked form of `schema.ts`. What cannot be enforced is reported here, once,
 * and left out, so that no later stage meets a keyword it cannot trust.
 */
import { type KeywordReader, keywordReaders, unknownKeyword } from "./keywords.ts";
import { isRecord, joinPointer, localPointer, valueAt } from "./pointers.ts";
import type { Rule, Schema, Unenforceable } from "./schema.ts";

export class SchemaReader {
  readonly unenforceable: Unenforceable[] = [];
  /** Schemas that some `$ref` leads to. */
  readonly targets = new Set<Schema>();
  readonly #document: unknown;
  readonly #known = new Map<string, Schema>();

  constructor(document: unknown) {
    this.#document = document;
  }

  /** The schema at the pointer; the same object each time, also while it is still being read (recursion). */
  read(pointer: string): Schema {
    const known = this.#known.get(pointer);
    if (known) return known;
    const schema: Schema = { pointer };
    this.#known.set(pointer, schema);
    const source = valueAt(this.#document, pointer);
    if (typeof source === "boolean") schema.verdict = source;
    else if (isRecord(source)) this.#readKeywords(schema, source);
    else this.report("malformed-keyword", pointer, "a schema must be an object or a boolean; write one here");
    return schema;
  }

  /** The target of a `$ref`, or undefined after reporting that there is none. */
  reference(reference: string, place: string): Schema | undefined {
    const pointer = localPointer(reference);
    if (pointer === undefined) {
      this.report(
        "reference",
        place,
        "$ref must be a local JSON pointer such as #/components/schemas/Name; bundle the document first",
      );
      return undefined;
    }
    if (valueAt(this.#document, pointer) === undefined) {
      this.report(
        "reference",
        place,
        `$ref leads nowhere: the document holds nothing at ${pointer}; correct it or add the schema`,
      );
      return undefined;
    }
    const target = this.read(pointer);
    this.targets.add(target);
    return target;
  }

  report(rule: Rule, pointer: string, message: string): void {
    this.unenforceable.push({ rule, pointer, message });
  }

  #readKeywords(schema: Schema, source: Record<string, unknown>): void {
    for (const [keyword, value] of Object.entries(source)) {
      const place = joinPointer(schema.pointer, keyword);
      const reader: KeywordReader | undefined = Object.hasOwn(keywordReaders, keyword)
        ? keywordReaders[keyword]
        : unknownKeyword(keyword);
      const complaint = reader?.({ schema, value, place, source, reader: this });
      if (complaint === undefined) continue;
      const { rule, why } =
        typeof complaint === "string" ? { rule: "malformed-keyword" as const, why: complaint } : complaint;
      this.report(rule, place, `${keyword} ${why}`);
    }
  }
}
