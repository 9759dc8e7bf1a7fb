import { describe, expect, it } from "vitest";
import { matchType, mediaTypeOf } from "./media-type.ts";
import { Rejection } from "./request.ts";

const json = "application/json";
const utf8 = "application/json; charset=utf-8";

describe("a media type", () => {
  it.each([
    ["is compared without regard to case", "Application/JSON", [json], json],
    ["needs no charset if the contract says UTF-8", json, [utf8], utf8],
    ["may have the charset UTF-8 if the contract has none", utf8, [json], json],
    ["may say its charset in quotes and capitals", 'application/json;Charset="UTF-8"', [utf8], utf8],
    ["is the one that is written as it was sent", json, [utf8, json], json],
    ["is the one that is written as it was sent, with its charset", utf8, [json, utf8], utf8],
    ["needs every other parameter of the contract", json, ["application/json; version=1"], undefined],
    ["may have more parameters", "application/json; version=1; x=y", [json], json],
    [
      "is the one with the most of its parameters",
      'application/json; profile="a;b"; version=1',
      [json, 'application/json; profile="a;b"'],
      'application/json; profile="a;b"',
    ],
    [
      "has a parameter in quotes as without",
      'application/json; version="1"',
      ["application/json;version=1"],
      "application/json;version=1",
    ],
    ["falls under a range", "image/png", ["*/*", "image/*"], "image/*"],
    [
      "falls under a range of a suffix",
      "application/hal+json",
      ["*/*", "application/*+json"],
      "application/*+json",
    ],
    ["is not in the contract", "application/hal+xml", [json, "application/*+json"], undefined],
    ["is not in the contract", "text/plain", [json, "image/*"], undefined],
  ])("%s", (_, sent, supported, key) => {
    expect(matchType(sent, supported)?.key).toBe(key);
  });

  it.each(["application/json; charset=iso-8859-1", 'application/json; charset="utf-16"', "text/plain"])(
    "that the contract cannot read is rejected: %s",
    (sent) => {
      const rejection = new Rejection({ reason: "media_type_unsupported", supported: [utf8] });
      expect(() => mediaTypeOf(sent, [utf8])).toThrow(rejection);
    },
  );
});
