/** Compares verdicts with the project's validators on random schemas, to check that no breaking change is missed. */
import { describe, expect, test } from "vitest";
import { randomFrom } from "../../../server/testing/random.ts";
import { compileRoot } from "../json-schema/testing/compiled.ts";
import { isObject, type Json, type JsonObject } from "../openapi/document.ts";
import { placeAt, type SchemaPlace } from "../openapi/schema/schema-view.ts";
import { SchemaComparison } from "./schemas.ts";
import type { Spec } from "./spec.ts";
import { open, ref, schemas, withPaths } from "./testing/notation.ts";
import { specOf } from "./testing/spec.ts";

class Maker {
  readonly #next: () => number;

  constructor(seed: number) {
    this.#next = randomFrom(seed);
  }

  #below(count: number): number {
    return Math.floor(this.#next() * count);
  }

  #one<T>(items: readonly [T, ...T[]]): T {
    return items[this.#below(items.length)] ?? items[0];
  }

  #maybe(object: JsonObject): JsonObject {
    return this.#below(3) === 0 ? object : {};
  }

  schema(depth = 2): Json {
    const [none, few] = [{ type: "null" }, { enum: ["a", 1, null] }];
    const leafs = [
      () => this.#one<Json>([true, {}, none, { type: "boolean" }, { const: "a" }, few]),
      () => this.#text(),
      () => this.#number(),
    ] as const;
    if (depth === 0) return this.#one(leafs)();
    return this.#one<() => Json>([
      ...leafs,
      () => this.#object(depth - 1),
      () => this.#object(depth - 1),
      () => this.#list(depth - 1),
      () => ({ [this.#one(["allOf", "anyOf", "oneOf"])]: [this.schema(depth - 1), this.schema(depth - 1)] }),
      () => ({ not: this.schema(depth - 1) }),
      () => ({ if: this.schema(depth - 1), [this.#one(["then", "else"])]: this.schema(depth - 1) }),
      () => ({ $ref: `#/components/schemas/${this.#one(["Leaf", "Tree"])}` }),
    ])();
  }

  #text(): JsonObject {
    return {
      type: this.#one<Json>(["string", ["string", "null"], ["string", "integer"]]),
      ...this.#maybe({ minLength: this.#below(3) }),
      ...this.#maybe({ maxLength: 1 + this.#below(3) }),
      ...this.#maybe({ pattern: this.#one(["^a", "^[ab]*$", "b$", "^a?b", "^(ab|b)+$", "a"]) }),
    };
  }

  #number(): JsonObject {
    return {
      type: this.#one<Json>(["number", "integer", ["number", "null"]]),
      ...this.#maybe({ minimum: this.#below(3) }),
      ...this.#maybe({ exclusiveMinimum: this.#below(3) }),
      ...this.#maybe({ maximum: this.#below(4) }),
      ...this.#maybe({ exclusiveMaximum: 1 + this.#below(3) }),
      ...this.#maybe({ multipleOf: this.#one([0.5, 1, 2]) }),
    };
  }

  #object(depth: number): JsonObject {
    const name = () => this.#one(["a", "b"]);
    return {
      ...this.#maybe({ type: "object" }),
      ...this.#maybe({ properties: { a: this.schema(depth) } }),
      ...this.#maybe({ properties: { a: this.schema(depth), b: this.schema(depth) } }),
      ...this.#maybe({ required: [name()] }),
      ...this.#maybe({ additionalProperties: this.#one<Json>([false, this.schema(depth)]) }),
      ...this.#maybe({ patternProperties: { [this.#one(["^a", "b", "^x"])]: this.schema(depth) } }),
      ...this.#maybe(this.#maybe({ propertyNames: { pattern: this.#one(["^a", "^[ab]$"]) } })),
      ...this.#maybe(this.#maybe({ minProperties: this.#below(3) })),
      ...this.#maybe(this.#maybe({ maxProperties: this.#below(3) })),
      ...this.#maybe(this.#maybe({ dependentRequired: { [name()]: [name()] } })),
      ...this.#maybe(this.#maybe({ dependentSchemas: { [name()]: this.schema(depth) } })),
      ...this.#maybe(this.#maybe({ allOf: [this.schema(depth)], unevaluatedProperties: false })),
    };
  }

  #list(depth: number): JsonObject {
    return {
      ...this.#maybe({ type: "array" }),
      ...this.#maybe({ items: this.#one<Json>([false, this.schema(depth)]) }),
      ...this.#maybe({ prefixItems: [this.schema(depth)] }),
      ...this.#maybe({ minItems: this.#below(3) }),
      ...this.#maybe({ maxItems: this.#below(3) }),
      ...this.#maybe(this.#maybe({ uniqueItems: true })),
      ...this.#maybe(this.#maybe({ contains: this.schema(depth), minContains: this.#below(3) })),
      ...this.#maybe(this.#maybe({ contains: this.schema(depth), maxContains: 1 + this.#below(2) })),
      ...this.#maybe(this.#maybe({ unevaluatedItems: false })),
    };
  }

  /** Returns the schema with one small change. */
  changed(schema: Json): Json {
    if (!isObject(schema) || this.#below(6) === 0) return this.schema(1);
    const [key] = Object.keys(schema).toSorted(() => this.#next() - 0.5);
    if (key === undefined) return this.schema(1);
    const value = schema[key];
    if (this.#below(4) === 0)
      return Object.fromEntries(Object.entries(schema).filter(([name]) => name !== key));
    if (typeof value === "number") return { ...schema, [key]: value + this.#one([1, 2]) };
    if (isObject(value) && key !== "dependentRequired") {
      const isMap = /^(?:properties|patternProperties|dependentSchemas)$/.test(key);
      if (!isMap) return { ...schema, [key]: this.changed(value) };
      const [name = "a"] = Object.keys(value);
      return { ...schema, [key]: { ...value, [name]: this.changed(value[name] ?? true) } };
    }
    if (Array.isArray(value) && ["allOf", "anyOf", "oneOf", "prefixItems"].includes(key)) {
      const [first = true, ...others] = value;
      return { ...schema, [key]: [...others, this.changed(first)] };
    }
    return { ...schema, ...this.#one([() => this.#text(), () => this.#number(), () => this.#object(1)])() };
  }
}

const texts = ["", "a", "b", "ab", "ba", "aab", "x"];
const leafs: readonly Json[] = [null, true, false, 0, 1, 2, 3, 0.5, 1.5, ...texts];
const values: readonly Json[] = [
  ...leafs,
  [],
  {},
  ...leafs.flatMap((leaf): Json[] => [
    [leaf],
    [leaf, "a"],
    [leaf, leaf],
    [[leaf]],
    [{ a: leaf }],
    { a: leaf },
    { b: leaf },
    { x: leaf },
    { leaf },
    { a: { a: leaf } },
    { a: [leaf] },
    { left: { leaf } },
    { a: leaf, b: "a" },
    { a: 1, b: leaf },
    { ab: leaf, x: 1 },
  ]),
];

function componentsOf(schema: Json, leaf: Json): JsonObject {
  return { Root: schema, Leaf: leaf, Tree: open({ leaf, left: ref("Tree") }) };
}

const specFor = (components: JsonObject): Promise<Spec> =>
  specOf(withPaths({}, schemas(components)), "spec.json");
const rootOf = ({ document }: Spec): SchemaPlace => placeAt(document, "/components/schemas/Root");

/** Returns the indexes of valid values, or undefined if the compiler cannot enforce the schema. */
async function fitting({ Root, ...others }: JsonObject): Promise<ReadonlySet<number> | undefined> {
  const compiled = await compileRoot(Root, others).catch(() => undefined);
  if (compiled === undefined || compiled.unenforceable.length > 0) return undefined;
  return new Set(
    values.flatMap((value, index) =>
      compiled.problemsOf(structuredClone(value)).length === 0 ? [index] : [],
    ),
  );
}

describe("a change that is reported as compatible", () => {
  test.each([
    [1, "request"],
    [2, "request"],
    [3, "response"],
    [4, "response"],
  ] as const)("keeps every tried value of random schemas valid (seed %i, %s)", async (seed, side) => {
    const maker = new Maker(seed);
    let [compatible, narrower] = [0, 0];
    for (let round = 0; round < 400; round += 1) {
      const [schema, leaf] = [maker.schema(), maker.schema(0)];
      const old = componentsOf(schema, leaf);
      const now = componentsOf(maker.changed(schema), round % 5 === 0 ? maker.changed(leaf) : leaf);
      const [before, after] = [await fitting(old), await fitting(now)];
      if (before === undefined || after === undefined) continue;
      const [older, newer] = [await specFor(old), await specFor(now)];
      const changes = new SchemaComparison(older, newer).changes(rootOf(older), rootOf(newer), side);
      const [wasValid, isValid] = side === "request" ? [before, after] : [after, before];
      const lost = values.filter((_, index) => wasValid.has(index) && !isValid.has(index));
      const isCompatible = changes.every(({ impact }) => impact !== "major");
      // An open object allowed any value for a property that it did not declare. The verdict assumes that
      // callers did not send the property.
      const isAddition = side === "request" && changes.some(({ rule }) => rule === "schema-property-added");
      if (isCompatible && !isAddition) expect(lost, JSON.stringify([old, now, changes])).toEqual([]);
      if (isCompatible) compatible += 1;
      if (lost.length > 0) narrower += 1;
    }
    expect(compatible).toBeGreaterThan(50);
    expect(narrower).toBeGreaterThan(50);
  });
});
