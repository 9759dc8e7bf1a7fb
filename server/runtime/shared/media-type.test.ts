import { describe, expect, it } from "vitest";
import { matchType, matchUtf8 } from "./media-type.ts";
import { mediaTypeCases } from "./testing/media-type-cases.ts";

describe("a media type", () => {
  it.each(mediaTypeCases)("%s", (_, received, documented, chosen) => {
    expect(matchType(received, documented)?.key).toBe(chosen);
  });

  it.each(["application/json; charset=iso-8859-1", 'application/json; charset="utf-16"', "text/plain"])(
    "cannot be read: %s",
    (received) => expect(matchUtf8(received, ["application/json; charset=utf-8"])).toBeUndefined(),
  );
});
