/** A pick function gets a value and its copy. The copy is the value itself until a declared property is copied. */
import { leadingTo } from "./analysis.ts";
import { quote } from "./code.ts";
import { acceptTest, typeTest } from "./emit/type-tests.ts";
import { coversIndex, otherParts } from "./emit/unevaluated.ts";
import { Keeping } from "./keeping.ts";
import { isInherited, type Scope } from "./module.ts";
import { inPlace, reachable, type Schema } from "./schema.ts";
import { branchTests } from "./tags.ts";

function declaresProperties(schema: Schema): boolean {
  const keywords = ["properties", "patternProperties", "additionalProperties", "unevaluatedProperties"];
  return keywords.some((keyword) => keyword in schema);
}

function itemSchemas(schema: Schema): Schema[] {
  return [schema.items, schema.unevaluatedItems, ...(schema.prefixItems ?? [])].filter(
    (item) => item !== undefined,
  );
}

/** Schemas that declare properties of the value or of its items. Undeclared properties are removed. */
function declaringSchemas(roots: Iterable<Schema>): Set<Schema> {
  const all = reachable(roots);
  const outside = (schema: Schema) => inPlace(schema).filter((part) => part !== schema.not);
  return leadingTo([...all].filter(declaresProperties), all, (schema) => [
    ...outside(schema),
    ...itemSchemas(schema),
  ]);
}

export class Projection {
  readonly keeping: Keeping;
  readonly #declaring: Set<Schema>;

  constructor(roots: Iterable<Schema>) {
    this.#declaring = declaringSchemas(roots);
    this.keeping = new Keeping(roots, (...found) => this.#pick(...found));
  }

  entry(scope: Scope, schema: Schema): void {
    if (!this.#declaring.has(schema)) {
      scope.lines.line("return value;");
      return;
    }
    scope.lines.line("let out = value;");
    this.#pick(scope, schema, "value", "out");
    this.keeping.apply(scope, schema, "value", "out");
    scope.lines.line("return out;");
  }

  shared(scope: Scope, schema: Schema): void {
    this.#write(scope, schema, "value", "out");
    scope.lines.line("return out;");
  }

  #pick(scope: Scope, schema: Schema | undefined, value: string, out: string): void {
    if (!schema || !this.#declaring.has(schema)) return;
    if (scope.module.isShared(schema))
      scope.lines.line(`${out} = ${scope.call("pick", schema, value, out)};`);
    else this.#write(scope, schema, value, out);
  }

  #write(scope: Scope, schema: Schema, value: string, out: string): void {
    this.#pick(scope, schema.ref, value, out);
    for (const part of schema.allOf ?? []) this.#pick(scope, part, value, out);
    for (const branches of [schema.anyOf, schema.oneOf])
      if (branches?.some((branch) => this.#declaring.has(branch)))
        this.#pickBranches(scope, schema, branches, value, out);
    const { if: condition, then: consequence, else: alternative } = schema;
    if (condition && [condition, consequence, alternative].some((part) => part && this.#declaring.has(part)))
      scope.when(
        acceptTest(scope, condition, value),
        () => {
          this.#pick(scope, condition, value, out);
          this.#pick(scope, consequence, value, out);
        },
        () => this.#pick(scope, alternative, value, out),
      );
    if (declaresProperties(schema) || schema.dependentSchemas)
      scope.when(typeTest("object", value), () => this.#pickProperties(scope, schema, value, out));
    if (itemSchemas(schema).some((item) => this.#declaring.has(item)))
      scope.when(typeTest("array", value), () => this.#pickItems(scope, schema, value, out));
  }

  /** If no branch is valid, the value is invalid, and no property is copied. */
  #pickBranches(scope: Scope, schema: Schema, branches: readonly Schema[], value: string, out: string): void {
    const tests = branchTests(scope, schema, branches, value);
    const none = scope.variable("none");
    scope.lines.line(`let ${none} = true;`);
    for (const [index, branch] of branches.entries())
      scope.when(tests[index] ?? "false", () => {
        scope.lines.line(`${none} = false;`);
        this.#pick(scope, branch, value, out);
      });
    scope.lines.line(
      `if (${none} && ${out} === ${value}) ${out} = ${scope.module.helper("blank")}(${value});`,
    );
  }

  #pickProperties(scope: Scope, schema: Schema, value: string, out: string): void {
    if (declaresProperties(schema)) scope.lines.line(`if (${out} === ${value}) ${out} = {};`);
    for (const [name, property] of schema.properties ?? []) {
      const hold = scope.variable(name);
      scope.lines.line(`const ${hold} = ${scope.property(value, name)};`);
      scope.when(`${hold} !== undefined`, () => {
        const copied = scope.property(out, name);
        const isPlain = !isInherited(name);
        if (isPlain && !this.#declaring.has(property))
          return scope.lines.line(`if (${copied} === undefined) ${copied} = ${hold};`);
        const copy = this.#copy(scope, property, hold, copied);
        scope.lines.line(
          isPlain
            ? `${copied} = ${copy};`
            : `${scope.module.helper("put")}(${out}, ${quote(name)}, ${copy});`,
        );
      });
    }
    for (const [name, dependent] of schema.dependentSchemas ?? [])
      scope.when(`${scope.property(value, name)} !== undefined`, () =>
        this.#pick(scope, dependent, value, out),
      );
    scope.eachProperty(value, (key) =>
      otherParts(scope, schema, value, key, (part, hold) => {
        const copy = this.#copy(scope, part, hold, `${scope.module.helper("own")}(${out}, ${key})`);
        scope.lines.line(
          `if (${copy} !== undefined) ${scope.module.helper("put")}(${out}, ${key}, ${copy});`,
        );
      }),
    );
  }

  /**
   * Generates code that copies the declared parts of `value` into `copied`. If nothing was copied yet, `#pick` makes the
   * copy. Returns the name of the variable.
   */
  #copy(scope: Scope, schema: Schema, value: string, copied: string, hint = "copy"): string {
    const copy = scope.variable(hint);
    scope.lines.line(`let ${copy} = ${copied};`);
    scope.lines.line(`if (${copy} === undefined) ${copy} = ${value};`);
    this.#pick(scope, schema, value, copy);
    return copy;
  }

  #pickItems(scope: Scope, schema: Schema, value: string, out: string): void {
    scope.lines.line(`if (${out} === ${value}) ${out} = ${value}.slice();`);
    const { prefixItems = [] } = schema;
    const one = (item: Schema, index: string) => {
      const copy = this.#copy(scope, item, `${value}[${index}]`, `${out}[${index}]`, "item");
      scope.lines.line(`${out}[${index}] = ${copy};`);
    };
    for (const [index, item] of prefixItems.entries())
      if (this.#declaring.has(item)) scope.when(`${value}.length > ${index}`, () => one(item, String(index)));
    const rest = schema.items ?? schema.unevaluatedItems;
    if (!rest || !this.#declaring.has(rest)) return;
    scope.eachIndex(value, prefixItems.length, (index) => {
      if (schema.items) return one(rest, index);
      scope.when(`!${coversIndex(scope, schema, value, index)}`, () => one(rest, index));
    });
  }
}
