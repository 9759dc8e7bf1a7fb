/** Recursive unions, and values that make a validator without memory repeat its work at each level. */

/** A schema named `Root`, other schemas, and a value with this number of levels around the innermost value. */
export interface RecursiveUnion {
  root: unknown;
  others?: Record<string, unknown>;
  wrap(inner: unknown): unknown;
  innermost: unknown;
  /** An innermost value that makes the whole value invalid. */
  wrong: unknown;
}

const root = { $ref: "#/components/schemas/Root" };
const list = { type: "array", items: root };

const note = { type: "string", default: "" };

const operation = (op: string, more: Record<string, unknown> = {}) => ({
  type: "object",
  properties: { args: list, op: { const: op }, note },
  ...more,
});
const others = Object.fromEntries(
  ["and", "or"].map((op) => [
    op,
    operation(op, { properties: { args: list, op: { type: "string" }, note } }),
  ]),
);
const references = ["and", "or"].map((name) => ({ $ref: `#/components/schemas/${name}` }));
const either = (one: unknown, other: unknown = one) => ({ anyOf: [one, other, { type: "integer" }] });
const negated = (schema: unknown) => ({ not: { not: schema } });
const withheld = { not: {}, writeOnly: true };
const within = (key: string) => (inner: unknown) => ({ [key]: inner });

/** Branches that check their items with different functions, and these with the function of the union. */
const withItems = (op: string, name: string) => ({
  type: "object",
  properties: { args: { type: "array", items: { $ref: `#/components/schemas/${name}` } }, op: { const: op } },
  required: ["op"],
});
const withNumber = { allOf: [root, { type: "object", properties: { n: { type: "integer" } } }] };
const numbered = { P: withNumber, Q: withNumber };

const inArgs = (inner: unknown) => ({ args: [inner], op: "or" });
const ofOperations = { wrap: inArgs, innermost: { args: [], op: "or" }, wrong: { args: [], op: "xor" } };
const ofNumbers = { innermost: 1, wrong: "x" };

export const recursiveUnions: Record<string, RecursiveUnion> = {
  "oneOf with a tag after the recursive property": {
    ...ofOperations,
    root: { oneOf: ["and", "or"].map((op) => operation(op)) },
  },
  "oneOf with a required tag": {
    ...ofOperations,
    root: { oneOf: ["and", "or"].map((op) => operation(op, { required: ["op"] })) },
    wrap: (inner) => ({ args: [inner], op: "xor" }),
  },
  "oneOf of branches with different items": {
    root: { oneOf: [withItems("p", "P"), withItems("q", "Q")] },
    others: numbered,
    wrap: (inner) => ({ args: [inner], op: "z" }),
    innermost: { op: "p" },
    wrong: { op: "z", n: "x" },
  },
  "anyOf of nested arrays": {
    ...ofNumbers,
    root: { anyOf: [{ type: "integer" }, list] },
    wrap: (inner) => [inner],
  },
  "anyOf of equal branches": { ...ofNumbers, root: either(list), wrap: (inner) => [inner] },
  "oneOf with a discriminator": {
    ...ofOperations,
    root: { oneOf: references, discriminator: { propertyName: "op" } },
    others: {
      and: operation("and", { properties: { args: list, op: { enum: ["and"] }, note } }),
      or: operation("or", { properties: { args: list, op: { enum: ["or"] }, note } }),
    },
  },
  "anyOf with a discriminator": {
    ...ofOperations,
    root: { anyOf: references, discriminator: { propertyName: "op" } },
    others,
    wrong: { args: 1, op: "or" },
  },
  "oneOf of closed objects": {
    ...ofOperations,
    root: { oneOf: ["and", "or"].map((op) => operation(op, { additionalProperties: false })) },
    wrong: { args: [], op: "or", more: 1 },
  },
  "anyOf of maps": {
    ...ofNumbers,
    root: either(
      { additionalProperties: root, type: "object" },
      { patternProperties: { "^a": root }, type: "object" },
    ),
    wrap: within("a"),
  },
  "anyOf of tuples": {
    ...ofNumbers,
    root: either(
      { type: "array", prefixItems: [{ type: "string" }, root] },
      { type: "array", prefixItems: [{ type: "string" }, root], minItems: 1 },
    ),
    wrap: (inner) => ["a", inner],
  },
  "mutual recursion": {
    ...ofNumbers,
    root: either({ $ref: "#/components/schemas/Even" }, { $ref: "#/components/schemas/Odd" }),
    others: {
      Even: { type: "object", properties: { a: { $ref: "#/components/schemas/Odd" } }, required: ["a"] },
      Odd: either({ $ref: "#/components/schemas/Even" }, { type: "object", properties: { a: root } }),
    },
    wrap: within("a"),
  },
  "allOf of recursive parts": {
    ...ofNumbers,
    root: {
      type: ["object", "integer"],
      allOf: [{ properties: { a: root, note } }, { properties: { a: root } }],
    },
    wrap: within("a"),
  },
  "if, then and else": {
    ...ofNumbers,
    root: {
      type: ["object", "integer"],
      if: { properties: { a: root } },
      // biome-ignore lint/suspicious/noThenProperty: the keyword's own name
      then: { properties: { a: root } },
      else: { properties: { a: root } },
    },
    wrap: within("a"),
  },
  "not next to properties": {
    ...ofNumbers,
    root: {
      type: ["object", "integer"],
      properties: { a: root },
      allOf: [negated({ properties: { a: root } })],
    },
    wrap: within("a"),
  },
  "dependentSchemas next to properties": {
    ...ofNumbers,
    root: {
      type: ["object", "integer"],
      properties: { a: root },
      dependentSchemas: { a: { properties: { a: root } } },
    },
    wrap: within("a"),
  },
  "properties that a pattern also matches": {
    ...ofNumbers,
    root: {
      type: ["object", "integer"],
      properties: { a: root },
      patternProperties: { "^a": root, a$: root },
    },
    wrap: within("a"),
  },
  "contains next to items": {
    ...ofNumbers,
    root: { type: ["array", "integer"], items: root, contains: root },
    wrap: (inner) => [inner, 1],
  },
  "uniqueItems of nested arrays": {
    ...ofNumbers,
    root: { type: ["array", "integer"], uniqueItems: true, items: root },
    wrap: (inner) => [inner, 1],
  },
  "unevaluatedProperties with recursion": {
    ...ofNumbers,
    root: {
      type: ["object", "integer"],
      unevaluatedProperties: root,
      anyOf: [{ properties: { b: true } }, { required: ["c"] }],
      dependentSchemas: { a: { additionalProperties: root } },
    },
    wrap: within("a"),
  },
  "write-only properties of untagged branches": {
    ...ofNumbers,
    root: either(
      { type: "object", properties: { a: root, b: withheld } },
      { type: "object", properties: { a: root, c: withheld } },
    ),
    wrap: (inner) => ({ a: inner, b: "x" }),
  },
};

export function nestedValue({ wrap }: RecursiveUnion, levels: number, inner: unknown): unknown {
  let value = inner;
  for (let level = 0; level < levels; level += 1) value = wrap(value);
  return value;
}
