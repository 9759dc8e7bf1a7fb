import { describe, expect, it } from "vitest";
import { matchType } from "./media-type.ts";
import { mediaTypeCases } from "./testing/media-type-cases.ts";

describe("a media type", () => {
  it.each(mediaTypeCases)("%s", (_, received, documented, chosen) => {
    expect(matchType(received, documented)?.key).toBe(chosen);
  });

  it.each([
    ["application/json", true],
    ['application/json; charset="UTF8"', true],
    ["application/json; charset=iso-8859-1", false],
    ['application/json; charset="utf-16"', false],
  ])("%s is in UTF-8: %s", (received, isUtf8) => {
    expect(matchType(received, ["application/json; charset=utf-8"])?.isUtf8).toBe(isUtf8);
  });
});
