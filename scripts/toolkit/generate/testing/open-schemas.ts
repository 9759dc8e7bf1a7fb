/** Random schemas of open objects, and random values with the same few names. The values may be invalid. */
import fc from "fast-check";
import type { Json, JsonObject } from "../../openapi/document.ts";

const name = fc.constantFrom("a", "b", "c");
const names = fc.uniqueArray(name, { minLength: 1, maxLength: 2 });

const { open } = fc.letrec<{ open: Json }>((tie) => {
  const inner = tie("open");
  const list = fc.array(inner, { minLength: 1, maxLength: 2 });
  const byName = (of: fc.Arbitrary<Json>) =>
    fc.dictionary(name, of, { minKeys: 1, maxKeys: 2, noNullPrototype: true });
  const leaf: fc.Arbitrary<Json> = fc.constantFrom<Json[]>(
    { type: "string" },
    { const: 1 },
    { enum: [1, "x"] },
    { type: "object" },
    true,
  );
  const keywords: fc.Arbitrary<JsonObject>[] = [
    fc.record({ properties: byName(inner) }),
    fc.record({ required: names }),
    fc.record({ dependentRequired: byName(names) }),
    fc.record({ dependentSchemas: byName(inner) }),
    fc.record({ patternProperties: fc.record({ "^b": inner }) }),
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    fc.record({ if: inner, then: inner, else: inner }),
    fc.record({ not: inner }),
    fc.record({ allOf: list }),
    fc.record({ anyOf: list }),
    fc.record({ oneOf: list }),
    fc.record({ items: inner }),
    fc.record({ contains: inner }),
  ];
  const some = fc
    .subarray(keywords, { minLength: 1, maxLength: 3 })
    .chain((chosen) => fc.tuple(...chosen))
    .map((parts): Json => Object.assign({}, ...parts));
  return { open: fc.oneof({ maxDepth: 3 }, leaf, { arbitrary: some, weight: 4 }) };
});

/**
 * A schema that neither forbids nor counts undeclared properties. Whether a value is valid may still depend on them.
 */
export const openSchema: fc.Arbitrary<Json> = open;

const { value } = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom<Json[]>(1, "x", true),
    fc.dictionary(fc.constantFrom("a", "b", "c", "d"), tie("value"), { maxKeys: 4, noNullPrototype: true }),
    fc.array(tie("value"), { maxLength: 2 }),
  ),
}));

export const openValue: fc.Arbitrary<Json> = value;
