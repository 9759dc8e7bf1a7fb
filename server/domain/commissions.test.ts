import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import document from "../../generated/openapi.json" with { type: "json" };
import { differingFromLibrary } from "../testing/canonical-json.ts";
import {
  checkCommission,
  type Definition,
  definitionHash,
  type Rule,
  rateOf,
  type Slab,
} from "./commissions.ts";

const last = -1;

describe("rules", () => {
  const overlap = "must not be less than the end of an earlier slab";
  const notAbove = "must be greater than from";
  const closed = "must be -1 in the last slab";
  test.each<[what: string, found: string[], wanted: string[]]>([
    [
      "valid slabs, even with a shared bound and a gap (no problems)",
      problems([0, 10], [10, 20], [30, last]),
      [],
    ],
    ["a slab that begins inside the one before it", problems([0, 10], [9, last]), [`/1/from ${overlap}`]],
    ["slabs out of order", problems([0, 10], [10, 20], [5, last]), [`/2/from ${overlap}`]],
    [
      "slabs that overlap one that is not their neighbour",
      problems([0, 100], [50, 60], [70, last]),
      [`/1/from ${overlap}`, `/2/from ${overlap}`],
    ],
    ["a slab that ends where it begins", problems([0, 10], [20, 20], [20, last]), [`/1/to ${notAbove}`]],
    [
      "a wrong upper bound, which is not compared with the next slab",
      problems([0, 10], [30, 15], [20, last]),
      [`/1/to ${notAbove}`],
    ],
    ["a last slab with an upper bound", problems([0, 10], [10, 20]), [`/1/to ${closed}`]],
    ["an only slab with an upper bound below its lower bound", problems([10, 5]), [`/0/to ${closed}`]],
    [
      "a slab without an upper bound before the last slab",
      problems([0, last], [10, last]),
      ["/0/to must be -1 only in the last slab"],
    ],
  ])("the problems of %s", (_, found, wanted) => {
    expect(found).toEqual(wanted);
  });

  test("all problems of all rules are reported, in the order of the document", () => {
    const rule = (slab_value: Slab[]) => ({ category: [1], type: 2 as const, slab_value });
    const commission_data = [
      rule(slabs([5, 5], [0, last])),
      { category: [2], type: 1 as const, fixed_value: 1 },
      rule(slabs([0, 10], [5, 7])),
    ];
    expect(checkCommission(definition({ commission_data }))).toEqual([
      { pointer: "/commission_data/0/slab_value/0/to", message: "must be greater than from" },
      {
        pointer: "/commission_data/2/slab_value/1/from",
        message: "must not be less than the end of an earlier slab",
      },
      { pointer: "/commission_data/2/slab_value/1/to", message: "must be -1 in the last slab" },
    ]);
  });
});

describe("equality", () => {
  test("the hash is the SHA-256 of the canonical JSON of RFC 8785", () => {
    const canonical =
      '{"active":true,"commission_data":[{"category":[1],"fixed_value":2.5,"type":1}],"default_value":1,"title":"Été","type":"supply"}';
    const given = definition({
      title: "Été",
      commission_data: [{ fixed_value: 2.5, type: 1, category: [1] }],
    });
    expect(definitionHash(given)).toEqual({
      hash: createHash("sha256").update(canonical).digest("hex"),
      canonical,
    });
  });

  test("random definitions get the same canonical JSON as from the library", () => {
    expect(differingFromLibrary(5000)).toEqual([]);
  });

  test("the canonical JSON has every property of the schema", () => {
    const slab_value = slabs([0, last]);
    const commission_data: Definition["commission_data"] = [
      { category: [], type: 1, fixed_value: 1 },
      { category: [], type: 2, slab_value },
    ];
    const { canonical } = definitionHash(definition({ commission_data }));
    const written = JSON.parse(canonical);
    const [fixed, slab] = written.commission_data;
    const { schemas } = document.components;
    expect(
      {
        CommissionDefinition: Object.keys(written),
        FixedRule: Object.keys(fixed),
        SlabRule: Object.keys(slab),
        Slab: Object.keys(slab.slab_value[0]),
      },
      "each property must be written by `canonicalDefinition` in server/domain/commissions.ts",
    ).toEqual({
      CommissionDefinition: Object.keys(schemas.CommissionDefinition.properties).toSorted(),
      FixedRule: Object.keys(schemas.FixedRule.properties).toSorted(),
      SlabRule: Object.keys(schemas.SlabRule.properties).toSorted(),
      Slab: Object.keys(schemas.Slab.properties).toSorted(),
    });
  });
});

test("the rate is the default value, whatever the number and the type of the rules", () => {
  const fixed: Rule = { category: [1], type: 1, fixed_value: 2 };
  const slab: Rule = { category: [2], type: 2, slab_value: slabs([0, 10], [10, last]) };
  const rates = [0, 1, 2, 3, 10, 100].flatMap((count) =>
    [fixed, slab].map((rule) => {
      const commission_data = Array<Rule>(count).fill(rule);
      return rateOf(definition({ default_value: 7.25, active: count % 2 === 0, commission_data }));
    }),
  );
  expect(rates).toEqual(Array(12).fill(7.25));
});

/** Returns the problems of one list of slabs. The pointers are relative to that list. */
function problems(...bounds: [from: number, to: number][]): string[] {
  const commission_data = [{ category: [1], type: 2 as const, slab_value: slabs(...bounds) }];
  return checkCommission(definition({ commission_data })).map(
    ({ pointer, message }) => `${pointer.replace("/commission_data/0/slab_value", "")} ${message}`,
  );
}

function slabs(...bounds: [from: number, to: number][]): Slab[] {
  return bounds.map(([from, to]) => ({ from, to, value: 1 }));
}

function definition(differences: Partial<Definition> = {}): Definition {
  return { title: "T", type: "supply", default_value: 1, active: true, commission_data: [], ...differences };
}
