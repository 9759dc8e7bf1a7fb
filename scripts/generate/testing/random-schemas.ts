/**
 * Random schemas that TypeScript and JSON Schema can express, and their values. They do not depend on the generator.
 */
import fc from "fast-check";
import type { Json, JsonObject } from "../../openapi/document.ts";

export type Access = "readOnly" | "writeOnly" | undefined;

export interface Property {
  readonly node: Node;
  readonly required: boolean;
  readonly access: Access;
  /** True if the access keyword is in the target of the property's `$ref`. */
  readonly accessBehind: boolean;
  readonly default: Json | undefined;
}
type Properties = { readonly [name: string]: Property };

/** The meaning of a schema. A `shared` schema is a component. */
export type Node =
  | { readonly kind: "string" | "number" | "integer" | "boolean" | "null" }
  | { readonly kind: "enum"; readonly values: readonly (string | number)[] }
  | { readonly kind: "const"; readonly value: string | number | boolean }
  | { readonly kind: "array" | "record" | "nullable"; readonly of: Node; readonly shared: boolean }
  | {
      readonly kind: "tuple";
      readonly first: readonly Node[];
      /** The minimum number of items. */
      readonly least: number;
      /** The type of more items, or undefined if they are not allowed. */
      readonly rest: Node | undefined;
      readonly shared: boolean;
    }
  | { readonly kind: "object"; readonly properties: Properties; readonly shared: boolean }
  | {
      readonly kind: "all";
      readonly parts: readonly { readonly properties: Properties; readonly shared: boolean }[];
      /** Whether a separate schema has the `required` list, either inline or as a component. */
      readonly requiredApart: "no" | "inline" | "shared";
    }
  | { readonly kind: "union"; readonly branches: readonly Properties[]; readonly shared: boolean }
  | { readonly kind: "recursion"; readonly to: number };

/** `sent` means sent by callers, `returned` means returned by handlers. */
export type Side = "sent" | "returned";

/** A value that is wrong in one place. */
export interface Mutation {
  readonly what: string;
  readonly value: Json;
  /** Where a validator must report a problem. */
  readonly pointer: string;
}

// Some names are those of keywords, to test that such a property is not read as a keyword.
const names = [
  "name",
  "size",
  "a-b",
  "type",
  "default",
  "readOnly",
  "properties",
  "required",
  "items",
  "$id",
];
const scalars = ["string", "number", "integer", "boolean", "null"] as const;
const tag = "kind";

const words = fc.constantFrom("", "a", "b", "two words", "ä", '"\\');
const leaf: fc.Arbitrary<Node> = fc.oneof(
  fc.constantFrom(...scalars).map((kind) => ({ kind })),
  fc
    .uniqueArray(fc.oneof(words, fc.integer({ min: 0, max: 9 })), { minLength: 1, maxLength: 3 })
    .map((values) => ({ kind: "enum", values }) as const),
  fc
    .oneof(words, fc.integer({ min: 0, max: 9 }), fc.boolean())
    .map((value) => ({ kind: "const", value }) as const),
);

/** @param count the number of roots that references may point to */
function nodeOf(count: number, depth: number): fc.Arbitrary<Node> {
  if (depth === 0) return leaf;
  const inner = nodeOf(count, depth - 1);
  const properties = propertiesOf(count, depth - 1, names);
  const shared = fc.boolean();
  return fc.oneof(
    leaf,
    fc.record({
      kind: fc.constantFrom("array" as const, "record" as const, "nullable" as const),
      of: inner,
      shared,
    }),
    fc.array(inner, { minLength: 1, maxLength: 3 }).chain((first) =>
      fc.record({
        kind: fc.constant("tuple" as const),
        first: fc.constant(first),
        least: fc.nat({ max: first.length }),
        rest: fc.option(inner, { nil: undefined, freq: 2 }),
        shared,
      }),
    ),
    fc.record({ kind: fc.constant("object" as const), properties, shared }),
    fc.record({
      kind: fc.constant("all" as const),
      parts: fc.tuple(
        fc.record({ properties: propertiesOf(count, depth - 1, names.slice(0, 4), 1), shared }),
        fc.record({ properties: propertiesOf(count, depth - 1, names.slice(4), 1), shared }),
      ),
      requiredApart: fc.constantFrom("no" as const, "inline" as const, "shared" as const),
    }),
    fc.record({
      kind: fc.constant("union" as const),
      branches: fc.array(properties, { minLength: 2, maxLength: 3 }),
      shared,
    }),
  );
}

function propertiesOf(
  count: number,
  depth: number,
  from: readonly string[],
  minKeys = 0,
): fc.Arbitrary<Properties> {
  return fc.dictionary(fc.constantFrom(...from), propertyOf(count, depth), {
    minKeys,
    maxKeys: 4,
    noNullPrototype: true,
  });
}

function propertyOf(count: number, depth: number): fc.Arbitrary<Property> {
  const access = fc.option(fc.constantFrom("readOnly" as const, "writeOnly" as const), {
    nil: undefined,
    freq: 2,
  });
  const plain = nodeOf(count, depth).chain((node) =>
    fc.record({
      node: fc.constant(node),
      required: fc.boolean(),
      access,
      accessBehind: fc.boolean(),
      default:
        "of" in node || "shared" in node || node.kind === "all" ? fc.constant(undefined) : defaultOf(node),
    }),
  );
  // Recursion is always optional, because a value with required recursion would be infinite.
  const recursive = fc.nat({ max: count - 1 }).map((to) => ({
    node: { kind: "recursion" as const, to },
    required: false,
    access: undefined,
    accessBehind: false,
    default: undefined,
  }));
  return fc.oneof({ arbitrary: plain, weight: 6 }, { arbitrary: recursive, weight: 1 });
}

function defaultOf(node: Node): fc.Arbitrary<Json | undefined> {
  return fc.option(valuesOf([], node, "sent", 0), { nil: undefined, freq: 2 });
}

/** Nodes that may refer to each other by index. */
export function rootsOf(count: number): fc.Arbitrary<Node[]> {
  return fc.array(nodeOf(count, 3), { minLength: count, maxLength: count });
}

/** Whether the property exists on the side. */
export function isThere({ access }: Property, side: Side): boolean {
  return access !== (side === "sent" ? "readOnly" : "writeOnly");
}

/** Valid values of a node. @param depth how many more levels of optional parts may be generated */
export function valuesOf(roots: readonly Node[], node: Node, side: Side, depth = 3): fc.Arbitrary<Json> {
  const objectOf = (properties: Properties, tagged?: string): fc.Arbitrary<Json> => {
    const there = Object.entries(properties).filter(
      ([, property]) => isThere(property, side) && (property.required || depth > 0),
    );
    const model = Object.fromEntries(
      there.map(([name, { node: part }]) => [name, valuesOf(roots, part, side, depth - 1)]),
    );
    const requiredKeys = there.flatMap(([name, { required }]) => (required ? [name] : []));
    return fc
      .record(model, { requiredKeys, noNullPrototype: true })
      .map((object) => (tagged === undefined ? object : { [tag]: tagged, ...object }));
  };
  switch (node.kind) {
    case "string":
      return words;
    case "number":
      return fc.constantFrom(0, 1.5, -2);
    case "integer":
      return fc.integer({ min: -9, max: 9 });
    case "boolean":
      return fc.boolean();
    case "null":
      return fc.constant(null);
    case "enum":
      return fc.constantFrom(...node.values);
    case "const":
      return fc.constant(node.value);
    case "array":
      return fc.array(valuesOf(roots, node.of, side, depth - 1), { maxLength: depth > 0 ? 2 : 0 });
    case "tuple": {
      const { first, least, rest } = node;
      const items = first.map((item) => valuesOf(roots, item, side, depth - 1));
      const whole = fc.tuple(...items);
      if (depth <= 0) return whole.map((list) => list.slice(0, least));
      const further =
        rest === undefined
          ? fc.constant([])
          : fc.array(valuesOf(roots, rest, side, depth - 1), { maxLength: 2 });
      return fc.oneof(
        fc
          .tuple(whole, fc.integer({ min: least, max: first.length }))
          .map(([list, length]) => list.slice(0, length)),
        fc.tuple(whole, further).map(([list, others]) => [...list, ...others]),
      );
    }
    case "record":
      return fc.dictionary(fc.constantFrom("x", "y z"), valuesOf(roots, node.of, side, depth - 1), {
        maxKeys: depth > 0 ? 2 : 0,
        noNullPrototype: true,
      });
    case "nullable":
      return fc.oneof(fc.constant(null), valuesOf(roots, node.of, side, depth));
    case "object":
      return objectOf(node.properties);
    case "all":
      return fc
        .tuple(...node.parts.map(({ properties }) => objectOf(properties)))
        .map((parts) => Object.assign({}, ...parts) as Json);
    case "union":
      return fc.oneof(...node.branches.map((branch, index) => objectOf(branch, tagOf(index))));
    case "recursion": {
      const target = roots[node.to];
      if (target === undefined) throw new Error("a recursive reference must point to a root");
      return valuesOf(roots, target, side, depth);
    }
  }
}

function tagOf(branch: number): string {
  return `branch ${branch}`;
}

/** Every way to make a value wrong in one place. */
export function mutationsOf(
  roots: readonly Node[],
  node: Node,
  side: Side,
  value: Json,
  pointer = "",
): Mutation[] {
  const found: Mutation[] = [];
  const add = (what: string, wrong: Json, below = ""): void => {
    found.push({ what, value: wrong, pointer: pointer + below });
  };
  const within = (part: Node, key: string | number, put: (changed: Json) => Json, held: Json): void => {
    for (const mutation of mutationsOf(roots, part, side, held, `${pointer}/${key}`))
      found.push({ ...mutation, value: put(mutation.value) });
  };
  const object = (properties: Properties, isClosed: boolean): void => {
    const given = value as JsonObject;
    for (const [name, property] of Object.entries(properties)) {
      const held = given[name];
      if (!isThere(property, side)) {
        const [sample = null] = fc.sample(valuesOf(roots, property.node, side, 0), { numRuns: 1, seed: 1 });
        add(`${property.access} property`, { ...given, [name]: sample }, `/${name}`);
      } else if (held !== undefined) {
        if (property.required) add("missing required property", without(given, name), `/${name}`);
        within(property.node, name, (changed) => ({ ...given, [name]: changed }), held);
      }
    }
    if (isClosed) add("undeclared property", { ...given, undeclared: 1 }, "/undeclared");
  };
  switch (node.kind) {
    case "nullable":
      if (value !== null) found.push(...mutationsOf(roots, node.of, side, value, pointer));
      else if (acceptsNothingOf(node.of, false)) add("wrong type", false);
      return found;
    case "recursion": {
      const target = roots[node.to];
      return target === undefined ? [] : mutationsOf(roots, target, side, value, pointer);
    }
    case "enum":
    case "const":
      add("value that is not in the enum", "outside");
      return found;
    case "array":
      for (const [index, held] of (value as Json[]).entries())
        within(node.of, index, (changed) => (value as Json[]).with(index, changed), held);
      break;
    case "tuple": {
      const given = value as Json[];
      for (const [index, held] of given.entries()) {
        const item = node.first[index] ?? node.rest;
        if (item !== undefined) within(item, index, (changed) => given.with(index, changed), held);
      }
      if (node.least > 0) add("missing item", given.slice(0, node.least - 1));
      if (node.rest === undefined && given.length === node.first.length)
        add("additional item", [...given, null], `/${given.length}`);
      break;
    }
    case "record":
      for (const [name, held] of Object.entries(value as JsonObject))
        within(node.of, name, (changed) => ({ ...(value as JsonObject), [name]: changed }), held);
      break;
    case "object":
      object(node.properties, true);
      break;
    case "all":
      object(Object.assign({}, ...node.parts.map(({ properties }) => properties)), false);
      break;
    case "union": {
      const given = value as JsonObject;
      const branch = node.branches.findIndex((_, index) => given[tag] === tagOf(index));
      object(node.branches[branch] ?? {}, true);
      add("unknown tag", { ...given, [tag]: "outside" }, `/${tag}`);
      add("missing tag", without(given, tag), `/${tag}`);
      break;
    }
    default:
      break;
  }
  add("wrong type", node.kind === "boolean" ? "no boolean" : false);
  return found;
}

/** True if the node rejects the boolean. */
function acceptsNothingOf(node: Node, value: boolean): boolean {
  if (node.kind === "nullable") return acceptsNothingOf(node.of, value);
  return node.kind !== "boolean" && !(node.kind === "const" && node.value === value);
}

function without(object: JsonObject, name: string): JsonObject {
  const { [name]: _, ...others } = object;
  return others;
}

/** An OpenAPI document in which an operation per node receives and returns it. */
export function documentOf(roots: readonly Node[]): Json {
  const schemas: { [name: string]: Json } = {};
  const share = (schema: Json): Json => {
    const name = `Shared${Object.keys(schemas).length}`;
    schemas[name] = schema;
    return { $ref: `#/components/schemas/${name}` };
  };
  const objectSchema = (properties: Properties, isClosed: boolean, tagged?: string): JsonObject => {
    const required = Object.entries(properties).flatMap(([name, property]) =>
      property.required ? [name] : [],
    );
    if (tagged !== undefined) required.push(tag);
    return {
      type: "object",
      properties: {
        ...(tagged !== undefined && { [tag]: { const: tagged } }),
        ...Object.fromEntries(
          Object.entries(properties).map(([name, property]) => [name, propertySchema(property)]),
        ),
      },
      ...(required.length > 0 && { required }),
      ...(isClosed && { additionalProperties: false }),
    };
  };
  const propertySchema = (property: Property): JsonObject => {
    const { node, access, accessBehind } = property;
    const beside = property.default === undefined ? {} : { default: property.default };
    const schema = schemaOf(node);
    if (access === undefined) return { ...schema, ...beside };
    if (accessBehind) return { ...(share({ ...schema, [access]: true }) as JsonObject), ...beside };
    return { ...schema, ...beside, [access]: true };
  };
  const schemaOf = (node: Node): JsonObject => {
    const schema = ownSchemaOf(node);
    return ("shared" in node && node.shared ? share(schema) : schema) as JsonObject;
  };
  const ownSchemaOf = (node: Node): JsonObject => {
    switch (node.kind) {
      case "enum":
        return { enum: [...node.values] };
      case "const":
        return { const: node.value };
      case "array":
        return { type: "array", items: schemaOf(node.of) };
      case "tuple":
        return {
          type: "array",
          prefixItems: node.first.map(schemaOf),
          ...(node.least > 0 && { minItems: node.least }),
          items: node.rest === undefined ? false : schemaOf(node.rest),
        };
      case "record":
        return { type: "object", additionalProperties: schemaOf(node.of) };
      case "nullable": {
        const schema = schemaOf(node.of);
        if (typeof schema.type === "string" && schema.type !== "null")
          return { ...schema, type: [schema.type, "null"] };
        return { anyOf: [schema, { type: "null" }] };
      }
      case "object":
        return objectSchema(node.properties, true);
      case "all": {
        const isApart = node.requiredApart !== "no";
        const parts = node.parts.map(({ properties, shared }) => {
          const { required, ...open } = objectSchema(properties, false);
          const part = isApart || required === undefined ? open : { ...open, required };
          // A shared part is an `allOf` itself, so that its properties are behind two references.
          return { part: shared ? share({ allOf: [share(part), { type: "object" }] }) : part, required };
        });
        const required = parts.flatMap((each) => (Array.isArray(each.required) ? each.required : []));
        const apart = node.requiredApart === "shared" ? share({ required }) : { required };
        return {
          allOf: [...parts.map(({ part }) => part), ...(isApart && required.length > 0 ? [apart] : [])],
        };
      }
      case "union":
        return {
          oneOf: node.branches.map((branch, index) => share(objectSchema(branch, true, tagOf(index)))),
        };
      case "recursion":
        return { $ref: `#/components/schemas/Root${node.to}` };
      default:
        return { type: node.kind };
    }
  };
  const paths = Object.fromEntries(
    roots.map((root, index) => {
      schemas[`Root${index}`] = ownSchemaOf(root);
      const content = { "application/json": { schema: { $ref: `#/components/schemas/Root${index}` } } };
      return [
        `/roots/${index}`,
        {
          post: {
            operationId: `root${index}`,
            requestBody: { required: true, content },
            responses: { "200": { description: "The same.", content } },
          },
        },
      ];
    }),
  );
  return { openapi: "3.1.1", info: { title: "Random", version: "1.0.0" }, paths, components: { schemas } };
}
