import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { describe, expect, test } from "vitest";
import { nestedValue, recursiveUnions } from "../lab/bench/union-shapes.ts";
import { compileValidators } from "./compile.ts";
import { compileRoot, load } from "./testing/compiled.ts";
import { counting } from "./testing/counting.ts";

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
});
