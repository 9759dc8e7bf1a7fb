import { expect, test } from "vitest";
import { contract } from "../../../generated/contract.ts";
import type { RequestProblem } from "../shared/rejection-reasons.ts";
import { bodyReader, validityOf } from "./request-body.ts";

const problemAt = (pointer: string): RequestProblem => ({ in: "body", pointer, message: "is wrong" });

test("a place is valid if it, the values inside it and the values around it have no problem", () => {
  const isValid = validityOf([
    problemAt("/list/1/name"),
    problemAt("/list/3"),
    { in: "query", pointer: "/other", message: "is wrong" },
  ]);
  const places = ["", "/list", "/list/1", "/list/1/name", "/list/1/name/first", "/list/3", "/list/3/name"];
  expect(places.filter((place) => isValid(place))).toEqual([]);
  const valid = ["/other", "/list/0", "/list/10", "/list/30", "/list/1/names", "/lis"];
  expect(valid.filter((place) => !isValid(place))).toEqual([]);
});

test("if the whole body has a problem, no place is valid", () => {
  const isValid = validityOf([problemAt("")]);
  expect(["", "/list", "/list/0"].filter((place) => isValid(place))).toEqual([]);
});

test("in a body without problems, every place is valid", () => {
  const isValid = validityOf([]);
  expect(["", "/", "/list/0"].filter((place) => !isValid(place))).toEqual([]);
});

test("a problem below level 32 makes the place around it at level 32 invalid, but not other places", () => {
  const isValid = validityOf([problemAt("/a".repeat(30_000))]);
  const places = ["", "/a", "/a".repeat(32), "/a".repeat(33), `${"/a".repeat(40)}/b`];
  expect(places.filter((place) => isValid(place))).toEqual([]);
  expect(isValid("/a/b")).toBe(true);
});

test("checking a place does not read all problems again, because a caller can send many places and problems", () => {
  let reads = 0;
  const problems = Array.from({ length: 100 }, (_, index): RequestProblem => {
    const problem = problemAt(`/list/${index}/values/0`);
    return {
      ...problem,
      get pointer() {
        reads += 1;
        return problem.pointer;
      },
    };
  });
  const isValid = validityOf(problems);
  reads = 0;
  for (let index = 0; index < 100; index += 1) expect(isValid(`/list/${index}/values`)).toBe(false);
  expect(reads).toBe(0);
});

test("numbers that a double cannot represent are reported once, with the other problems of the body", async () => {
  const read = bodyReader(contract.operations.submitCommission.requestBody);
  const problemsOf = async (text: string) => {
    const problems: RequestProblem[] = [];
    await read(
      { header: (name) => (name === "content-type" ? "application/json" : undefined) },
      Buffer.from(text),
      problems,
    );
    return problems;
  };
  const definition = (value: string, more = "") =>
    `{"commission":{"title":"9007199254740993","type":"supply","default_value":${value}${more}}}`;
  expect(await problemsOf(definition("9007199254740992"))).toEqual([]);
  expect(await problemsOf(definition("9007199254740993"))).toEqual([
    { in: "body", pointer: "/commission/default_value", message: "cannot be represented exactly" },
  ]);
  expect(
    await problemsOf(definition("1e400", ',"active":1,"commission_data":[{"category":[-1e23]}]')),
  ).toEqual([
    { in: "body", pointer: "/commission/default_value", message: "is out of range" },
    {
      in: "body",
      pointer: "/commission/commission_data/0/category/0",
      message: "cannot be represented exactly",
    },
    { in: "body", pointer: "/commission/active", message: "must be a boolean" },
    { in: "body", pointer: "/commission/commission_data/0/type", message: "is required" },
  ]);
});

test("an absent body gets its default", () => {
  const complete = (value: unknown) => value ?? { limit: 20 };
  const mediaTypes = { "application/json": { validate: () => true, complete } };
  const read = bodyReader({ required: false, mediaTypes });
  expect(read({ header: () => undefined }, new Uint8Array(), [])).toEqual({ limit: 20 });
});
