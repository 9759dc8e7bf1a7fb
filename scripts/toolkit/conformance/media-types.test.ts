import { describe, expect, it } from "vitest";
import { mediaTypeCases } from "../../../server/runtime/shared/testing/media-type-cases.ts";
import { contentFor } from "./media-types.ts";

describe("the media type of a response", () => {
  it.each(mediaTypeCases)("%s", (_, received, documented, chosen) => {
    const contents = documented.map((mediaType) => ({ mediaType }));
    expect(contentFor(received, contents)?.mediaType).toBe(chosen);
  });
});
