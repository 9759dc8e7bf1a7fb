/**
 * Random schemas that TypeScript and JSON Schema can express, and their values. They do not depend on the generator.
 */
import fc from "fast-check";
import type { Json, JsonObject } from "../../openapi/document.ts";

/** `sent` means sent by callers, `returned` means returned by handlers. */
export type Side = "sent" | "returned";

/** A value that is wrong in one place. */
export interface Mutation {
  readonly what: string;
  readonly value: Json;
  /** Where a validator must report a problem. */
  readonly pointer: string;
}

/** Makes a component of a schema. Returns a reference to it. */
type Share = (schema: JsonObject) => JsonObject;

export interface Node {
  schema(share: Share): JsonObject;
  /** Valid values. @param depth how many more levels of optional parts may be generated */
  values(side: Side, depth: number): fc.Arbitrary<Json>;
  /** A value that is wrong as a whole. */
  readonly wrong: Json;
  /** Every way to make a part of a valid value wrong. Pointers begin at the value. */
  wrongParts(value: Json, side: Side): Mutation[];
}

interface Property {
  readonly node: Node;
  readonly required: boolean;
  readonly access?: "readOnly" | "writeOnly" | undefined;
  /** True if the access keyword is in the target of the property's `$ref`. */
  readonly accessBehind?: boolean;
  readonly default?: Json;
}
type Properties = { readonly [name: string]: Property };

// Some names are those of keywords, to test that such a property is not read as a keyword.
const names = "name size a-b type default readOnly properties required items $id".split(" ");
const tag = "kind";

const word = fc.constantFrom("", "a", "b", "two words", "ä", '"\\');
const digit = fc.integer({ min: 0, max: 9 });
const leaf: fc.Arbitrary<Node> = fc.oneof(
  fc.constantFrom(
    leafNode({ type: "string" }, word),
    leafNode({ type: "number" }, fc.constantFrom(0, 1.5, -2)),
    leafNode({ type: "integer" }, fc.integer({ min: -9, max: 9 })),
    leafNode({ type: "boolean" }, fc.boolean(), "no boolean"),
    leafNode({ type: "null" }, fc.constant(null)),
  ),
  fc
    .uniqueArray(fc.oneof(word, digit), { minLength: 1, maxLength: 3 })
    .map((values) => leafNode({ enum: values }, fc.constantFrom(...values))),
  fc.oneof(word, digit, fc.boolean()).map(constant),
);

function leafNode(schema: JsonObject, values: fc.Arbitrary<Json>, wrong: Json = false): Node {
  return { schema: () => schema, values: () => values, wrong, wrongParts: () => [] };
}

function constant(value: Json): Node {
  return leafNode({ const: value }, fc.constant(value), "outside");
}

/** Nodes that may refer to each other. */
export function randomRoots(count: number, seed: number): readonly Node[] {
  const roots: Node[] = [];
  const recursion = fc.nat({ max: count - 1 }).map((index) => recursionNode(roots, index));
  roots.push(...fc.sample(nodeOf(recursion, 3), { seed, numRuns: count }));
  return roots;
}

function recursionNode(roots: readonly Node[], index: number): Node {
  const root = () => roots[index] as Node;
  return {
    schema: () => ({ $ref: `#/components/schemas/Root${index}` }),
    values: (side, depth) => root().values(side, depth),
    get wrong() {
      return root().wrong;
    },
    wrongParts: (value, side) => root().wrongParts(value, side),
  };
}

function nodeOf(recursion: fc.Arbitrary<Node>, depth: number): fc.Arbitrary<Node> {
  if (depth === 0) return leaf;
  const inner = nodeOf(recursion, depth - 1);
  const propertiesOf = (from: readonly string[], minKeys = 0): fc.Arbitrary<Properties> =>
    fc.dictionary(fc.constantFrom(...from), propertyOf(recursion, inner), { minKeys, maxKeys: 4 });
  const properties = propertiesOf(names);
  const apart = fc.constantFrom("no" as const, "inline" as const, "shared" as const);
  const composite = fc.oneof(
    inner.chain((of) => fc.constantFrom(listNode([], 0, of), recordNode(of), nullableNode(of))),
    fc
      .array(inner, { minLength: 1, maxLength: 3 })
      .chain((first) =>
        fc
          .tuple(fc.nat({ max: first.length }), fc.option(inner, { nil: undefined, freq: 2 }))
          .map(([least, rest]) => listNode(first, least, rest)),
      ),
    properties.map((each) => objectNode(each)),
    fc
      .tuple(propertiesOf(names.slice(0, 4), 1), propertiesOf(names.slice(4), 1), apart, fc.boolean())
      .map(([first, second, requiredApart, isShared]) => allNode([first, second], requiredApart, isShared)),
    fc.array(properties, { minLength: 2, maxLength: 3 }).map(unionNode),
  );
  return fc.oneof(leaf, { arbitrary: composite, weight: 3 }, { arbitrary: composite.map(shared), weight: 3 });
}

function shared(node: Node): Node {
  return { ...node, schema: (share) => share(node.schema(share)) };
}

function propertyOf(recursion: fc.Arbitrary<Node>, inner: fc.Arbitrary<Node>): fc.Arbitrary<Property> {
  const flags = {
    required: fc.boolean(),
    access: fc.option(fc.constantFrom("readOnly" as const, "writeOnly" as const), {
      nil: undefined,
      freq: 2,
    }),
    accessBehind: fc.boolean(),
  };
  return fc.oneof(
    { arbitrary: fc.record({ node: inner, ...flags }), weight: 4 },
    {
      arbitrary: leaf.chain((node) =>
        fc.record({ node: fc.constant(node), default: node.values("sent", 0), ...flags }),
      ),
      weight: 2,
    },
    // Recursion is always optional, because a value with required recursion would be infinite.
    { arbitrary: fc.record({ node: recursion, required: fc.constant(false) }), weight: 1 },
  );
}

/** A tuple, or a list if `first` is empty. @param rest undefined if there may be no more items */
function listNode(first: readonly Node[], least: number, rest: Node | undefined): Node {
  return {
    schema: (share) => ({
      type: "array",
      ...(first.length > 0 && { prefixItems: first.map((item) => item.schema(share)) }),
      ...(least > 0 && { minItems: least }),
      items: rest === undefined ? false : rest.schema(share),
    }),
    values(side, depth) {
      const whole = fc.tuple(...first.map((item) => item.values(side, depth - 1)));
      if (depth <= 0) return whole.map((list) => list.slice(0, least));
      const more =
        rest === undefined ? fc.constant([]) : fc.array(rest.values(side, depth - 1), { maxLength: 2 });
      return fc.oneof(
        fc
          .tuple(whole, fc.integer({ min: least, max: first.length }))
          .map(([list, end]) => list.slice(0, end)),
        { arbitrary: fc.tuple(whole, more).map(([list, others]) => [...list, ...others]), weight: 2 },
      );
    },
    wrong: false,
    wrongParts(value, side) {
      const given = value as Json[];
      const found = given.flatMap((held, index) =>
        within(first[index] ?? rest, held, side, index, (changed) => given.with(index, changed)),
      );
      if (least > 0) found.push({ what: "missing item", value: given.slice(0, least - 1), pointer: "" });
      if (rest === undefined && given.length === first.length)
        found.push({ what: "additional item", value: [...given, null], pointer: `/${given.length}` });
      return found;
    },
  };
}

function recordNode(of: Node): Node {
  return {
    schema: (share) => ({ type: "object", additionalProperties: of.schema(share) }),
    values: (side, depth) =>
      fc.dictionary(fc.constantFrom("x", "y z"), of.values(side, depth - 1), {
        maxKeys: depth > 0 ? 2 : 0,
        noNullPrototype: true,
      }),
    wrong: false,
    wrongParts: (value, side) =>
      Object.entries(value as JsonObject).flatMap(([name, held]) =>
        within(of, held, side, name, (changed) => ({ ...(value as JsonObject), [name]: changed })),
      ),
  };
}

function nullableNode(of: Node): Node {
  return {
    schema(share) {
      const schema = of.schema(share);
      if (typeof schema.type === "string" && schema.type !== "null")
        return { ...schema, type: [schema.type, "null"] };
      return { anyOf: [schema, { type: "null" }] };
    },
    values: (side, depth) => fc.oneof(fc.constant(null), of.values(side, depth)),
    wrong: of.wrong,
    wrongParts: (value, side) => (value === null ? [] : of.wrongParts(value, side)),
  };
}

function objectNode(properties: Properties, isClosed = true): Node {
  const entries = Object.entries(properties);
  return {
    schema(share) {
      const required = entries.flatMap(([name, property]) => (property.required ? [name] : []));
      return {
        type: "object",
        properties: Object.fromEntries(
          entries.map(([name, property]) => [name, propertySchema(property, share)]),
        ),
        ...(required.length > 0 && { required }),
        ...(isClosed && { additionalProperties: false }),
      };
    },
    values(side, depth) {
      const present = entries.filter(
        ([, property]) => isThere(property, side) && (property.required || depth > 0),
      );
      return fc.record(
        Object.fromEntries(present.map(([name, { node }]) => [name, node.values(side, depth - 1)])),
        {
          requiredKeys: present.flatMap(([name, { required }]) => (required ? [name] : [])),
          noNullPrototype: true,
        },
      );
    },
    wrong: false,
    wrongParts(value, side) {
      const given = value as JsonObject;
      const found = entries.flatMap(([name, property]): Mutation[] => {
        const { node, access, required } = property;
        const { [name]: held, ...others } = given;
        const pointer = `/${name}`;
        if (!isThere(property, side)) {
          const [sample = null] = fc.sample(node.values(side, 0), { numRuns: 1, seed: 1 });
          return [{ what: `${access} property`, value: { ...given, [name]: sample }, pointer }];
        }
        if (held === undefined) return [];
        const wrong = within(node, held, side, name, (changed) => ({ ...given, [name]: changed }));
        return required ? [{ what: "missing required property", value: others, pointer }, ...wrong] : wrong;
      });
      if (isClosed)
        found.push({
          what: "undeclared property",
          value: { ...given, undeclared: 1 },
          pointer: "/undeclared",
        });
      return found;
    },
  };
}

function propertySchema({ node, access, accessBehind, ...others }: Property, share: Share): JsonObject {
  const schema = node.schema(share);
  const beside = others.default === undefined ? {} : { default: others.default };
  if (access === undefined) return { ...schema, ...beside };
  return accessBehind
    ? { ...share({ ...schema, [access]: true }), ...beside }
    : { ...schema, ...beside, [access]: true };
}

/** Whether the property exists on the side. */
function isThere({ access }: Property, side: Side): boolean {
  return access !== (side === "sent" ? "readOnly" : "writeOnly");
}

/** @param requiredApart whether a separate schema has the `required` list, either inline or as a component */
function allNode(
  parts: readonly Properties[],
  requiredApart: "no" | "inline" | "shared",
  isShared: boolean,
): Node {
  return {
    ...objectNode(Object.assign({}, ...parts), false),
    schema(share) {
      const required: Json[] = [];
      const allOf = parts.map((part) => {
        const { required: own = [], ...open } = objectNode(part, false).schema(share);
        required.push(...(own as Json[]));
        const schema = requiredApart === "no" ? { ...open, required: own } : open;
        // A shared part is an `allOf` itself, so that its properties are behind two references.
        return isShared ? share({ allOf: [share(schema), { type: "object" }] }) : schema;
      });
      if (requiredApart === "no" || required.length === 0) return { allOf };
      return { allOf: [...allOf, requiredApart === "shared" ? share({ required }) : { required }] };
    },
  };
}

function unionNode(branches: readonly Properties[]): Node {
  const nodes = branches.map((branch, index) =>
    objectNode({ [tag]: { node: constant(`branch ${index}`), required: true }, ...branch }),
  );
  return {
    schema: (share) => ({ oneOf: nodes.map((node) => share(node.schema(share))) }),
    values: (side, depth) => fc.oneof(...nodes.map((node) => node.values(side, depth))),
    wrong: false,
    wrongParts(value, side) {
      const index = nodes.findIndex((_, each) => (value as JsonObject)[tag] === `branch ${each}`);
      return (nodes[index] as Node).wrongParts(value, side);
    },
  };
}

/** Every way to make a value wrong in one place. */
export function mutationsOf(node: Node, value: Json, side: Side): Mutation[] {
  return [...node.wrongParts(value, side), { what: "wrong type", value: node.wrong, pointer: "" }];
}

function within(
  node: Node | undefined,
  held: Json,
  side: Side,
  key: string | number,
  put: (changed: Json) => Json,
): Mutation[] {
  if (node === undefined) return [];
  return mutationsOf(node, held, side).map(({ what, value, pointer }) => ({
    what,
    value: put(value),
    pointer: `/${key}${pointer}`,
  }));
}

/** An OpenAPI document in which an operation per node receives and returns it. */
export function documentOf(roots: readonly Node[]): Json {
  const schemas: { [name: string]: Json } = {};
  const share = (schema: JsonObject): JsonObject => {
    const name = `Shared${Object.keys(schemas).length}`;
    schemas[name] = schema;
    return { $ref: `#/components/schemas/${name}` };
  };
  const paths = Object.fromEntries(
    roots.map((root, index) => {
      schemas[`Root${index}`] = root.schema(share);
      const content = { "application/json": { schema: { $ref: `#/components/schemas/Root${index}` } } };
      const responses = { "200": { description: "The same.", content } };
      const requestBody = { required: true, content };
      return [`/roots/${index}`, { post: { operationId: `root${index}`, requestBody, responses } }];
    }),
  );
  return { openapi: "3.1.1", info: { title: "Random", version: "1.0.0" }, paths, components: { schemas } };
}
