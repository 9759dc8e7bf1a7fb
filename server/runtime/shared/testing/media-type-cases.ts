/** Received media types. Everything that reads media types must choose the same documented one for each of them. */
const json = "application/json";
const utf8 = "application/json; charset=utf-8";
const ofJson = "application/*+json";

export const mediaTypeCases: readonly (readonly [
  title: string,
  received: string,
  documented: readonly string[],
  chosen: string | undefined,
])[] = [
  ["is compared case-insensitively", "Application/JSON", [json], json],
  ["may be documented in capital letters", "application/json", ["Application/JSON"], "Application/JSON"],
  ["may have spaces around it", " application/json ; charset=utf-8", [json], json],
  ["needs no charset if the documented one has UTF-8", json, [utf8], utf8],
  ["may have the charset UTF-8 if the documented one has none", utf8, [json], json],
  ["may have its charset in quotes and capital letters", 'application/json;Charset="UTF-8"', [utf8], utf8],
  ["without a charset selects the same documented one", json, [utf8, json], json],
  ["with a charset selects the same documented one", utf8, [json, utf8], utf8],
  [
    "must have all parameters of the documented one except the charset",
    json,
    ["application/json; version=1"],
    undefined,
  ],
  ["may have other parameters", "application/json; version=1; x=y", [json], json],
  [
    "selects the documented one that has the most parameters in common",
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
  ["matches a range of all media types", "image/png", [json, "*/*"], "*/*"],
  ["matches a range of text", "text/csv; header=present", ["text/*"], "text/*"],
  ["must have the parameters of a range", "text/plain", ["text/*; format=flowed"], undefined],
  ["matches a range with a suffix", "application/problem+json", [ofJson], ofJson],
  ["matches a range with a suffix in capital letters", "Application/HAL+JSON", [ofJson], ofJson],
  ["prefers a range with a suffix to `*/*`", "application/hal+json", ["*/*", ofJson], ofJson],
  ["prefers a range with a suffix to one without", "application/hal+json", ["application/*", ofJson], ofJson],
  ["prefers itself to a range", json, ["application/*", json, "*/*"], json],
  ["does not match a range with another suffix", "application/hal+xml", [json, ofJson], undefined],
  ["without a suffix does not match a range with one", json, [ofJson], undefined],
  ["does not match a range of another type", "text/x+json", [ofJson], undefined],
  ["does not match another type", "text/plain", [json, "image/*"], undefined],
];
