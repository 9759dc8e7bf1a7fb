import { expect, test } from "vitest";
import { differingFromLibrary } from "../testing/canonical-json.ts";

test("a million random definitions have the same canonical JSON as with the library", () => {
  expect(differingFromLibrary(1_000_000)).toEqual([]);
});
