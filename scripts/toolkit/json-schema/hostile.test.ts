import { describe, expect, test, vi } from "vitest";
import { compileValidators } from "./compile.ts";
import { compileRoot, load } from "./testing/compiled.ts";
import { counting } from "./testing/counting.ts";

describe("no text of the document becomes code", () => {
  // biome-ignore lint/suspicious/noTemplateCurlyInString: it is what an attacker would write
  const attack = '"];globalThis.owned=1;//`${globalThis.owned=1}*/\\\n\r\u2028\u2029</script>';

  test("in names, patterns, constants, defaults and reference targets", async () => {
    const filled = '"`$\u007Ba}/*\n\u2028';
    const root = {
      type: "object",
      properties: {
        [attack]: { type: "string", pattern: '"`\\$\\{a\\}/\\*\n\u2028', default: filled },
        kind: { enum: [attack, { [attack]: attack }] },
        other: { $ref: `#/components/schemas/${encodeURIComponent(attack.replaceAll("/", "~1"))}` },
      },
      required: [attack, `${attack}2`],
      dependentRequired: { [attack]: [attack] },
      patternProperties: { [attack.replaceAll(/[[\](){}*\\$]/g, ".")]: { const: attack } },
      additionalProperties: false,
    };
    const { code, problemsOf, complete, project } = await compileRoot(root, { [attack]: { const: attack } });
    const token = attack.replaceAll("~", "~0").replaceAll("/", "~1");
    expect(problemsOf({ kind: 1 })).toEqual([
      { pointer: `/${token}`, message: "is required" },
      { pointer: "/kind", message: "must be a permitted value" },
      { pointer: `/${token}2`, message: "is required" },
    ]);
    expect(complete({})).toEqual({ [attack]: filled });
    expect(project({ [attack]: 1 })).toEqual({ [attack]: 1 });
    expect(problemsOf({ [attack]: 1, [`${attack}2`]: 1, other: 1 })).toContainEqual({
      pointer: "/other",
      message: `must be ${JSON.stringify(attack)}`,
    });
    expect(code).not.toMatch(/[\r\u2028\u2029]/);
    expect(globalThis).not.toHaveProperty("owned");
  });

  test("properties named like functions of the module do not hide them", async () => {
    const item = { type: "object", properties: { a: { type: "string", maxLength: 1, multipleOf: 0.1 } } };
    const names = "checkItem problems value prefix codePoints before later out depth let class".split(" ");
    const properties = Object.fromEntries(names.map((name) => [name, { $ref: "#/components/schemas/Item" }]));
    const { problemsOf } = await compileRoot({ properties }, { Item: item });
    expect(problemsOf(Object.fromEntries(names.map((name) => [name, { a: "aa" }])))).toEqual(
      names.map((name) => ({
        pointer: `/${name}/a`,
        message: "must be at most 1 character",
      })),
    );
  });
});

describe("a name that every object inherits is present only as an own property", () => {
  const names = ["toString", "constructor", "hasOwnProperty", "__proto__", "valueOf"];

  test("properties, unknown properties and dependents", async () => {
    const properties = JSON.parse(`{${names.map((name) => `"${name}":{"type":"string"}`).join()}}`);
    const { problemsOf } = await compileRoot({
      properties,
      dependentRequired: { toString: ["a"] },
      additionalProperties: false,
    });
    expect(problemsOf({})).toEqual([]);
    expect(problemsOf(JSON.parse('{"__proto__":1,"isPrototypeOf":1}'))).toEqual([
      { pointer: "/__proto__", message: "must be a string" },
      { pointer: "/isPrototypeOf", message: "is not a known property" },
    ]);
  });

  test("uniqueItems and const", async () => {
    const { problemsOf } = await compileRoot({
      uniqueItems: true,
      items: { not: { const: { toString: 1 } } },
    });
    expect(problemsOf([JSON.parse('{"__proto__":1}'), {}])).toEqual([]);
    expect(problemsOf([{ toString: 1 }])).toEqual([{ pointer: "/0", message: 'must not be {"toString":1}' }]);
  });
});

describe("uniqueItems in a long array", async () => {
  const deep = (inner: unknown): unknown =>
    JSON.parse(`${'{"b":[],"a":['.repeat(12)}${JSON.stringify(inner)}${"]}".repeat(12)}`);
  const values =
    JSON.parse(`["1", 1, null, "null", true, [], {}, [[]], [{}], {"a":{}}, {"a":[]}, [1,2], [[1],2],
    {"a":1,"b":2}, {"a":{"b":2}}, {"a":"1,\\"b\\":2"}, ["a","b"], ["a,b"], ["\\ud800"], {"__proto__":1}]`);
  const { problemsOf } = await compileRoot({ uniqueItems: true });

  test.each([
    ["one array", {}],
    ["nested arrays", { items: { $ref: "#/components/schemas/Root" } }],
  ])("finds items of %s that are equal at any depth, and reports no others", async (_, more) => {
    const { problemsOf } = await compileRoot({ uniqueItems: true, ...more });
    expect(problemsOf([...values, ...values.map(deep)])).toEqual([]);
    for (const equal of [
      [deep(-0), deep(0)],
      [deep({ b: 2, a: 1 }), deep({ a: 1, b: 2 })],
    ])
      expect(problemsOf([...values, ...equal])).toEqual([
        { pointer: "", message: "must not repeat items 20 and 21" },
      ]);
  });

  test("validates many deep items in linear time", () => {
    const [few, many] = [10, 80].map((length) => {
      const reads = { count: 0 };
      const items = Array.from({ length }, (_, index) => deep(index));
      expect(problemsOf(counting(items, reads))).toEqual([]);
      return reads.count / length;
    });
    expect(many).toBeLessThan((few ?? 0) * 1.1);
  });
});

describe("the emitted module", () => {
  test("changes only in the code of the schema that changed", () => {
    const parts = (pattern: string) => {
      const document = {
        a: { items: { $ref: "#/defs/B" } },
        defs: { B: { properties: { a: { $ref: "#/a" }, b: { pattern } } } },
      };
      return compileValidators(document, [{ name: "A", pointer: "/a", use: "request" }]).code.split("\n\n");
    };
    const [before, after] = [parts("x"), parts("x+")];
    const different = before.filter((text, index) => text !== after[index]);
    expect(before.length).toBe(after.length);
    expect(different.map((text) => /^\w+ [a-zA-Z]+(?:_B)?/.exec(text)?.[0])).toEqual([
      "const pattern",
      "function checkDefs_B",
    ]);
  });

  test("has only helpers that its code uses, not those that a comment mentions", async () => {
    const { code } = await compileRoot({ type: "array", uniqueItems: true, maxItems: 9 });
    const bare = code.replaceAll(/^\/\*\*.*?\*\//gmsu, "");
    const helpers = [...bare.matchAll(/^function (\w+)/gmu)].map(([, name = ""]) => name);
    expect(helpers.filter((name) => bare.split(new RegExp(`\\b${name}\\b`)).length < 3)).toEqual([]);
  });

  test("adds problems to the caller's list, and keeps those that it already has", async () => {
    const emitted = await load(
      compileValidators({ type: "string" }, [{ name: "A", pointer: "", use: "parameter" }]).code,
    );
    const problems = [{ pointer: "/x", message: "before" }];
    expect(emitted.validateA?.("a", problems)).toBe(true);
    expect(emitted.validateA?.(1, problems)).toBe(false);
    expect(problems).toEqual([
      { pointer: "/x", message: "before" },
      { pointer: "", message: "must be a string" },
    ]);
  });
});

describe("more than a thousand problems", () => {
  const numbers = (count: number) => Array.from({ length: count }, (_, index) => index);

  test("are reported up to a thousand, then the validation stops and says that there may be more", async () => {
    const strings = { type: "array", items: { type: "string" } };
    const { problemsOf } = await compileRoot({ type: "array", items: strings });
    const every = (count: number) =>
      numbers(count).map((index) => ({ pointer: `/0/${index}`, message: "must be a string" }));
    expect(problemsOf([numbers(999)])).toEqual(every(999));
    const isRead = vi.fn();
    const many = Object.defineProperty(numbers(2000), 1000, { get: isRead });
    const late = Object.defineProperty([1], 0, { get: isRead });
    expect(problemsOf([many, late])).toEqual([
      ...every(1000),
      { pointer: "", message: "may have more problems than are listed" },
    ]);
    expect(isRead).not.toHaveBeenCalled();
  });

  test.each([
    { additionalProperties: false },
    { additionalProperties: { type: "string" } },
    { unevaluatedProperties: false },
    { patternProperties: { "^p": { type: "string" } } },
  ])("stop the validation of properties too: %j", async (root) => {
    const { problemsOf } = await compileRoot(root);
    const faulty = Object.fromEntries(numbers(2000).map((index) => [`p${index}`, 1]));
    expect(problemsOf(faulty)).toHaveLength(1001);
  });
});

describe("references", () => {
  const to = (name: string) => ({ $ref: `#/components/schemas/${name}` });
  const chain = (count: number, link: (next: object, index: number) => object) =>
    Object.fromEntries(
      Array.from({ length: count }, (_, index) => [`S${index}`, link(to(`S${(index + 1) % count}`), index)]),
    );

  test("may lead through thousands of schemas, and back", async () => {
    const schemas = chain(3000, (next) => ({ type: "object", properties: { next }, required: ["next"] }));
    const { problemsOf } = await compileRoot(to("S0"), schemas);
    expect(problemsOf({ next: { next: {} } })).toEqual([
      { pointer: "/next/next/next", message: "is required" },
    ]);
  });

  test.each(["allOf", "oneOf", "anyOf"])(
    "may reach the same schema on 2^60 ways through `%s`",
    async (keyword) => {
      const schemas = chain(60, (next, index) =>
        index === 59 ? { maxLength: 1 } : { [keyword]: [next, { ...next, type: "string" }] },
      );
      const entry = { name: "Root", pointer: "/components/schemas/S0", use: "response" as const };
      const Closed = { ...schemas.S0, unevaluatedProperties: false };
      for (const S0 of [schemas.S0, Closed])
        expect(
          compileValidators({ components: { schemas: { ...schemas, S0 } } }, [entry]).unenforceable,
        ).toEqual([]);
    },
  );
});

describe("unevaluated properties and items", () => {
  const integers = { additionalProperties: { type: "integer" } };
  const strings = { contains: { type: "string" } };
  const ofLength = (length: number) => Array.from({ length }, (_, index) => [`k${index}`, index]);

  test.each([
    ["properties", { anyOf: [integers, { required: ["a"] }], unevaluatedProperties: { type: "integer" } }],
    ["properties", { if: integers, unevaluatedProperties: { type: "integer" } }],
    ["properties", { allOf: [{ $ref: "#/components/schemas/Base" }], unevaluatedProperties: false }],
    ["items", { type: "array", anyOf: [strings, { minItems: 2 }], unevaluatedItems: { type: "array" } }],
  ])("test each branch only once, not for each part: %s of %j", async (kind, schema) => {
    const { problemsOf } = await compileRoot(schema, { Base: { anyOf: [integers, strings] } });
    const counts = [100, 200, 400].map((length) => {
      const value = kind === "items" ? ofLength(length) : Object.fromEntries(ofLength(length));
      const reads = { count: 0 };
      expect(problemsOf(counting(value, reads))).toEqual([]);
      return reads.count / length;
    });
    expect(Math.max(...counts)).toBeLessThan(10);
  });
});
