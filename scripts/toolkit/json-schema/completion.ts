/** Fills in defaults. Collects all of them before any is set, because the sent value decides the branch of `oneOf`. */
import { leadingTo } from "./analysis.ts";
import { literal, quote } from "./code.ts";
import { applyCondition, typeTest } from "./emit/type-tests.ts";
import { otherParts } from "./emit/unevaluated.ts";
import type { Scope } from "./module.ts";
import { composition, described, reachable, type Schema } from "./schema.ts";
import { branchTests } from "./tags.ts";

function effectiveDefault(schema: Schema): { value: unknown } | undefined {
  return composition(schema).find((part) => part.default)?.default;
}

function fillableSchemas(roots: Iterable<Schema>): Set<Schema> {
  const all = reachable(roots);
  const holders = [...all].filter((schema) =>
    [...(schema.properties?.values() ?? [])].some((property) => effectiveDefault(property) !== undefined),
  );
  return leadingTo(holders, all, described);
}

export class Completion {
  readonly #fillable: Set<Schema>;

  constructor(roots: Iterable<Schema>) {
    this.#fillable = fillableSchemas(roots);
  }

  applies(schema: Schema): boolean {
    return this.#fillable.has(schema) || effectiveDefault(schema) !== undefined;
  }

  entry(scope: Scope, schema: Schema): void {
    const root = effectiveDefault(schema);
    if (root) scope.lines.line(`if (value === undefined) value = ${literal(root.value)};`);
    if (!this.#fillable.has(schema)) {
      scope.lines.line("return value;");
      return;
    }
    scope.lines.line("const later = [];");
    this.fill(scope, schema, "value");
    scope.lines.line(`return ${scope.module.helper("setAbsent")}(value, later);`);
  }

  fill(scope: Scope, schema: Schema | undefined, value: string): void {
    if (!schema || !this.#fillable.has(schema)) return;
    if (scope.module.isShared(schema)) scope.lines.line(`${scope.call("fill", schema, value, "later")};`);
    else this.write(scope, schema, value);
  }

  write(scope: Scope, schema: Schema, value: string): void {
    this.fill(scope, schema.ref, value);
    for (const part of schema.allOf ?? []) this.fill(scope, part, value);
    for (const branches of [schema.anyOf, schema.oneOf]) {
      if (!branches?.some((branch) => this.#fillable.has(branch))) continue;
      const tests = branchTests(scope, schema, branches, value);
      for (const [index, branch] of branches.entries())
        scope.when(tests[index] ?? "false", () => this.fill(scope, branch, value));
    }
    applyCondition(scope, schema, value, this.#fillable, (part) => this.fill(scope, part, value));
    scope.when(typeTest("object", value), () => this.#object(scope, schema, value));
    scope.when(typeTest("array", value), () => this.#array(scope, schema, value));
  }

  #object(scope: Scope, schema: Schema, value: string): void {
    for (const [name, property] of schema.properties ?? []) {
      const preset = effectiveDefault(property);
      const read = scope.property(value, name);
      const later = (expression: string) => `later.push(${value}, ${quote(name)}, ${expression});`;
      if (!this.#fillable.has(property)) {
        if (preset) scope.lines.line(`if (${read} === undefined) ${later(literal(preset.value))}`);
        continue;
      }
      const hold = scope.variable(name);
      scope.lines.line(`${preset ? "let" : "const"} ${hold} = ${read};`);
      if (preset)
        scope.when(`${hold} === undefined`, () => {
          scope.lines.line(`${hold} = ${literal(preset.value)};`);
          scope.lines.line(later(hold));
        });
      this.fill(scope, property, hold);
    }
    for (const [name, dependent] of schema.dependentSchemas ?? [])
      scope.when(`${scope.property(value, name)} !== undefined`, () => this.fill(scope, dependent, value));
    scope.eachProperty(value, (key) =>
      otherParts(scope, schema, value, key, (part, hold) => this.fill(scope, part, hold)),
    );
  }

  #array(scope: Scope, schema: Schema, value: string): void {
    for (const [index, item] of (schema.prefixItems ?? []).entries())
      this.fill(scope, item, `${value}[${index}]`);
    const { items } = schema;
    if (!items) return;
    scope.eachIndex(value, schema.prefixItems?.length ?? 0, (index) =>
      scope.hold("item", `${value}[${index}]`, (hold) => this.fill(scope, items, hold)),
    );
  }
}
