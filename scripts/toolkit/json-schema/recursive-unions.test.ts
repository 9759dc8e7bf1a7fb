import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { describe, expect, test } from "vitest";
import type { Problem } from "#specbind/contract";
import { compileValidators } from "./compile.ts";
import { compileRoot, load } from "./testing/compiled.ts";
import { counting } from "./testing/counting.ts";
import { nestedValue, recursiveUnions } from "./testing/recursive-unions.ts";

const levels = [20, 40, 80];

describe.each(Object.entries(recursiveUnions))("%s", async (_, union) => {
  const { unenforceable, ...compiled } = await compileRoot(union.root, union.others);

  test.each(["problemsOf", "complete", "project"] as const)(
    "%s reads each part a fixed number of times",
    (work) => {
      expect(unenforceable).toEqual([]);
      for (const innermost of [union.innermost, union.wrong]) {
        const [few = 0, more = 0, most = 0] = levels.map((count) => {
          const reads = { count: 0 };
          compiled[work](counting(nestedValue(union, count, innermost), reads));
          return reads.count;
        });
        expect(most - more).toBe(2 * (more - few));
      }
    },
  );
});

describe("a result that is remembered", () => {
  const tagged = recursiveUnions["oneOf with a required tag"];
  const at = (level: number) => `${"/args/0".repeat(level)}/op`;

  test("reports the same problems, at the place of each value", async () => {
    const { problemsOf } = await compileRoot(tagged?.root);
    const shared = { op: "xor" };
    expect(problemsOf({ op: "and", args: [shared, { op: "or", args: [shared] }] })).toEqual(
      ["/args/0/op", "/args/1/args/0/op"].map((pointer) => ({
        pointer,
        message: 'must be one of "and", "or"',
      })),
    );
  });

  test("does not repeat problems that several branches have in common", async () => {
    const { problemsOf } = await compileRoot(tagged?.root);
    const wrong = { op: "xor", args: [1, { op: "or", args: 1 }] };
    const value = Array.from({ length: 200 }).reduce((inner) => ({ op: "xor", args: [inner] }), wrong);
    expect(problemsOf(counting(value, { count: 0 }))).toEqual([
      ...Array.from({ length: 201 }, (_, level) => ({
        pointer: at(level),
        message: 'must be one of "and", "or"',
      })),
      { pointer: `${"/args/0".repeat(201)}`, message: "must be an object" },
      { pointer: `${"/args/0".repeat(200)}/args/1/args`, message: "must be an array" },
    ]);
  });

  const items = recursiveUnions["oneOf of branches with different items"];
  const unknownTag = { pointer: "/op", message: 'must be one of "p", "q"' };

  test.each([1, 50, 51, 200])(
    "reports %i problems that branches with different items share",
    async (count) => {
      const { problemsOf } = await compileRoot(items?.root, items?.others);
      const item = { op: "p", args: [{ op: "p", n: "x" }] };
      expect(
        problemsOf({ op: "z", args: Array.from({ length: count }, () => structuredClone(item)) }),
      ).toEqual([
        unknownTag,
        ...Array.from({ length: count }, (_, index) => ({
          pointer: `/args/${index}/args/0/n`,
          message: "must be an integer",
        })),
      ]);
    },
  );

  const itself = (name: string, type: string) => ({
    allOf: [
      { $ref: "#/components/schemas/Root" },
      {
        type: "object",
        properties: {
          args: { type: "array", items: { $ref: `#/components/schemas/${name}` } },
          n: { type: "object", properties: { x: { type } } },
        },
      },
    ],
  });
  const different = { P: itself("P", "integer"), Q: itself("Q", "boolean") };

  test("reports what groups of problems have in common if the groups differ", async () => {
    const { problemsOf } = await compileRoot(items?.root, different);
    const args = Array.from({ length: 60 }, () => ({ op: "z", n: { x: "x" }, args: [{ op: "z" }] }));
    expect(problemsOf({ op: "z", args })).toEqual([
      unknownTag,
      ...args.flatMap((_, index) => [
        { ...unknownTag, pointer: `/args/${index}/op` },
        { ...unknownTag, pointer: `/args/${index}/args/0/op` },
      ]),
    ]);
  });

  test("stops the comparison of groups that differ at each level, and reports that", async () => {
    const { problemsOf } = await compileRoot(items?.root, different);
    const chain = () =>
      Array.from({ length: 40 }).reduce<unknown>((inner) => ({ op: "z", n: { x: "x" }, args: [inner] }), {
        op: "z",
      });
    const value = { op: "z", args: Array.from({ length: 40 }, chain) };
    const messages = problemsOf(value).map(({ message }) => message);
    expect(messages).toContain("may have more problems than are listed");
  });

  test("reports a thousand problems if there are more", async () => {
    const { problemsOf } = await compileRoot(tagged?.root);
    const many = { op: "or", args: Array.from({ length: 2000 }, () => ({ op: "xor" })) };
    expect(problemsOf({ op: "xor", args: [many] })).toHaveLength(1001);
  });

  test("is forgotten when the call ends", async () => {
    setFlagsFromString("--expose-gc");
    const collectGarbage = runInNewContext("gc");
    const { problemsOf, complete, project } = await compileRoot(tagged?.root);
    const values = [problemsOf, complete, project].map((work) => {
      const value = { op: "or", args: [{ op: "and" }] };
      work(value);
      return new WeakRef(value);
    });
    await new Promise(setImmediate);
    collectGarbage();
    expect(values.map((value) => value.deref())).toEqual([undefined, undefined, undefined]);
  });

  test("has no code in a schema without recursive unions", () => {
    const tree = { properties: { children: { items: { $ref: "#" } }, kind: { oneOf: [{ const: 1 }, {}] } } };
    const { code } = compileValidators(tree, [{ name: "A", pointer: "", use: "response" }]);
    expect(code).not.toContain("memory");
  });
});

describe("an anyOf with a discriminator", () => {
  test("tests the selected branch first, and others only if it does not match", async () => {
    const branch = (name: string) => ({
      type: "object",
      properties: { [name]: { const: 1 }, args: { $ref: "#" } },
    });
    const document = {
      anyOf: [{ $ref: "#/$defs/first" }, { $ref: "#/$defs/second" }],
      discriminator: { propertyName: "kind", mapping: { b: "#/$defs/second" } },
      $defs: { first: branch("a"), second: branch("b") },
    };
    const { code } = compileValidators(document, [{ name: "A", pointer: "", use: "request" }]);
    const { validateA } = await load(code);
    const read: (string | symbol)[] = [];
    const recorded = (value: object) =>
      new Proxy(value, {
        get: (target, key) => {
          read.push(key);
          return Reflect.get(target, key);
        },
      });
    expect(validateA?.(recorded({ kind: "b", a: 1, b: 1 }), [])).toBe(true);
    expect(read).toEqual(["kind", "b", "args"]);
    expect(validateA?.({ kind: "b", a: 1, b: 2 }, [])).toBe(true);
    expect(validateA?.({ kind: "b", a: 2, b: 2 }, [])).toBe(false);
  });

  test.each([
    [
      "the default branch",
      { "x-defaultMapping": "#/$defs/second" },
      [{ pointer: "/b", message: "is required" }],
    ],
    ["the tag without one", {}, [{ pointer: "/kind", message: 'must be one of "first", "second"' }]],
  ])("reports the problems of %s if no branch has the value", async (_, fields, expected) => {
    const branch = (name: string) => ({
      type: "object",
      required: [name],
      properties: { kind: { type: "string" }, [name]: { const: 1 } },
    });
    const document = {
      anyOf: [{ $ref: "#/$defs/first" }, { $ref: "#/$defs/second" }],
      discriminator: { propertyName: "kind", ...fields },
      $defs: { first: branch("a"), second: branch("b") },
    };
    const { code } = compileValidators(document, [{ name: "A", pointer: "", use: "request" }]);
    const { validateA } = await load(code);
    const problems: Problem[] = [];
    expect(validateA?.({ kind: "third", b: 1 }, [])).toBe(true);
    expect(validateA?.({ kind: "third" }, problems)).toBe(false);
    expect(problems).toEqual(expected);
  });
});
