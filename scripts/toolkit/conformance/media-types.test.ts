import { describe, expect, it } from "vitest";
import { mediaTypeCases } from "../../../server/runtime/shared/testing/media-type-cases.ts";
import { matchingMediaType } from "./media-types.ts";

describe("the media type of a response", () => {
  it.each(mediaTypeCases)("%s", (_, received, documented, chosen) => {
    const described = documented.map((mediaType) => ({ mediaType }));
    expect(matchingMediaType(received, described)?.mediaType).toBe(chosen);
  });
});
