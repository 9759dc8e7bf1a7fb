import { describe, expect, it } from "vitest";
import { mediaTypeFor, serialise } from "./bodies.ts";

describe("the media type of a request body", () => {
  it.each<[mediaTypes: string[], want: string | undefined]>([
    [["text/plain", "application/merge-patch+json"], "application/merge-patch+json"],
    [["multipart/form-data", "text/plain"], "multipart/form-data"],
    [["application/*+json", "text/json", "application/json"], "text/json"],
    [["application/*+json"], undefined],
    [["image/*"], undefined],
    [[], undefined],
  ])("of %j is %s", (mediaTypes, want) => {
    expect(mediaTypeFor(mediaTypes)).toBe(want);
  });
});

describe("content", () => {
  const file = new File(["x"], "x.txt", { type: "text/plain" });
  const fields = { name: "a b", sizes: [1, 2], point: { x: 1 }, absent: undefined, none: null };

  it.each<[mediaType: string | undefined, body: unknown, want: unknown]>([
    ["application/json", { a: 1 }, '{"a":1}'],
    ["application/json", "text", '"text"'],
    ["application/vnd.a+json", [1], "[1]"],
    [undefined, { a: 1 }, '{"a":1}'],
    [undefined, "text", '"text"'],
    ["text/plain", "text", "text"],
    ["application/octet-stream", file, file],
  ])("of %s is written as follows: %j", (mediaType, body, want) => {
    expect(serialise(body, mediaType)).toBe(want);
  });

  it("of a form has a field for each item of a list, and JSON for objects", () => {
    const form = serialise(fields, "Application/X-WWW-Form-URLencoded");
    expect(String(form)).toBe("name=a+b&sizes=1&sizes=2&point=%7B%22x%22%3A1%7D&none=null");
  });

  it("of a form has a field with JSON for each object of an array", () => {
    const form = serialise({ points: [{ x: 1 }, { x: 2 }] }, "application/x-www-form-urlencoded");
    expect([...(form as URLSearchParams)]).toEqual([
      ["points", '{"x":1}'],
      ["points", '{"x":2}'],
    ]);
  });

  it("of a multipart form has files unchanged", () => {
    const form = serialise({ file, ...fields }, "multipart/form-data");
    expect(form).toBeInstanceOf(FormData);
    expect([...(form as FormData)]).toEqual([
      ["file", file],
      ["name", "a b"],
      ["sizes", "1"],
      ["sizes", "2"],
      ["point", '{"x":1}'],
      ["none", "null"],
    ]);
  });
});
