import { describe, expect, it } from "vitest";
import { matchType, matchUtf8 } from "./media-type.ts";

const json = "application/json";
const utf8 = "application/json; charset=utf-8";

describe("a media type", () => {
  it.each([
    ["is compared case-insensitively", "Application/JSON", [json], json],
    ["needs no charset if the contract has UTF-8", json, [utf8], utf8],
    ["may have the charset UTF-8 if the contract has none", utf8, [json], json],
    ["may have its charset in quotes and capital letters", 'application/json;Charset="UTF-8"', [utf8], utf8],
    ["without a charset selects the same one of the contract", json, [utf8, json], json],
    ["with a charset selects the same one of the contract", utf8, [json, utf8], utf8],
    [
      "must have all parameters of the contract except the charset",
      json,
      ["application/json; version=1"],
      undefined,
    ],
    ["may have parameters that the contract does not have", "application/json; version=1; x=y", [json], json],
    [
      "selects the media type of the contract that has the most parameters in common",
      'application/json; profile="a;b"; version=1',
      [json, 'application/json; profile="a;b"'],
      'application/json; profile="a;b"',
    ],
    [
      "may have the value of a parameter in quotes",
      'application/json; version="1"',
      ["application/json;version=1"],
      "application/json;version=1",
    ],
    ["matches a range", "image/png", ["*/*", "image/*"], "image/*"],
    [
      "matches a range with a suffix",
      "application/hal+json",
      ["*/*", "application/*+json"],
      "application/*+json",
    ],
    [
      "prefers a range with a suffix to a range without one",
      "application/hal+json",
      ["application/*", "application/*+json"],
      "application/*+json",
    ],
    [
      "does not match a range with another suffix",
      "application/hal+xml",
      [json, "application/*+json"],
      undefined,
    ],
    ["does not match another type", "text/plain", [json, "image/*"], undefined],
  ])("%s", (_, sent, supported, key) => {
    expect(matchType(sent, supported)?.key).toBe(key);
  });

  it.each(["application/json; charset=iso-8859-1", 'application/json; charset="utf-16"', "text/plain"])(
    "cannot be read: %s",
    (sent) => expect(matchUtf8(sent, [utf8])).toBeUndefined(),
  );
});
