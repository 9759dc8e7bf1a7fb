import { expect, test } from "vitest";
import type { RequestProblem } from "./request.ts";
import { soundnessOf } from "./request-body.ts";

const faultAt = (pointer: string): RequestProblem => ({ in: "body", pointer, message: "is wrong" });

test("a place is sound unless a fault is at it, in it or around it", () => {
  const isSound = soundnessOf([
    faultAt("/list/1/name"),
    faultAt("/list/3"),
    { in: "query", pointer: "/other", message: "is wrong" },
  ]);
  const places = ["", "/list", "/list/1", "/list/1/name", "/list/1/name/first", "/list/3", "/list/3/name"];
  expect(places.filter((place) => isSound(place))).toEqual([]);
  const sound = ["/other", "/list/0", "/list/10", "/list/30", "/list/1/names", "/lis"];
  expect(sound.filter((place) => !isSound(place))).toEqual([]);
});

test("a fault of the whole body leaves no place sound", () => {
  const isSound = soundnessOf([faultAt("")]);
  expect(["", "/list", "/list/0"].filter((place) => isSound(place))).toEqual([]);
});

test("a body without faults is sound everywhere", () => {
  const isSound = soundnessOf([]);
  expect(["", "/", "/list/0"].filter((place) => !isSound(place))).toEqual([]);
});

test("asking about a place looks at no problem again, because a caller can send many of both", () => {
  let reads = 0;
  const problems = Array.from({ length: 100 }, (_, index): RequestProblem => {
    const problem = faultAt(`/list/${index}/values/0`);
    return {
      ...problem,
      get pointer() {
        reads += 1;
        return problem.pointer;
      },
    };
  });
  const isSound = soundnessOf(problems);
  reads = 0;
  for (let index = 0; index < 100; index += 1) expect(isSound(`/list/${index}/values`)).toBe(false);
  expect(reads).toBe(0);
});
