import { expect, test } from "vitest";
import { differingFromLibrary } from "../testing/canonical-json.ts";

test("of a million random definitions, the canonical JSON is that of the library", () => {
  expect(differingFromLibrary(1_000_000)).toEqual([]);
});
