import { expect, it } from "vitest";
import { declaredExamples, examplesAt } from "./document-examples.ts";

const schemas = {
  Amount: { type: "number", examples: [1, 2] },
  Price: { $ref: "#/schemas/Amount" },
  Discount: { $ref: "#/schemas/Amount", examples: [3, 4] },
  Cycle: { $ref: "#/schemas/Other" },
  Other: { $ref: "#/schemas/Cycle" },
};

it.each([
  ["Amount", [1], [1, 2]],
  ["Price", [1], [1, 2]],
  ["Discount", [3], [3, 4]],
  ["Cycle", [], []],
])(
  "the examples of a schema are its own, or else those of the schema that it refers to: %s",
  (name, shown, declared) => {
    const document = { schemas, media: { schema: { $ref: `#/schemas/${name}` } } };
    expect(examplesAt(document, "/media").map(({ value }) => value)).toEqual(shown);
    expect(declaredExamples(document, "/media").map(({ value }) => value)).toEqual(declared);
  },
);
