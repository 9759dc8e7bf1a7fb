/** Removes write-only properties before the projection, so that they do not select a branch. */
import { leadingTo } from "./analysis.ts";
import { quote } from "./code.ts";
import { patternTest } from "./emit/strings.ts";
import { acceptTest, applyCondition, typeTest } from "./emit/type-tests.ts";
import { otherParts } from "./emit/unevaluated.ts";
import type { Scope } from "./module.ts";
import { described, isWithheld, reachable, type Schema } from "./schema.ts";
import { tagTests } from "./tags.ts";

export class Withholding {
  readonly #leading: Set<Schema>;

  constructor(roots: Iterable<Schema>) {
    const all = reachable(roots);
    const holds = ({ properties, patternProperties }: Schema): boolean =>
      [...(properties?.values() ?? []), ...(patternProperties?.values() ?? [])].some(isWithheld);
    this.#leading = leadingTo([...all].filter(holds), all, described);
  }

  /** The written code may assign a new value to the variable `value`. */
  apply(scope: Scope, schema: Schema | undefined, value: string): void {
    if (!schema || !this.#leading.has(schema)) return;
    if (scope.module.isShared(schema))
      scope.lines.line(`${value} = ${scope.call("withhold", schema, value)};`);
    else this.#write(scope, schema, value);
  }

  shared(scope: Scope, schema: Schema): void {
    this.#write(scope, schema, "value");
    scope.lines.line("return value;");
  }

  #write(scope: Scope, schema: Schema, value: string): void {
    this.apply(scope, schema.ref, value);
    for (const part of schema.allOf ?? []) this.apply(scope, part, value);
    for (const branches of [schema.anyOf, schema.oneOf])
      if (branches?.some((branch) => this.#leading.has(branch)))
        this.#branches(scope, schema, branches, value);
    applyCondition(scope, schema, value, this.#leading, (part) => this.apply(scope, part, value));
    scope.when(typeTest("object", value), () => this.#object(scope, schema, value));
    scope.when(typeTest("array", value), () => this.#array(scope, schema, value));
  }

  /** Tests each branch without its write-only properties. */
  #branches(scope: Scope, schema: Schema, branches: readonly Schema[], value: string): void {
    const tests = tagTests(scope, schema, branches, value);
    for (const [index, branch] of branches.entries()) {
      if (tests) {
        scope.when(tests[index] ?? "false", () => this.apply(scope, branch, value));
        continue;
      }
      const rest = scope.variable("rest");
      scope.lines.line(`let ${rest} = ${value};`);
      this.apply(scope, branch, rest);
      scope.lines.line(`if (${acceptTest(scope, branch, rest)}) ${value} = ${rest};`);
    }
  }

  #object(scope: Scope, schema: Schema, value: string): void {
    const replace = (key: string, by: string) =>
      scope.lines.line(`${value} = ${scope.module.helper("replaced")}(${value}, ${key}, ${by});`);
    const within = (part: Schema, key: string, read: string) => {
      const hold = scope.variable("part");
      scope.lines.line(`let ${hold} = ${read};`);
      this.apply(scope, part, hold);
      replace(key, hold);
    };
    for (const [name, property] of schema.properties ?? []) {
      if (isWithheld(property)) replace(quote(name), "undefined");
      else if (this.#leading.has(property)) within(property, quote(name), scope.property(value, name));
    }
    for (const [name, dependent] of schema.dependentSchemas ?? [])
      if (this.#leading.has(dependent))
        scope.when(`${scope.property(value, name)} !== undefined`, () => this.apply(scope, dependent, value));
    for (const [pattern, part] of schema.patternProperties ?? [])
      if (isWithheld(part))
        scope.eachProperty(value, (key) =>
          scope.when(patternTest(scope, pattern, key), () => replace(key, "undefined")),
        );
    scope.eachProperty(value, (key) =>
      otherParts(scope, schema, value, key, (part, hold) => {
        if (this.#leading.has(part)) within(part, key, hold);
      }),
    );
  }

  #array(scope: Scope, schema: Schema, value: string): void {
    const { prefixItems = [] } = schema;
    const rest = schema.items ?? schema.unevaluatedItems;
    const [first] = [...prefixItems, rest].filter((item) => item && this.#leading.has(item));
    if (!first) return;
    const whole = scope.variable("whole");
    scope.lines.line(`const ${whole} = ${value};`);
    const one = (item: Schema, index: string) => {
      const hold = scope.variable("item");
      scope.lines.line(`let ${hold} = ${whole}[${index}];`);
      this.apply(scope, item, hold);
      scope.when(`${hold} !== ${whole}[${index}]`, () => {
        scope.lines.line(`if (${value} === ${whole}) ${value} = ${whole}.slice();`);
        scope.lines.line(`${value}[${index}] = ${hold};`);
      });
    };
    for (const [index, item] of prefixItems.entries())
      if (this.#leading.has(item)) scope.when(`${value}.length > ${index}`, () => one(item, String(index)));
    if (!rest || !this.#leading.has(rest)) return;
    scope.eachIndex(value, prefixItems.length, (index) => one(rest, index));
  }
}
