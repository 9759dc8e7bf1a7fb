/** Restores undeclared properties that the value needs to be valid, for example because of `required` or `not`. */
import { haveDistinctTypes, leadingTo } from "./analysis.ts";
import { quote } from "./code.ts";
import { acceptTest, applyCondition, typeTest } from "./emit/type-tests.ts";
import { otherParts } from "./emit/unevaluated.ts";
import type { Scope } from "./module.ts";
import { allWithin, assertions, isWithheld, reachable, type Schema } from "./schema.ts";
import { tagTests } from "./tags.ts";

/** Expressions for a part of the value, the copy of the value, and the name or index of the part. */
type Place = readonly [value: string, out: string, key: string];
type Pick = (scope: Scope, schema: Schema, value: string, out: string) => void;

/** `rest`: declared properties are already copied. `all`: copies all of them, so that an invalid value stays invalid. */
type KeepMode = "rest" | "all";
const kinds = { rest: "keep", all: "keepAll" } as const;

/** Names of properties that keywords other than `properties` mention. */
function askedNames(schema: Schema): Set<string> {
  const literals = [schema.const?.value, ...(schema.enum ?? [])];
  const objects = literals.filter(
    (each) => typeof each === "object" && each !== null && !Array.isArray(each),
  );
  return new Set([
    ...(schema.required ?? []),
    ...[...(schema.dependentRequired ?? [])].flat(2),
    ...(schema.dependentSchemas?.keys() ?? []),
    ...objects.flatMap((each) => Object.keys(Object(each))),
  ]);
}

function asks(schema: Schema): boolean {
  const { properties, not, contains, oneOf = [] } = schema;
  if ([...askedNames(schema)].some((name) => !properties?.has(name))) return true;
  return not !== undefined || contains !== undefined || schema.if !== undefined || !haveDistinctTypes(oneOf);
}

function names(schema: Schema): boolean {
  return askedNames(schema).size > 0 || "properties" in schema || "patternProperties" in schema;
}

export class Keeping {
  readonly #leading: Record<KeepMode, Set<Schema>>;
  readonly #pick: Pick;

  constructor(roots: Iterable<Schema>, pick: Pick) {
    const all = reachable(roots);
    const naming = leadingTo([...all].filter(names), all, allWithin);
    const asking = [...all].filter((schema) => asks(schema) && naming.has(schema));
    this.#leading = { rest: leadingTo(asking, all, allWithin), all: naming };
    this.#pick = pick;
  }

  /** Does nothing if the copy is the value itself, because then no property was removed. */
  apply(scope: Scope, schema: Schema, value: string, out: string): void {
    if (this.#leading.rest.has(schema))
      scope.when(`${out} !== ${value}`, () => {
        scope.lines.line("const later = [];");
        this.#keep(scope, schema, value, out, "rest");
        const memory = schema.remembered ? ", memory" : "";
        scope.lines.line(`${scope.module.helper("keepParts")}(later${memory});`);
      });
  }

  shared(scope: Scope, schema: Schema, reach: KeepMode): void {
    this.#write(scope, schema, "value", "out", reach);
  }

  #keep(scope: Scope, schema: Schema | undefined, value: string, out: string, reach: KeepMode): void {
    if (!schema || !this.#leading[reach].has(schema)) return;
    if (scope.module.isShared(schema))
      scope.lines.line(`${scope.call(kinds[reach], schema, value, out, "later")};`);
    else this.#write(scope, schema, value, out, reach);
  }

  #write(scope: Scope, schema: Schema, value: string, out: string, reach: KeepMode): void {
    for (const part of [schema.ref, ...(schema.allOf ?? [])]) this.#keep(scope, part, value, out, reach);
    for (const part of [schema.not, schema.if]) this.#keep(scope, part, value, out, "all");
    if (reach === "all") {
      const others = [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), schema.then, schema.else];
      for (const part of others) this.#keep(scope, part, value, out, "all");
    } else {
      applyCondition(scope, schema, value, this.#leading.rest, (part) =>
        this.#keep(scope, part, value, out, "rest"),
      );
      this.#anyBranches(scope, schema.anyOf ?? [], value, out);
      this.#oneBranch(scope, schema, schema.oneOf ?? [], value, out);
    }
    scope.when(typeTest("object", value), () => this.#object(scope, schema, value, out, reach));
    scope.when(typeTest("array", value), () => this.#array(scope, schema, value, out, reach));
  }

  #anyBranches(scope: Scope, branches: readonly Schema[], value: string, out: string): void {
    for (const branch of branches)
      if (this.#leading.rest.has(branch))
        scope.when(acceptTest(scope, branch, value), () => this.#keep(scope, branch, value, out, "rest"));
  }

  /** The copy must keep all properties that make the other branches invalid. */
  #oneBranch(scope: Scope, schema: Schema, branches: readonly Schema[], value: string, out: string): void {
    const tags = branches.length > 0 ? tagTests(scope, schema, branches, value) : undefined;
    const isAlone = tags !== undefined || haveDistinctTypes(branches);
    for (const [index, branch] of branches.entries())
      scope.when(
        tags?.[index] ?? acceptTest(scope, branch, value),
        () => this.#keep(scope, branch, value, out, "rest"),
        () => (isAlone ? undefined : this.#keep(scope, branch, value, out, "all")),
      );
  }

  #object(scope: Scope, schema: Schema, value: string, out: string, reach: KeepMode): void {
    const named = (name: string, property?: Schema) =>
      scope.when(`${scope.property(value, name)} !== undefined`, () =>
        this.#part(scope, property, [scope.property(value, name), out, quote(name)], reach, true),
      );
    for (const name of askedNames(schema)) if (!schema.properties?.has(name)) named(name);
    for (const [name, property] of schema.properties ?? [])
      if (!isWithheld(property) && (reach === "all" || this.#leading.rest.has(property)))
        named(name, property);
    for (const [name, dependent] of schema.dependentSchemas ?? [])
      scope.when(reach === "all" ? "true" : `${scope.property(value, name)} !== undefined`, () =>
        this.#keep(scope, dependent, value, out, reach),
      );
    const patterns = new Set(schema.patternProperties?.values());
    scope.eachProperty(value, (key) =>
      otherParts(scope, schema, value, key, (part, hold) => {
        const isNamed = reach === "all" && patterns.has(part) && !isWithheld(part);
        this.#part(scope, part, [hold, out, key], reach, isNamed);
      }),
    );
  }

  #array(scope: Scope, schema: Schema, value: string, out: string, reach: KeepMode): void {
    const { prefixItems = [], items, unevaluatedItems, contains } = schema;
    const one = (item: Schema | undefined, index: string, within: KeepMode) =>
      this.#part(scope, item, [`${value}[${index}]`, out, index], within);
    for (const [index, item] of prefixItems.entries()) one(item, String(index), reach);
    scope.eachIndex(out, prefixItems.length, (index) => one(items ?? unevaluatedItems, index, reach));
    scope.eachIndex(out, 0, (index) => one(contains, index, "all"));
  }

  /**
   * Restores the part if `isNamed`. What is inside is kept after `out` is complete, because another schema may restore
   * the part too.
   */
  #part(scope: Scope, schema: Schema | undefined, place: Place, reach: KeepMode, isNamed = false): void {
    const [value, out, key] = place;
    if (isNamed)
      scope.when(`${scope.module.helper("own")}(${out}, ${key}) === undefined`, () => {
        const copy = scope.variable("copy");
        scope.lines.line(`let ${copy} = ${value};`);
        if (schema) this.#pick(scope, schema, value, copy);
        scope.lines.line(`${scope.module.helper("put")}(${out}, ${key}, ${copy});`);
      });
    if (!schema || !this.#leading[reach].has(schema)) return;
    const target = schema.ref && assertions(schema).length === 1 ? schema.ref : schema;
    const keep = scope.module.require(kinds[reach], target, scope.owner);
    scope.lines.line(`later.push(${keep}, ${value}, ${out}, ${key});`);
  }
}
