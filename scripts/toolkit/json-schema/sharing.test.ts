import { expect, test } from "vitest";
import { compileRoot } from "./testing/compiled.ts";

const address = (maxLength: number) => ({
  type: "object",
  required: ["city"],
  properties: { city: { type: "string", maxLength }, lines: { type: "array", items: { type: "string" } } },
});

/** The root is compiled twice, so it has a function, too. */
function named(code: string, start: string): string[] {
  return [...code.matchAll(/^(?:export )?function (\w+)/gm)].flatMap(([, name = ""]) =>
    name.startsWith(start) ? [name] : [],
  );
}

test("equal schemas at several places have one function, whose name depends only on their content", async () => {
  const root = (properties: object) => ({ type: "object", properties });
  const twice = { home: address(5), work: address(5), other: address(6) };
  const { code, problemsOf, project } = await compileRoot(root(twice));
  const [first = "", second = "", ...others] = named(code, "checkShape");
  expect(others).toEqual([]);
  expect(problemsOf({ home: {}, work: { city: "123456" }, other: { city: "123456" } })).toEqual([
    { pointer: "/home/city", message: "is required" },
    { pointer: "/work/city", message: "must be at most 5 characters" },
  ]);
  expect(project({ home: { city: "a", x: 1 }, work: { city: "b", x: 2 } })).toEqual({
    home: { city: "a" },
    work: { city: "b" },
  });
  const moved = await compileRoot(
    root({ first: { ...address(5), description: "Text." }, second: address(5) }),
  );
  expect([first, second].filter((name) => named(moved.code, name).length > 0)).toHaveLength(1);
  expect(named((await compileRoot(root({ home: address(5) }))).code, "checkShape")).toHaveLength(1);
});

test("a schema that equals a component uses the function of the component", async () => {
  const root = { type: "object", properties: { a: address(5), b: { $ref: "#/components/schemas/Address" } } };
  const { code } = await compileRoot(root, { Address: address(5) });
  expect(named(code, "check")).toEqual(["checkAddress", expect.stringMatching(/^checkShape/)]);
});

test("the type of a value selects the branch of a union, and no other branch is tested", async () => {
  const { code, problemsOf, project } = await compileRoot({
    anyOf: [address(5), { type: "string", maxLength: 2 }, { type: "array", items: address(6) }],
  });
  expect(named(code, "matches")).toEqual([]);
  expect(problemsOf("abc")).toEqual([{ pointer: "", message: "must be at most 2 characters" }]);
  expect(problemsOf([{}])).toEqual([{ pointer: "/0/city", message: "is required" }]);
  expect(problemsOf(1)).toEqual([{ pointer: "", message: "must be a string, an array or an object" }]);
  expect(project({ city: "a", x: 1 })).toEqual({ city: "a" });
});
