import { expect, test } from "vitest";
import { soundnessOf } from "./body-check.ts";
import type { RequestProblem } from "./refusal.ts";

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

test("eight times the faults and places take far less than the square of that time", () => {
  const few = fastest(1000);
  expect(fastest(8000) / few).toBeLessThan(32);
});

/** The shortest of several runs, in milliseconds. */
function fastest(count: number): number {
  const places = Array.from({ length: count }, (_, index) => `/list/${index}/values`);
  const problems = places.map((place) => faultAt(`${place}/0`));
  const runs = Array.from({ length: 5 }, () => {
    const started = performance.now();
    const isSound = soundnessOf(problems);
    expect(places.filter((place) => isSound(place))).toEqual([]);
    return performance.now() - started;
  });
  return Math.min(...runs);
}
